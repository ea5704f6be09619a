// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "record/game.hpp"
#include "shogi/position.hpp"
#include "think/player.hpp"

namespace tsumugi::app {

// What the engine found in one position of a game.
struct Finding {
    think::Score score;  // for the side to move
    int depth = 0;
    std::uint64_t nodes = 0;
    std::vector<shogi::Move> line;

    bool operator==(const Finding&) const = default;
};

// Positions of a game's main line: the start and the one after each move, as far as the moves are legal.
base::Result<std::vector<shogi::Position>> positions_of(const record::Game& game);

// Thinks about one position and keeps the last complete line.
Finding examine(think::Player& player, const shogi::Position& position, const think::Limits& limits,
                std::stop_token stop);

// How much of the winning chances a move gave away, by the steps at which people speak of a mistake.
enum class Grade { good, inaccuracy, dubious, mistake, blunder };
Grade grade_of(double loss);
// 緩手, 疑問手, 悪手, 大悪手; empty for a good move.
std::string_view grade_name(Grade grade);

struct Verdict {
    std::size_t ply = 0;  // of the move, from 1
    shogi::Color mover = shogi::Color::black;
    shogi::Move played;
    shogi::Move best;
    double before = 0;  // winning chances of the mover before and after, from 0 to 1
    double after = 0;
    Grade grade = Grade::good;

    [[nodiscard]] double loss() const { return before > after ? before - after : 0; }
};

// One verdict for every move between two findings.
std::vector<Verdict> judge(const std::vector<shogi::Position>& positions, const std::vector<Finding>& findings);

struct PlayerSummary {
    std::size_t moves = 0;
    std::size_t best = 0;                // moves the engine would have played too
    double total_loss = 0;               // of winning chances
    std::array<std::size_t, 5> count{};  // by grade

    [[nodiscard]] double mean_loss() const { return moves == 0 ? 0 : total_loss / static_cast<double>(moves); }
};
std::array<PlayerSummary, 2> summarize(const std::vector<Verdict>& verdicts);

// Writes findings and verdicts into the comments of the main line, in the way ShogiHome reads them, in place of those
// of an earlier analysis. Other comments stay.
void annotate(record::Game& game, const std::vector<shogi::Position>& positions, const std::vector<Finding>& findings,
              const std::vector<Verdict>& verdicts, const std::string& engine_name);

// A line of play as people write it: ▲７六歩△３四歩.
std::string line_text(const shogi::Position& position, const std::vector<shogi::Move>& line);

}  // namespace tsumugi::app
