// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

#include "base/result.hpp"
#include "record/archive.hpp"
#include "record/packed_sfen.hpp"
#include "shogi/position.hpp"

namespace tsumugi::learn::data {

// Where the games that follow come from, as JSON.
struct Provenance {
    std::string text;
    bool operator==(const Provenance&) const = default;
};

// What flows from files of training data into others. Single positions, of whatever format, are PackedSfenValues: they
// hold everything that any of the formats knows of a position.
using Item = std::variant<Provenance, record::ArchivedGame, record::PackedSfenValue>;

// The result of a game for one side: 1, 0 or -1.
int result_for(shogi::Color side, record::HcpeResult result);

// Does the best move capture or promote? What a position is worth then depends on more than what stands where.
bool is_loud(const shogi::Position& position, shogi::Move best);

// The position of a record, with the number of its move where that is known.
base::Result<shogi::Position> position_of(const record::PackedSfenValue& value);

// Calls visit(position, ply) before every move of a game; both may be changed by it as long as the position is
// restored.
template <typename Game, typename Visit>
base::Result<void> replay(Game& game, Visit&& visit) {
    auto position = shogi::Position::from(game.start);
    if (!position) return position.error();
    for (auto& ply : game.plies) {
        visit(*position, ply);
        position->do_move(ply.move);
    }
    return {};
}

// Calls use(PackedSfenValue), which returns a Result<void>, for every position of a game that has a score.
template <typename Use>
base::Result<void> for_each_position(const record::ArchivedGame& game, Use&& use) {
    base::Result<void> outcome;
    const auto replayed = replay(game, [&](const shogi::Position& position, const record::ArchivedPly& ply) {
        if (!ply.has_score() || !outcome) return;
        const auto packed = record::to_packed_sfen(position.setup());
        if (!packed) {
            outcome = packed.error();
            return;
        }
        outcome = use(
            record::PackedSfenValue{*packed, ply.score, ply.move, static_cast<std::uint16_t>(position.move_number()),
                                    static_cast<std::int8_t>(result_for(position.side_to_move(), game.result))});
    });
    return replayed ? outcome : replayed;
}

// Positions with a score.
std::uint64_t scored_positions(const Item& item);

}  // namespace tsumugi::learn::data
