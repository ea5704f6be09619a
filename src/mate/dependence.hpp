// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tsumugi::mate {

// Which positions of the path, by their depth, a failure rests on: it assumes that coming back to them is no progress.
// A failure that rests on nothing holds everywhere; one that rests on a few holds wherever those are on the path, and
// one that rests on too many to name holds wherever the path begins with the same positions down to the last of them.
class Dependence {
public:
    static constexpr std::size_t most = 4;

    Dependence() = default;
    static Dependence on(int depth) {
        Dependence d;
        d.depths_[d.count_++] = static_cast<std::int16_t>(depth);
        return d;
    }
    // On something that no path can fulfil, such as the search having been cut off.
    static Dependence on_nothing_known() {
        Dependence d = on(-1);
        d.unknown_ = true;
        return d;
    }

    [[nodiscard]] bool none() const { return count_ == 0; }
    [[nodiscard]] bool unknown() const { return unknown_; }
    // Are there more positions than are named? The least depths always are.
    [[nodiscard]] bool many() const { return many_; }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] int operator[](std::size_t i) const { return depths_[i]; }
    // No position it rests on lies deeper than this, if there are many.
    [[nodiscard]] int last() const { return last_; }

    void merge(const Dependence& other) {
        unknown_ = unknown_ || other.unknown_;
        many_ = many_ || other.many_;
        last_ = std::max(last_, other.last_);
        for (std::size_t i = 0; i < other.count_; ++i)
            add(other.depths_[i]);
    }
    // The failure is now that of the position at `depth`, so what rested on itself (or on what lies below) rests on
    // nothing.
    void resolve(int depth) {
        const std::uint8_t before = count_;
        while (count_ > 0 && depths_[count_ - 1] >= depth)
            --count_;
        // Those not named lie no less deep than the last that is.
        if (count_ < before) many_ = false;
        last_ = many_ ? std::min(last_, static_cast<std::int16_t>(depth - 1)) : std::int16_t{-1};
    }
    // Is it easier to reuse than the other?
    [[nodiscard]] bool better_than(const Dependence& other) const {
        if (none() || other.none()) return none() && !other.none();
        if (unknown_ != other.unknown_) return !unknown_;
        if (many_ != other.many_) return !many_;
        if (count_ != other.count_) return count_ < other.count_;
        return depths_[0] > other.depths_[0];
    }

private:
    void add(std::int16_t depth) {
        // Ascending, so that the least depths are kept.
        const auto end = depths_.begin() + count_;
        const auto place = std::lower_bound(depths_.begin(), end, depth);
        if (place != end && *place == depth) return;
        if (count_ == most) {
            many_ = true;
            last_ = std::max({last_, depth, depths_.back()});
            if (place == end) return;
            std::move_backward(place, end - 1, end);
            *place = depth;
            return;
        }
        std::move_backward(place, end, end + 1);
        *place = depth;
        ++count_;
    }

    std::array<std::int16_t, most> depths_{};
    std::int16_t last_ = -1;
    std::uint8_t count_ = 0;
    bool many_ = false;
    bool unknown_ = false;
};

}  // namespace tsumugi::mate
