// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/game_position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/random.hpp"
#include "record/tool/game_line.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::experiment {
namespace {

using base::Error;
using base::Result;

// Nothing where the game is too short, or is over there.
std::optional<TestPosition> position_of(const record::tool::GameLine& game, const PositionChoice& choice,
                                        base::Random& random) {
    const std::vector<shogi::Move>& moves = game.moves;
    const auto last = std::min<std::int64_t>(choice.to_ply, static_cast<std::int64_t>(moves.size()));
    if (last < choice.from_ply) return std::nullopt;
    const auto ply = static_cast<std::size_t>(random.between(choice.from_ply, last));
    auto start = shogi::Position::from(game.start);
    if (!start) return std::nullopt;
    shogi::Position position = *std::move(start);
    std::optional<shogi::Position> before;
    for (std::size_t i = 0; i < ply; ++i) {
        if (i + 2 == ply) before = position;
        position.do_move(moves[i]);
    }
    if (!before || !shogi::has_legal_move(position)) return std::nullopt;
    return TestPosition{*std::move(before), std::move(position)};
}

}  // namespace

Result<std::vector<TestPosition>> take_positions(const PositionChoice& choice) {
    if (choice.games.empty())
        return Error{Error::Code::syntax, "no games to take positions from; name files or folders with --games"};
    auto games = record::tool::read_game_lines(choice.games);
    if (!games) return games.error();
    base::Random random(choice.seed);
    random.shuffle(std::span(*games));
    std::vector<TestPosition> positions;
    for (const record::tool::GameLine& game : *games) {
        if (positions.size() == choice.count) break;
        if (auto position = position_of(game, choice, random)) positions.push_back(*std::move(position));
    }
    // An interval needs two.
    if (positions.size() < 2)
        return Error{Error::Code::range, fmt::format("of {} games {} reach move {}; at least two must", games->size(),
                                                     positions.size(), choice.from_ply)};
    return positions;
}

}  // namespace tsumugi::experiment
