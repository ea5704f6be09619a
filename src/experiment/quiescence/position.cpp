// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/quiescence/position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/random.hpp"
#include "record/tool/game_line.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::experiment::quiescence {
namespace {

using base::Error;
using base::Result;

std::optional<shogi::Position> position_of(const record::tool::GameLine& game, int from_ply, base::Random& random) {
    const auto last = static_cast<std::int64_t>(game.moves.size()) - 1;
    if (last < from_ply) return std::nullopt;
    const std::int64_t ply = random.between(from_ply, last);
    auto position = shogi::Position::from(game.start);
    if (!position) return std::nullopt;
    for (std::int64_t i = 0; i < ply; ++i)
        position->do_move(game.moves[static_cast<std::size_t>(i)]);
    return *std::move(position);
}

int danger_of(const shogi::Position& position, shogi::Color color) {
    const shogi::Square king = position.king(color);
    if (king.is_none()) return 0;
    int attacked = 0;
    shogi::within(king, 2).for_each([&](shogi::Square s) { attacked += position.is_attacked(~color, s) ? 1 : 0; });
    return attacked;
}

}  // namespace

Result<std::vector<shogi::Position>> sample_positions(const SampleChoice& choice) {
    if (choice.games.empty())
        return Error{Error::Code::syntax, "no games to take positions from; name files or folders with --games"};
    const auto games = record::tool::read_game_lines(choice.games, choice.count);
    if (!games) return games.error();
    base::Random random(choice.seed);
    std::vector<shogi::Position> positions;
    for (std::size_t before = positions.size(); positions.size() < choice.count; before = positions.size()) {
        for (const record::tool::GameLine& game : *games) {
            if (positions.size() == choice.count) break;
            if (auto position = position_of(game, choice.from_ply, random)) positions.push_back(*std::move(position));
        }
        if (positions.size() == before)
            return Error{Error::Code::range,
                         fmt::format("none of {} games goes on after move {}", games->size(), choice.from_ply)};
    }
    return positions;
}

int progress_of(const shogi::Position& position) {
    return std::min(most_progress,
                    std::max(danger_of(position, shogi::Color::black), danger_of(position, shogi::Color::white)));
}

}  // namespace tsumugi::experiment::quiescence
