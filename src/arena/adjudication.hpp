// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "arena/verdict.hpp"
#include "think/player.hpp"

namespace tsumugi::arena {

// When a game may be ended early because both players agree about it. What only one of them believes never counts.
struct AdjudicationSettings {
    // One side stands this badly in both players' eyes, for so many moves of each.
    struct Resign {
        int centipawns = 3000;
        int moves = 3;
    };
    // Both players see a score this close to zero, for so many moves of each, from a move number on.
    struct Draw {
        int centipawns = 10;
        int moves = 20;
        int from_move = 160;
    };
    // Both players announce a mate by the same side, for so many moves of each.
    struct Mate {
        int moves = 1;
    };

    std::optional<Resign> resign;
    std::optional<Draw> draw;
    std::optional<Mate> mate;

    [[nodiscard]] bool is_empty() const { return !resign && !draw && !mate; }
};

// Watches the scores of one game.
class Adjudicator {
public:
    explicit Adjudicator(const AdjudicationSettings& settings) : settings_(settings) {}

    // After a move by `mover`, with the score he gave for himself; no score breaks every row.
    std::optional<Verdict> after_move(shogi::Color mover, const std::optional<think::Score>& score, int move_number);

private:
    // Rows of moves in one player's eyes.
    struct Row {
        int winning = 0;
        int losing = 0;
        int level = 0;
        int mating = 0;
        int mated = 0;
    };

    void count(Row& row, const std::optional<think::Score>& score) const;

    AdjudicationSettings settings_;
    std::array<Row, 2> rows_{};
};

}  // namespace tsumugi::arena
