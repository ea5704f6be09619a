// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/leb128.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace tsumugi::eval::nnue {
namespace {

base::Error broken(std::string message) { return {base::Error::Code::syntax, std::move(message)}; }

}  // namespace

base::Result<std::vector<std::int16_t>> read_leb128(std::span<const std::byte>& bytes) {
    const std::size_t head = leb128_magic.size() + 4;
    if (bytes.size() < head) return broken("the file ends inside the head of a compressed block");
    if (std::memcmp(bytes.data(), leb128_magic.data(), leb128_magic.size()) != 0)
        return broken(fmt::format("expected a compressed block ('{}')", leb128_magic));
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + leb128_magic.size(), sizeof length);
    if (bytes.size() - head < length)
        return broken(
            fmt::format("truncated: a compressed block lacks its last {} bytes", length - (bytes.size() - head)));
    const auto block = bytes.subspan(head, length);
    bytes = bytes.subspan(head + length);

    std::vector<std::int16_t> values;
    values.reserve(static_cast<std::size_t>(
        std::count_if(block.begin(), block.end(), [](std::byte b) { return (b & std::byte{0x80}) == std::byte{0}; })));
    std::int32_t value = 0;
    int shift = 0;
    for (const std::byte each : block) {
        const auto bits = std::to_integer<std::int32_t>(each);
        if (shift > 14) return broken("a compressed number does not fit in 16 bits");
        value |= (bits & 0x7f) << shift;
        shift += 7;
        if ((bits & 0x80) != 0) continue;
        if ((bits & 0x40) != 0) value |= -(1 << shift);
        if (value < INT16_MIN || value > INT16_MAX)
            return broken(fmt::format("the number {} does not fit in 16 bits", value));
        values.push_back(static_cast<std::int16_t>(value));
        value = 0;
        shift = 0;
    }
    if (shift != 0) return broken("a compressed block ends inside a number");
    return values;
}

void append_leb128(std::string& out, std::span<const std::int16_t> values) {
    out += leb128_magic;
    const std::size_t length_at = out.size();
    out.append(4, '\0');
    const std::size_t start = out.size();
    for (const std::int16_t each : values) {
        int rest = each;
        for (;;) {
            const int low = rest & 0x7f;
            rest >>= 7;
            const bool last = (rest == 0 && (low & 0x40) == 0) || (rest == -1 && (low & 0x40) != 0);
            out.push_back(static_cast<char>(last ? low : low | 0x80));
            if (last) break;
        }
    }
    const auto length = static_cast<std::uint32_t>(out.size() - start);
    std::memcpy(out.data() + length_at, &length, sizeof length);
}

}  // namespace tsumugi::eval::nnue
