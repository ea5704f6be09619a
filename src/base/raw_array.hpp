// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace tsumugi::base {

// Room for elements that are written before they are read: none of them gets a first value. That matters for lists of
// moves, which hold a few of the hundreds they have room for and are made at every step of a search.
template <typename T, std::size_t capacity>
requires(std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>) class RawArray {
public:
    RawArray() {}  // NOLINT(modernize-use-equals-default): a default constructor would be deleted

    [[nodiscard]] T* data() { return elements_.data(); }
    [[nodiscard]] const T* data() const { return elements_.data(); }
    T& operator[](std::size_t i) { return elements_[i]; }
    const T& operator[](std::size_t i) const { return elements_[i]; }
    [[nodiscard]] static constexpr std::size_t size() { return capacity; }

private:
    union {
        std::array<T, capacity> elements_;
    };
};

}  // namespace tsumugi::base
