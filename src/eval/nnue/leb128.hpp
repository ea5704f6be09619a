// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::eval::nnue {

// The feature transformer of SFNN files: the magic word, a 32-bit number of bytes, and signed numbers of seven bits per
// byte, the lowest first.
constexpr std::string_view leb128_magic = "COMPRESSED_LEB128";

// Reads one block from the front of `bytes` and moves it past the block.
base::Result<std::vector<std::int16_t>> read_leb128(std::span<const std::byte>& bytes);
void append_leb128(std::string& out, std::span<const std::int16_t> values);

}  // namespace tsumugi::eval::nnue
