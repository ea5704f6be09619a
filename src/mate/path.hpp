// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shogi/hand.hpp"
#include "shogi/zobrist.hpp"

namespace tsumugi::mate {

constexpr int no_repetition = 0x7fff;

// The positions from the root down to where the search stands, to find repetitions without walking all the way back.
class Path {
public:
    Path() { newest_.fill(-1); }

    [[nodiscard]] int depth() const { return static_cast<int>(steps_.size()); }
    void push(shogi::Key board, shogi::Hand hand) {
        int& newest = newest_[slot(board)];
        const shogi::Key before = steps_.empty() ? 0 : steps_.back().way;
        const shogi::Key here = board ^ (hand.bits() * 0x9e3779b97f4a7c15ULL);
        steps_.push_back({board, hand, newest, (before ^ here) * 0xd1342543de82ef95ULL});
        newest = depth() - 1;
    }
    void pop() {
        newest_[slot(steps_.back().board)] = steps_.back().older;
        steps_.pop_back();
    }
    [[nodiscard]] shogi::Key board(int depth) const { return steps_[static_cast<std::size_t>(depth)].board; }
    [[nodiscard]] shogi::Hand hand(int depth) const { return steps_[static_cast<std::size_t>(depth)].hand; }
    // Names the positions down to this depth, in their order.
    [[nodiscard]] shogi::Key way(int depth) const { return steps_[static_cast<std::size_t>(depth)].way; }
    // The depth of an earlier position with this board in which the attacker held no less, or no_repetition. Coming
    // back to it is no progress: whatever mates from here would have mated from there, sooner.
    [[nodiscard]] int find(shogi::Key board, shogi::Hand hand) const {
        for (int i = newest_[slot(board)]; i >= 0; i = steps_[static_cast<std::size_t>(i)].older) {
            const Step& step = steps_[static_cast<std::size_t>(i)];
            if (step.board == board && step.hand.covers(hand)) return i;
        }
        return no_repetition;
    }

private:
    struct Step {
        shogi::Key board;
        shogi::Hand hand;
        int older;  // another step in the same slot, or -1
        shogi::Key way;
    };

    static constexpr std::size_t slots = 4096;
    static std::size_t slot(shogi::Key board) { return (board >> 20) % slots; }

    std::vector<Step> steps_;
    std::array<int, slots> newest_;
};

}  // namespace tsumugi::mate
