// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace tsumugi::book {

// Reads the fields of one Protocol Buffers message in the order they were written. `start` is where the message begins
// in its file, for error messages.
class ProtobufReader {
public:
    struct Field {
        std::uint32_t number = 0;
        std::uint64_t integer = 0;  // of a varint or a fixed-width field
        std::string_view bytes;     // of a string or a message inside
        std::size_t place = 0;      // of `bytes`, or of the field, in the file
        bool is_bytes = false;
    };

    ProtobufReader(std::string_view message, std::size_t start) : message_(message), start_(start) {}

    [[nodiscard]] bool at_end() const { return at_ == message_.size(); }
    base::Result<Field> next();

private:
    base::Result<std::uint64_t> varint();
    [[nodiscard]] base::Error problem(std::size_t at, std::string_view message) const;

    std::string_view message_;
    std::size_t start_;
    std::size_t at_ = 0;
};

}  // namespace tsumugi::book
