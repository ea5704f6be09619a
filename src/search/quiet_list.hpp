// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/raw_array.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::search {

// Quiet moves, taken best first. There are many, and as a rule few of them are wanted: looking for the best of the rest
// again each time, which vector instructions do at eight moves a step, is cheaper than sorting.
class QuietList {
public:
    // Of equals the one that was added first is the better.
    void add(shogi::Move move, int score) {
        moves_[size_] = move;
        keys_[size_] = key_of(score, size_);
        ++size_;
    }
    // Changes all scores: `change` gives what to add for a move.
    template <typename Change>
    void adjust(Change change) {
        for (std::size_t i = 0; i < size_; ++i)
            keys_[i] += change(moves_[i]) * places;
    }
    // To be called once when all have been added.
    void finish() {
        end_ = (size_ + step - 1) / step * step;
        std::fill(keys_.data() + size_, keys_.data() + end_, taken);
    }

    // Scores lie between this and its opposite.
    static constexpr int any_score = -(1 << 20);

    // The best of the rest, if it has so many points; otherwise none.
    shogi::Move take_best(int at_least = any_score) {
        int best = taken;
        for (std::size_t i = 0; i < end_; ++i)
            best = std::max(best, keys_[i]);
        if (best < at_least * places) return shogi::Move::none();
        const auto place = static_cast<std::size_t>(places - 1 - (best & (places - 1)));
        keys_[place] = taken;
        return moves_[place];
    }

private:
    // A key is a score with the place below it, so that the largest one tells everything.
    static constexpr int places = 1024;
    static constexpr int taken = std::numeric_limits<int>::min();
    static_assert(any_score * places > taken);
    static constexpr std::size_t step = 8;
    static constexpr std::size_t capacity = (shogi::MoveList::capacity + step - 1) / step * step;
    static_assert(capacity <= places);

    static int key_of(int score, std::size_t place) {
        assert(std::abs(score) < -any_score);
        return score * places + (places - 1 - static_cast<int>(place));
    }

    std::size_t size_ = 0;
    std::size_t end_ = 0;  // the size, filled up to whole steps
    base::RawArray<int, capacity> keys_;
    base::RawArray<shogi::Move, shogi::MoveList::capacity> moves_;
};

}  // namespace tsumugi::search
