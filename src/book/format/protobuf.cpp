// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/format/protobuf.hpp"

#include <fmt/format.h>

#include "book/format/bytes.hpp"

namespace tsumugi::book {

using base::Error;
using base::Result;

Error ProtobufReader::problem(std::size_t at, std::string_view message) const {
    return {Error::Code::syntax, fmt::format("byte {}: {}", start_ + at, message)};
}

Result<std::uint64_t> ProtobufReader::varint() {
    const std::size_t first = at_;
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (at_end()) return problem(first, "a number is cut off");
        const auto byte = static_cast<unsigned char>(message_[at_++]);
        value |= static_cast<std::uint64_t>(byte & 127) << shift;
        if (byte < 128) return value;
    }
    return problem(first, "a number is too long");
}

Result<ProtobufReader::Field> ProtobufReader::next() {
    const std::size_t first = at_;
    const auto tag = varint();
    if (!tag) return tag.error();
    Field field;
    field.number = static_cast<std::uint32_t>(*tag >> 3);
    field.place = start_ + first;
    // The wire types: 0 a varint, 1 eight bytes, 2 bytes with their length before them, 5 four bytes.
    const auto type = *tag & 7;
    if (field.number == 0 || (type != 0 && type != 1 && type != 2 && type != 5))
        return problem(first, "no field of a ShogiGUI book begins like this");
    if (type == 0 || type == 2) {
        const auto number = varint();
        if (!number) return number.error();
        field.integer = *number;
    }
    if (type == 0) return field;
    const std::uint64_t length = type == 2 ? field.integer : type == 1 ? 8 : 4;
    if (length > message_.size() - at_) return problem(first, "a field is cut off");
    const std::string_view bytes = message_.substr(at_, length);
    if (type == 2) {
        field.is_bytes = true;
        field.bytes = bytes;
        field.place = start_ + at_;
    } else {
        field.integer = type == 1 ? get<std::uint64_t>(bytes, 0) : get<std::uint32_t>(bytes, 0);
    }
    at_ += length;
    return field;
}

}  // namespace tsumugi::book
