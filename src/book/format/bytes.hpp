// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace tsumugi::book {

// Little-endian numbers in the bytes of a file, whatever the machine.
template <std::unsigned_integral T>
T get(std::string_view bytes, std::size_t at) {
    assert(at + sizeof(T) <= bytes.size());
    T value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;)
        value = static_cast<T>(static_cast<T>(value << 7 << 1) | static_cast<unsigned char>(bytes[at + i]));
    return value;
}

template <std::unsigned_integral T>
void put(std::string& bytes, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes.push_back(static_cast<char>(value >> (8 * i) & 255));
}

}  // namespace tsumugi::book
