// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/result.hpp"

// The bytes of a block file (see store/block_file.hpp). Numbers are little-endian.
//
//   file:   8 magic | 4 version | 16 kind, padded with zeros | 4 CRC-32C of the 28 bytes before | blocks…
//   block:  8 marker | 4 stored size | 4 original size | 4 CRC-32C of the payload | 4 CRC-32C of the 20 bytes before
//           | payload (one zstd frame)
//
// The block header has a checksum of its own so that a size is believed before the payload is read, and the marker
// lets a reader find the next block after damage.

namespace tsumugi::store {

constexpr std::size_t file_header_size = 32;
constexpr std::size_t block_header_size = 24;
constexpr std::size_t longest_kind = 16;
// A larger size in a header is damage, not data: it bounds what a reader may be made to allocate.
constexpr std::uint32_t largest_block = std::uint32_t{1} << 30;

using FileHeader = std::array<char, file_header_size>;

FileHeader encode_file_header(std::string_view kind);
// Whether the bytes are the header of a block file of that kind, and if not, why.
base::Result<void> check_file_header(const FileHeader& header, std::string_view kind);

struct BlockHeader {
    std::uint32_t stored_size = 0;
    std::uint32_t original_size = 0;
    std::uint32_t checksum = 0;

    [[nodiscard]] std::array<char, block_header_size> encode() const;
    static std::optional<BlockHeader> decode(std::string_view bytes);

    [[nodiscard]] std::uint64_t total_size() const { return block_header_size + std::uint64_t{stored_size}; }
};

// Reads at positions of an open file and knows how to recognise blocks there.
class BlockScanner {
public:
    BlockScanner(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

    // Bytes from the offset on; fewer than asked for only at the end of the file.
    base::Result<std::string_view> read(std::uint64_t offset, std::size_t count);

    // The header at the offset; nothing if there is no valid one.
    base::Result<std::optional<BlockHeader>> header_at(std::uint64_t offset);
    // The payload of a block, valid until the next call; nothing if it is cut off or fails its checksum.
    base::Result<std::optional<std::string_view>> payload_at(std::uint64_t offset, const BlockHeader& header);
    // The first offset from `offset` on with a valid block header; nothing if none follows.
    base::Result<std::optional<std::uint64_t>> find_header(std::uint64_t offset);

private:
    int descriptor_;
    std::string name_;
    std::string buffer_;
};

}  // namespace tsumugi::store
