// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/adjudication.hpp"

#include <cstdlib>

#include <fmt/format.h>

namespace tsumugi::arena {

using think::Score;

void Adjudicator::count(Row& row, const std::optional<Score>& score) const {
    const bool mating = score && score->kind == Score::Kind::mate && score->value > 0;
    const bool mated = score && score->kind == Score::Kind::mate && score->value <= 0;
    const std::optional<int> points =
        score && score->kind == Score::Kind::centipawns ? std::optional(score->value) : std::nullopt;
    const int far = settings_.resign ? settings_.resign->centipawns : 0;
    const int close = settings_.draw ? settings_.draw->centipawns : 0;
    const auto extend = [](int& length, bool goes_on) { length = goes_on ? length + 1 : 0; };
    extend(row.mating, mating);
    extend(row.mated, mated);
    extend(row.winning, mating || (points && *points >= far));
    extend(row.losing, mated || (points && *points <= -far));
    extend(row.level, points && std::abs(*points) <= close);
}

std::optional<Verdict> Adjudicator::after_move(shogi::Color mover, const std::optional<Score>& score, int move_number) {
    if (settings_.is_empty()) return std::nullopt;
    count(rows_[shogi::index(mover)], score);
    // A win is called only when the loser is to move: then records can say that he resigned.
    const Row& better = rows_[shogi::index(mover)];
    const Row& worse = rows_[shogi::index(~mover)];
    if (settings_.mate && better.mating >= settings_.mate->moves && worse.mated >= settings_.mate->moves)
        return Verdict{mover, Reason::adjudicated_mate, "both players announce it"};
    if (settings_.resign && better.winning >= settings_.resign->moves && worse.losing >= settings_.resign->moves)
        return Verdict{mover, Reason::adjudicated_resign,
                       fmt::format("beyond {} for {} moves", settings_.resign->centipawns, settings_.resign->moves)};
    if (settings_.draw && move_number >= settings_.draw->from_move && rows_[0].level >= settings_.draw->moves &&
        rows_[1].level >= settings_.draw->moves)
        return Verdict{std::nullopt, Reason::adjudicated_draw,
                       fmt::format("within {} for {} moves", settings_.draw->centipawns, settings_.draw->moves)};
    return std::nullopt;
}

}  // namespace tsumugi::arena
