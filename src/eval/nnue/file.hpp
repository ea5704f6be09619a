// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "eval/nnue/parameter.hpp"

namespace tsumugi::eval::nnue {

// The words in front of the parameters, and how they were understood.
struct Header {
    std::uint32_t version = 0;
    std::uint32_t file_hash = 0;
    std::string text;
    bool section_hashes = true;  // some writers leave them out
    std::uint32_t transformer_hash = 0;
    std::uint32_t network_hash = 0;
    // What spoke for the architecture chosen: "size", "header string", "hash of the feature transformer", …
    std::vector<std::string> evidence;
    std::size_t file_bytes = 0;
};

struct NetFile {
    Header header;
    Parameters parameters;
};

// Recognises an nn.bin by its exact size; header text and hashes, which many writers fill in wrongly, only
// decide between architectures of the same size. `feature` names a feature set when even that does not settle it.
base::Result<NetFile> read_net_file(std::span<const std::byte> bytes, std::string_view feature = {});

// The bytes of an nn.bin that other engines read too.
std::string net_file_bytes(const Parameters& parameters);
// Writes them; the file appears whole or not at all.
base::Result<void> write_net(const std::filesystem::path& path, const Parameters& parameters);

}  // namespace tsumugi::eval::nnue
