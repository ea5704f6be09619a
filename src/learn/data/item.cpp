// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/item.hpp"

#include <algorithm>

namespace tsumugi::learn::data {

using base::Result;

int result_for(shogi::Color side, record::HcpeResult result) {
    switch (result) {
        case record::HcpeResult::draw: return 0;
        case record::HcpeResult::black_win: return side == shogi::Color::black ? 1 : -1;
        case record::HcpeResult::white_win: return side == shogi::Color::white ? 1 : -1;
    }
    std::abort();  // unreachable: the switch names every value
}

bool is_loud(const shogi::Position& position, shogi::Move best) {
    return !best.is_none() && (best.promotes() || position.is_capture(best));
}

Result<shogi::Position> position_of(const record::PackedSfenValue& value) {
    auto setup = record::from_packed_sfen(value.position);
    if (!setup) return setup.error();
    if (value.game_ply > 0) setup->move_number = value.game_ply;
    return shogi::Position::from(*setup);
}

std::uint64_t scored_positions(const Item& item) {
    if (std::holds_alternative<record::PackedSfenValue>(item)) return 1;
    const auto* game = std::get_if<record::ArchivedGame>(&item);
    if (game == nullptr) return 0;
    return static_cast<std::uint64_t>(std::count_if(game->plies.begin(), game->plies.end(),
                                                    [](const record::ArchivedPly& ply) { return ply.has_score(); }));
}

}  // namespace tsumugi::learn::data
