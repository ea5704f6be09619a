// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/verifier.hpp"

#include <algorithm>
#include <cassert>

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
    Play play(*this, position);
    return play.longest_line();
}

Verifier::Play::Play(const Verifier& verifier, const Position& position) : verifier_(verifier), position_(position) {}

std::vector<Move> Verifier::Play::longest_line() {
    std::vector<Move> moves;
    if (position_.side_to_move() != verifier_.attacker_) {
        MoveList first;
        verifier_.defences(position_, first);
        const Move longest = longest_of({first.begin(), first.end()});
        if (longest.is_none()) return moves;
        moves.push_back(longest);
        position_.do_move(longest);
    } else {
        follow();
    }
    while (true) {
        const Followed& here = followed_.at(position_.key());
        moves.push_back(here.move);
        if (here.reply.is_none()) return moves;
        moves.push_back(here.reply);
        position_.do_move(here.move);
        position_.do_move(here.reply);
    }
}

// Of the defender's moves in the present position.
Move Verifier::Play::longest_of(const std::vector<Move>& defences) {
    Move longest;
    Plies length = -1;
    for (const Move defence : defences) {
        position_.do_move(defence);
        follow();
        if (const Plies found = followed_.at(position_.key()).length; found > length) {
            length = found;
            longest = defence;
        }
        position_.undo_move();
    }
    return longest;
}

// Everything below the present position, with the attacker to move. Checked lengths become smaller with every move, so
// it comes to an end.
void Verifier::Play::follow() {
    if (followed_.contains(position_.key())) return;
    enter();
    while (!steps_.empty()) {
        Step& step = steps_.back();
        if (!step.defences.empty()) {
            step.answered = step.defences.back();
            step.defences.pop_back();
            position_.do_move(step.answered);
            if (followed_.contains(position_.key()))
                leave();
            else
                enter();
            continue;
        }
        position_.undo_move();
        followed_[position_.key()] = step.found;
        steps_.pop_back();
        if (!steps_.empty()) leave();
    }
}

void Verifier::Play::enter() {
    Step step;
    const Checked* known = verifier_.find(position_, unlimited);
    assert(known != nullptr);  // more in the attacker's hand leaves the defender fewer moves, never others
    step.found.move = known->move;
    position_.do_move(step.found.move);
    MoveList replies;
    verifier_.defences(position_, replies);
    step.defences.assign(replies.begin(), replies.end());
    steps_.push_back(std::move(step));
}

// Back from the position after a defence, which is known now.
void Verifier::Play::leave() {
    const Plies length = followed_.at(position_.key()).length + 2;
    Step& step = steps_.back();
    if (length > step.found.length) {
        step.found.length = length;
        step.found.reply = step.answered;
    }
    position_.undo_move();
}

}  // namespace tsumugi::mate
