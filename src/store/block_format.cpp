// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/block_format.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "base/hash.hpp"

namespace tsumugi::store {

namespace {

using base::Error;
using base::Result;

constexpr std::string_view magic = "TsumugiB";
constexpr std::uint32_t format_version = 1;
// Not text and with a zero byte, so that neither texts nor zstd's own magic numbers look like it.
constexpr std::string_view marker("\xB1\x0C\x9E\x00\xD7\x5A\xF3\x1B", 8);
constexpr std::size_t kind_offset = 12;

void put(char* at, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        *at++ = static_cast<char>((value >> shift) & 0xFF);
}

std::uint32_t take(const char* at) {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 32; shift += 8)
        value |= std::uint32_t{static_cast<unsigned char>(*at++)} << shift;
    return value;
}

}  // namespace

FileHeader encode_file_header(std::string_view kind) {
    assert(kind.size() <= longest_kind);
    FileHeader header{};
    std::copy(magic.begin(), magic.end(), header.begin());
    put(header.data() + magic.size(), format_version);
    std::copy(kind.begin(), kind.end(), header.begin() + kind_offset);
    put(header.data() + file_header_size - 4, base::crc32c({header.data(), file_header_size - 4}));
    return header;
}

Result<void> check_file_header(const FileHeader& header, std::string_view kind) {
    const std::string_view bytes(header.data(), header.size());
    if (!bytes.starts_with(magic)) return Error{Error::Code::syntax, "not a block file"};
    if (take(header.data() + file_header_size - 4) != base::crc32c(bytes.substr(0, file_header_size - 4)))
        return Error{Error::Code::syntax, "the header of the block file is damaged"};
    if (const std::uint32_t version = take(header.data() + magic.size()); version != format_version)
        return Error{Error::Code::unsupported,
                     fmt::format("block file version {}, this program knows {}", version, format_version)};
    if (header == encode_file_header(kind)) return {};
    const std::string_view field = bytes.substr(kind_offset, longest_kind);
    return Error{Error::Code::syntax,
                 fmt::format("expected a file of kind '{}', got '{}'", kind, field.substr(0, field.find('\0')))};
}

std::array<char, block_header_size> BlockHeader::encode() const {
    std::array<char, block_header_size> bytes{};
    std::copy(marker.begin(), marker.end(), bytes.begin());
    put(bytes.data() + 8, stored_size);
    put(bytes.data() + 12, original_size);
    put(bytes.data() + 16, checksum);
    put(bytes.data() + 20, base::crc32c({bytes.data(), 20}));
    return bytes;
}

std::optional<BlockHeader> BlockHeader::decode(std::string_view bytes) {
    if (bytes.size() < block_header_size || !bytes.starts_with(marker)) return std::nullopt;
    if (take(bytes.data() + 20) != base::crc32c(bytes.substr(0, 20))) return std::nullopt;
    const BlockHeader header{take(bytes.data() + 8), take(bytes.data() + 12), take(bytes.data() + 16)};
    if (header.stored_size > largest_block || header.original_size > largest_block) return std::nullopt;
    return header;
}

Result<std::string_view> BlockScanner::read(std::uint64_t offset, std::size_t count) {
    if (buffer_.size() < count) buffer_.resize(count);
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got =
            ::pread(descriptor_, buffer_.data() + done, count - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::system_error(fmt::format("cannot read {} at byte {}", name_, offset + done));
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return std::string_view(buffer_.data(), done);
}

Result<std::optional<BlockHeader>> BlockScanner::header_at(std::uint64_t offset) {
    const auto bytes = read(offset, block_header_size);
    if (!bytes) return bytes.error();
    return BlockHeader::decode(*bytes);
}

Result<std::optional<std::string_view>> BlockScanner::payload_at(std::uint64_t offset, const BlockHeader& header) {
    const auto bytes = read(offset + block_header_size, header.stored_size);
    if (!bytes) return bytes.error();
    if (bytes->size() != header.stored_size || base::crc32c(*bytes) != header.checksum)
        return std::optional<std::string_view>();
    return std::optional<std::string_view>(*bytes);
}

Result<std::optional<std::uint64_t>> BlockScanner::find_header(std::uint64_t offset) {
    constexpr std::size_t window = 65536;
    for (;;) {
        const auto bytes = read(offset, window);
        if (!bytes) return bytes.error();
        for (std::size_t at = bytes->find(marker); at != std::string_view::npos; at = bytes->find(marker, at + 1)) {
            // A header across the end of the window is looked at again in the next one.
            if (at + block_header_size > bytes->size()) break;
            if (BlockHeader::decode(bytes->substr(at))) return std::optional<std::uint64_t>(offset + at);
        }
        if (bytes->size() < window) return std::optional<std::uint64_t>();
        offset += window - block_header_size + 1;
    }
}

}  // namespace tsumugi::store
