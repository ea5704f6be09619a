// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/quick.hpp"

#include "shogi/mate_one.hpp"

namespace tsumugi::mate {

using shogi::Move;
using shogi::MoveList;
using shogi::Position;

namespace {

// Can each defence against the check that was just given be answered by mate? Mates at once were looked for before.
bool every_defence_is_mated(Position& p, std::uint64_t& nodes) {
    MoveList defences;
    shogi::legal_moves(p, defences);
    for (const Move defence : defences) {
        ++nodes;
        p.do_move(defence);
        const bool mated = !shogi::mate_in_one(p).is_none();
        p.undo_move();
        if (!mated) return false;
    }
    return true;
}

}  // namespace

std::optional<Claim> quick_mate(const Position& position, std::uint64_t& nodes) {
    ++nodes;
    if (const Move at_once = shogi::mate_in_one(position); !at_once.is_none()) return Claim{at_once, 1};
    MoveList checks;
    shogi::checking_moves(position, checks);
    Position p = position;
    for (const Move check : checks) {
        ++nodes;
        p.do_move(check);
        const bool mates = every_defence_is_mated(p, nodes);
        p.undo_move();
        if (mates) return Claim{check, quick_plies};
    }
    return std::nullopt;
}

}  // namespace tsumugi::mate
