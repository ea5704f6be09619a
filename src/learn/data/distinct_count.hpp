// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"

namespace tsumugi::learn::data {

// About how many different keys were seen, in 64 KiB however many they are: Flajolet's HyperLogLog. The standard error
// is 1.04 / sqrt(65536), 0.4 %.
class DistinctCount {
public:
    void add(std::uint64_t key) {
        const std::uint64_t mixed = base::SplitMix64(key)();
        const auto slot = static_cast<std::size_t>(mixed >> (64 - index_bits));
        const int rank = std::min(std::countl_zero(mixed << index_bits), 64 - index_bits) + 1;
        ranks_[slot] = std::max(ranks_[slot], static_cast<std::uint8_t>(rank));
    }

    [[nodiscard]] double estimate() const {
        constexpr auto slots = static_cast<double>(std::size_t{1} << index_bits);
        double sum = 0;
        double empty = 0;
        for (const std::uint8_t rank : ranks_) {
            sum += std::ldexp(1.0, -rank);
            empty += rank == 0 ? 1 : 0;
        }
        const double raw = 0.7213 / (1 + 1.079 / slots) * slots * slots / sum;
        // Few keys leave slots empty, which then say more.
        return raw < 2.5 * slots && empty > 0 ? slots * std::log(slots / empty) : raw;
    }

private:
    static constexpr int index_bits = 16;
    std::array<std::uint8_t, std::size_t{1} << index_bits> ranks_{};
};

}  // namespace tsumugi::learn::data
