// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/verifier.hpp"

#include <algorithm>

#include "shogi/movegen.hpp"

namespace tsumugi::mate {

using shogi::Move;
using shogi::MoveList;
using shogi::Position;

void Verifier::defences(const Position& position, MoveList& moves) const {
    if (counting_ == Counting::without_futile && ends_but_for_futility(position)) return;
    shogi::legal_moves(position, moves);
}

const Verifier::Checked* Verifier::find(const Position& position, Plies limit) const {
    const auto board = boards_.find(position.board_key());
    if (board == boards_.end()) return nullptr;
    const Checked* best = nullptr;
    for (const Checked& c : board->second)
        if (c.length <= limit && position.hand(attacker_).covers(c.hand) &&
            (best == nullptr || c.length < best->length))
            best = &c;
    return best;
}

bool Verifier::verify(const Position& position, Plies limit) {
    position_ = position;
    steps_.clear();
    if (position.side_to_move() == attacker_) return enter(limit) && run();
    // The defender moves first: every one of his moves must be answered.
    if (!position.in_check()) return false;
    MoveList first;
    defences(position, first);
    for (const Move defence : first) {
        position_ = position;
        position_->do_move(defence);
        if (find(*position_, limit - 1) != nullptr) continue;
        if (!enter(limit - 1) || !run()) return false;
    }
    return true;
}

// Begins to check the present position, with the attacker to move.
bool Verifier::enter(Plies limit) {
    const std::optional<Claim> claim = guide_(*position_, limit);
    if (!claim || claim->length > limit || claim->length < 1) return false;
    if (!position_->is_legal(claim->move)) return false;
    Step step;
    step.board = position_->board_key();
    step.hand = position_->hand(attacker_);
    step.move = claim->move;
    step.limit = claim->length - 2;
    position_->do_move(claim->move);
    if (!position_->in_check()) return false;
    MoveList replies;
    defences(*position_, replies);
    step.defences.assign(replies.begin(), replies.end());
    steps_.push_back(std::move(step));
    return true;
}

bool Verifier::run() {
    while (true) {
        Step& step = steps_.back();
        if (step.defences.empty()) {
            boards_[step.board].push_back({step.hand, step.move, step.longest + 1});
            ++checked_;
            const Plies length = step.longest + 1;
            position_->undo_move();
            steps_.pop_back();
            if (steps_.empty()) return true;
            position_->undo_move();
            steps_.back().longest = std::max(steps_.back().longest, length + 1);
            continue;
        }
        const Move defence = step.defences.back();
        step.defences.pop_back();
        const Plies limit = step.limit;
        position_->do_move(defence);
        if (const Checked* known = find(*position_, limit)) {
            step.longest = std::max(step.longest, known->length + 1);
            position_->undo_move();
            continue;
        }
        if (!enter(limit)) return false;
    }
}

std::vector<Move> Verifier::line(const Position& position) const {
    std::vector<Move> moves;
    Position p = position;
    Plies limit = unlimited;
    while (true) {
        if (p.side_to_move() == attacker_) {
            const Checked* known = find(p, limit);
            if (known == nullptr) break;
            moves.push_back(known->move);
            limit = known->length - 1;
            p.do_move(known->move);
            continue;
        }
        MoveList replies;
        defences(p, replies);
        Move longest;
        Plies length = -1;
        for (const Move defence : replies) {
            p.do_move(defence);
            const Checked* known = find(p, unlimited);
            if (known != nullptr && known->length > length) {
                length = known->length;
                longest = defence;
            }
            p.undo_move();
        }
        if (length < 0) break;
        moves.push_back(longest);
        p.do_move(longest);
        --limit;
    }
    return moves;
}

}  // namespace tsumugi::mate
