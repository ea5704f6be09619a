// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shogi/slider/layout.hpp"
#include "shogi/slider/movement.hpp"

namespace tsumugi::shogi::slider {

// Candidates are drawn from a numbered sequence, so a magic is known by its number and its sequence alone.
struct MagicSequence {
    std::uint64_t seed = 0;
    int ands = 3;  // uniform random words joined by "and" in each factor; 3 finds soonest

    [[nodiscard]] Words candidate(std::uint64_t number) const;
};

// Searches magics for one piece on one square. Two ways of occupying the relevant squares may share an index
// only if the attacks are the same.
class MagicFinder {
public:
    MagicFinder(Layout layout, Movement movement, Square s);

    // The number of the first candidate that works, below `limit`.
    std::optional<std::uint64_t> find(const MagicSequence& sequence, std::uint64_t limit);
    bool works(const Words& factor);
    [[nodiscard]] int relevant() const { return relevant_; }

private:
    struct Occupation {
        Words words;
        std::uint32_t attacks;  // number of the set of attacked squares among the different ones
    };
    // A slot counts as free unless it was written in the current trial: nothing has to be cleared between trials.
    struct Slot {
        std::uint32_t trial = 0;
        std::uint32_t attacks = 0;
    };

    int relevant_;
    std::vector<Occupation> occupations_;
    std::vector<Slot> slots_;
    std::uint32_t trial_ = 0;
};

}  // namespace tsumugi::shogi::slider
