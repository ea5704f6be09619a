// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/search.hpp"

#include <algorithm>

#include "mate/hand_bound.hpp"

namespace tsumugi::mate {

using shogi::Bitboard;
using shogi::Hand;
using shogi::Key;
using shogi::Kind;
using shogi::Move;
using shogi::MoveList;
using shogi::Square;

namespace {

// The side that moves chooses the child with the least of one number; the other number adds up over all children.
Number& chosen_number(Numbers& n, bool attacking) { return attacking ? n.proof : n.disproof; }
Number& combined_number(Numbers& n, bool attacking) { return attacking ? n.disproof : n.proof; }

Numbers larger(Numbers a, Numbers b) { return {std::max(a.proof, b.proof), std::max(a.disproof, b.disproof)}; }

// A move without promotion joins its sibling with it once that one has become this hard to prove. Problems about
// pawn-drop mates turn on such moves, and refuting the stronger-looking one first may take a hundred million nodes.
constexpr Number hard_enough = 4;

constexpr std::uint64_t nodes_between_checks = 64;
constexpr std::uint64_t checks_between_sizings = 16;

}  // namespace

Numbers Search::run(const shogi::Position& root, shogi::Color attacker, Plies limit, Counting counting,
                    Budget& budget) {
    position_ = root;
    attacker_ = attacker;
    counting_ = counting;
    nodes_ = 0;
    patience_ = 0;
    open(position_.board_key(), position_.hand(attacker_), {infinite, infinite}, limit);
    std::uint64_t reported = 0;
    std::uint64_t checks = 0;
    while (true) {
        if (nodes_ - reported >= nodes_between_checks) {
            const bool go_on = budget.spend(nodes_ - reported);
            reported = nodes_;
            if (!go_on || (++checks % checks_between_sizings == 0 && table_.crowded())) break;
        }
        const Frame& frame = frames_.back();
        if (!frame.numbers.settled() && frame.numbers.proof < frame.threshold.proof &&
            frame.numbers.disproof < frame.threshold.disproof) {
            descend();
            continue;
        }
        if (frames_.size() == 1) break;
        close();
    }
    budget.spend(nodes_ - reported);
    while (frames_.size() > 1)
        close();
    Frame top = frames_.back();
    close();
    top.rests_on.resolve(0);
    const bool cut_off = top.numbers.disproven() && !top.rests_on.none();
    return cut_off ? Numbers{} : top.numbers;
}

void Search::open(Key board, Hand hand, Numbers threshold, Plies limit) {
    ++nodes_;
    Frame frame;
    frame.board = board;
    frame.hand = hand;
    frame.threshold = threshold;
    frame.limit = limit;
    frame.begin = children_.size();
    frame.nodes_before = nodes_ - 1;
    frame.patience = patience_;
    frame.attacking = position_.side_to_move() == attacker_;
    const Knowledge known = table_.find(board, hand, limit);
    frame.known = known.known;
    path_.push(board, hand);
    if (known.numbers.settled()) {
        // Another thread was faster.
        frame.numbers = known.numbers;
        frame.length = known.length;
        frame.bound = known.hand;
        frame.move = known.move;
        frames_.push_back(frame);
        return;
    }
    if (!known.known) patience_ = 0;
    frames_.push_back(frame);
    expand(frames_.back());
}

void Search::expand(Frame& frame) {
    if (!frame.attacking && counting_ == Counting::without_futile && ends_but_for_futility(position_)) {
        frame.numbers = Numbers::mate();
        frame.length = 0;
        frame.bound = frame.hand;
        return;
    }
    MoveList moves;
    if (frame.attacking)
        shogi::checking_moves(position_, moves);
    else
        shogi::legal_moves(position_, moves);
    add_children(frame, moves);
    defer(frame);
    bool any_old = false;
    for (std::size_t i = frame.begin; i < children_.size(); ++i) {
        Child& child = children_[i];
        if (!child.active) continue;
        evaluate(frame, child, !frame.known);
        if (chosen_number(child.numbers, frame.attacking) == 0 && child.rests_on.none()) break;
        any_old |= child.old && !child.numbers.settled();
        wake_followers(frame, i);
    }
    if (any_old) ++patience_;
    update(frame);
    if (patience_ > 0 && !frame.numbers.settled()) {
        frame.threshold.proof = std::max(frame.threshold.proof, frame.numbers.proof + 1);
        frame.threshold.disproof = std::max(frame.threshold.disproof, frame.numbers.disproof + 1);
    }
}

void Search::add_children(Frame& frame, const MoveList& moves) {
    Bitboard gap;
    if (const Bitboard checkers = position_.checkers(); !frame.attacking && checkers.any() && !checkers.more_than_one())
        gap = shogi::between(position_.king(~attacker_), checkers.first());
    for (const Move move : moves) {
        Child child;
        child.move = move;
        child.interposes = gap.has(move.to());
        child.board = board_after(move);
        child.hand = frame.attacking ? hand_after(position_, move, frame.hand) : frame.hand;
        table_.prefetch(child.board);
        children_.push_back(child);
    }
}

// Some moves are so alike that one of them is looked at first and the others wait: drops of different kinds on one
// square until it has failed, and moves without promotion, where only a forbidden pawn-drop mate can make the weaker
// piece better, until it has failed or become hard to prove. Nothing is left out, only put off.
void Search::defer(const Frame& frame) {
    const std::size_t begin = frame.begin;
    const std::size_t count = children_.size() - begin;
    const auto put_behind = [&](std::size_t first, std::size_t second) {
        while (children_[begin + first].next != 0)
            first = children_[begin + first].next - 1U;
        children_[begin + first].next = static_cast<std::uint16_t>(second + 1);
        children_[begin + second].active = false;
    };
    std::array<std::uint16_t, Square::count> first_drop{};  // number + 1
    for (std::size_t i = 0; i < count; ++i) {
        const Move move = children_[begin + i].move;
        if (move.is_drop()) {
            if (frame.attacking) continue;
            std::uint16_t& first = first_drop[move.to().slot()];
            if (first != 0)
                put_behind(first - 1U, i);
            else
                first = static_cast<std::uint16_t>(i + 1);
            continue;
        }
        if (move.promotes()) continue;
        const Kind kind = position_.piece_at(move.from()).kind();
        if (kind != Kind::pawn && kind != Kind::bishop && kind != Kind::rook) continue;
        const Move promoting = Move::board(move.from(), move.to(), true);
        for (std::size_t j = 0; j < count; ++j)
            if (children_[begin + j].move == promoting) put_behind(j, i);
    }
}

// Lets the siblings that waited for this child join in, one after another as long as each of them has reason to.
void Search::wake_followers(const Frame& frame, std::size_t index) {
    while (children_[index].next != 0) {
        Numbers numbers = children_[index].numbers;
        const bool failed = combined_number(numbers, frame.attacking) == 0;
        if (!failed && !(frame.attacking && numbers.proof >= hard_enough)) return;
        index = frame.begin + children_[index].next - 1U;
        if (children_[index].active) return;
        children_[index].active = true;
        evaluate(frame, children_[index], true);
    }
}

Key Search::board_after(Move move) const {
    const auto& on_board = shogi::zobrist.on_board;
    const shogi::Color us = position_.side_to_move();
    Key key = position_.board_key() ^ shogi::Zobrist::white_to_move;
    const std::size_t to = move.to().slot();
    if (move.is_drop()) return key ^ on_board[shogi::Piece(us, move.dropped()).slot()][to];
    const shogi::Piece piece = position_.piece_at(move.from());
    const shogi::Piece after = move.promotes() ? shogi::Piece(us, shogi::promoted(piece.kind())) : piece;
    key ^= on_board[piece.slot()][move.from().slot()] ^ on_board[after.slot()][to];
    if (const shogi::Piece taken = position_.piece_at(move.to()); !taken.is_none()) key ^= on_board[taken.slot()][to];
    return key;
}

void Search::evaluate(const Frame& frame, Child& child, bool look) {
    const Plies limit = after_one(frame.limit);
    const int depth = path_.depth();
    const auto fail = [&](const Dependence& rests_on, Plies length) {
        child.numbers = Numbers::no_mate();
        child.bound = child.hand;
        child.rests_on = rests_on;
        child.length = static_cast<std::uint16_t>(length);
    };
    if (depth >= deepest) return fail(Dependence::on_nothing_known(), limit);
    if (const int head = path_.find(child.board, child.hand); head != no_repetition)
        return fail(Dependence::on(head), limit);
    const Knowledge known = table_.find(child.board, child.hand, limit);
    child.numbers = known.numbers;
    if (known.numbers.settled()) {
        child.length = static_cast<std::uint16_t>(known.length);
        child.bound = known.hand;
        return;
    }
    child.old = known.known && known.depth < depth;
    if (known.cyclic)
        if (const auto loop = loops_.find(child.board, child.hand, limit, path_)) return fail(*loop, limit);
    if (known.known) return;
    child.numbers = larger(known.numbers, estimate(frame, child.move));
    if (frame.attacking) {
        if (limit > 0) return;
        // The last move allowed: it mates or it fails.
        position_.do_move(child.move);
        const bool mated = !shogi::has_legal_move(position_);
        const Hand bound = mated ? withheld_from_defender(position_) : child.hand;
        position_.undo_move();
        if (!mated && !ends_by_futility(child.move)) return fail({}, 0);
        child.numbers = Numbers::mate();
        child.bound = bound;
        child.length = 0;
        return;
    }
    if (limit < 1) return fail({}, 0);
    if (look) look_ahead(child, limit);
}

// Before an attacker's position is searched: has he a check at all, does one of them mate?
void Search::look_ahead(Child& child, Plies limit) {
    position_.do_move(child.move);
    MoveList checks;
    shogi::checking_moves(position_, checks);
    if (checks.empty()) {
        child.numbers = Numbers::no_mate();
        child.bound = without_new_kinds(position_);
        child.length = unlimited;
        table_.store_no_mate(child.board, child.bound, unlimited, 1);
    } else {
        const shogi::MateTest<shogi::Position> test(position_);
        for (const Move move : checks) {
            const bool mated = test.is_mate(move);
            if (!mated && !ends_by_futility(move)) continue;
            child.numbers = Numbers::mate();
            child.bound = child.hand;
            if (mated) {
                position_.do_move(move);
                const Hand withheld = withheld_from_defender(position_);
                position_.undo_move();
                child.bound = hand_before(position_, move, withheld);
            }
            child.length = 1;
            table_.store_mate(child.board, child.bound, 1, move, 1);
            break;
        }
        if (!child.numbers.settled() && limit == 1) {
            child.numbers = Numbers::no_mate();
            child.bound = child.hand;
            child.length = 1;
            table_.store_no_mate(child.board, child.bound, 1, 1);
        }
    }
    position_.undo_move();
}

// Does this check end the problem by custom, though interpositions are left?
bool Search::ends_by_futility(Move check) {
    if (counting_ == Counting::every_move) return false;
    position_.do_move(check);
    const Square king = position_.king(position_.side_to_move());
    const bool from_afar = shogi::between(king, position_.checkers().first()).any();
    const bool ends = from_afar && ends_but_for_futility(position_);
    position_.undo_move();
    return ends;
}

// How hard a position not yet searched is likely to be.
Numbers Search::estimate(const Frame& frame, Move move) const {
    const shogi::Color us = position_.side_to_move();
    const Square to = move.to();
    if (frame.attacking) {
        const Square king = position_.king(~us);
        Bitboard ours = position_.attackers(us, to);
        if (!move.is_drop()) ours = ours.without(Bitboard::of(move.from()));
        const bool guarded = ours.any();
        const Bitboard theirs = position_.attackers(~us, to).without(Bitboard::of(king));
        Numbers n{1, 1};
        if (!guarded && shogi::king_steps(king).has(to)) n.proof += 1;
        if (theirs.any()) n.proof += 1;
        if (position_.is_capture(move) && n.proof > 1) n.proof -= 1;
        return n;
    }
    if (move.is_drop()) return {1, 2};
    return {position_.is_capture(move) ? Number{2} : Number{1}, 1};
}

void Search::update(Frame& frame) {
    if (!frame.numbers.settled()) frame.open = frame.numbers;
    const bool attacking = frame.attacking;
    Number best = infinite;
    Number second = infinite;
    Number best_other = 0;
    Number most = 0;
    Number count = 0;
    Number interpositions = 0;
    bool decided = false;
    for (std::size_t i = frame.begin; i < children_.size(); ++i) {
        Child& child = children_[i];
        if (!child.active) continue;
        const Number choice = chosen_number(child.numbers, attacking);
        const Number combined = combined_number(child.numbers, attacking);
        if (choice == 0) decided = true;
        if (combined == 0) continue;
        ++(child.interposes ? interpositions : count);
        most = std::max(most, combined);
        // Every other thread prefers the last of equals where the rest prefer the first.
        const bool tie_won = combined < best_other || (combined == best_other && number_ % 2 == 1);
        if (choice < best || (choice == best && tie_won)) {
            second = best;
            best = choice;
            best_other = combined;
            frame.chosen = i;
        } else {
            second = std::min(second, choice);
        }
    }
    if (decided) return settle_by_one(frame);
    // Interpositions are answered much alike: together they count as one move more. At first, though, their number says
    // how far off the check is, and so how little to hope for.
    const Number all = count + interpositions;
    if (all == 0) return settle_by_all(frame);
    frame.second = second;
    frame.others = count + std::min<Number>(interpositions, 1) - 1;
    chosen_number(frame.numbers, attacking) = best;
    combined_number(frame.numbers, attacking) =
        std::min(std::max(most + frame.others, interpositions > 0 ? all : 0), infinite - 1);
}

// The mover has a move that settles the position his way.
void Search::settle_by_one(Frame& frame) {
    const Child* best = nullptr;
    for (std::size_t i = frame.begin; i < children_.size(); ++i) {
        Child& child = children_[i];
        if (!child.active || chosen_number(child.numbers, frame.attacking) != 0) continue;
        const bool better = best == nullptr || (frame.attacking ? child.length < best->length
                                                                : child.rests_on.better_than(best->rests_on));
        if (better) best = &child;
    }
    frame.length = before_one(best->length);
    frame.rests_on = best->rests_on;
    if (frame.attacking) {
        frame.numbers = Numbers::mate();
        frame.move = best->move;
        frame.bound = hand_before(position_, best->move, best->bound);
    } else {
        frame.numbers = Numbers::no_mate();
        const Hand all = sum_of(position_.hand(attacker_), position_.hand(~attacker_));
        frame.bound = smaller_of_each(best->bound, all);
    }
}

// Every move of the mover has failed.
void Search::settle_by_all(Frame& frame) {
    frame.rests_on = {};
    if (frame.attacking) {
        frame.numbers = Numbers::no_mate();
        frame.length = unlimited;
        frame.bound = without_new_kinds(position_);
        for (std::size_t i = frame.begin; i < children_.size(); ++i) {
            const Child& child = children_[i];
            frame.bound = smaller_of_each(frame.bound, hand_before(position_, child.move, child.bound));
            frame.rests_on.merge(child.rests_on);
            frame.length = std::min(frame.length, before_one(child.length));
        }
        return;
    }
    frame.numbers = Numbers::mate();
    frame.length = 0;
    frame.bound = withheld_from_defender(position_);
    for (std::size_t i = frame.begin; i < children_.size(); ++i) {
        const Child& child = children_[i];
        frame.bound = larger_of_each(frame.bound, child.bound);
        frame.length = std::max(frame.length, before_one(child.length));
    }
}

void Search::descend() {
    Frame& frame = frames_.back();
    Child& child = children_[frame.chosen];
    Numbers threshold = frame.threshold;
    Number& choice = chosen_number(threshold, frame.attacking);
    Number& combined = combined_number(threshold, frame.attacking);
    // A little more than the rival's number: without that, equal rivals would take turns for every single step.
    choice = std::min(choice, frame.second + frame.second / 8 + 1);
    if (combined < infinite) combined -= std::min(combined, frame.others);
    const Plies limit = after_one(frame.limit);
    position_.do_move(child.move);
    open(child.board, child.hand, threshold, limit);
}

void Search::close() {
    Frame& frame = frames_.back();
    const int depth = path_.depth() - 1;
    const std::uint64_t work = nodes_ - frame.nodes_before;
    frame.rests_on.resolve(depth);
    if (frame.numbers.proven()) {
        table_.store_mate(frame.board, frame.bound, frame.length, frame.move, work);
    } else if (frame.numbers.disproven() && frame.rests_on.none()) {
        table_.store_no_mate(frame.board, frame.bound, frame.length, work);
    } else if (frame.numbers.disproven()) {
        if (!frame.rests_on.unknown()) loops_.store(frame.board, frame.hand, frame.limit, frame.rests_on, path_);
        table_.store_open(frame.board, frame.hand, frame.open, depth, true, work);
    } else {
        table_.store_open(frame.board, frame.hand, frame.numbers, depth, false, work);
    }
    patience_ = std::min(patience_, frame.patience);
    const Frame closed = frame;
    children_.resize(closed.begin);
    frames_.pop_back();
    path_.pop();
    if (frames_.empty()) return;
    position_.undo_move();
    Frame& parent = frames_.back();
    Child& child = children_[parent.chosen];
    child.numbers = closed.numbers;
    child.old = false;
    if (closed.numbers.settled()) {
        child.bound = closed.rests_on.none() ? closed.bound : child.hand;
        child.rests_on = closed.rests_on;
        child.length = static_cast<std::uint16_t>(closed.length);
    }
    wake_followers(parent, parent.chosen);
    update(parent);
}

}  // namespace tsumugi::mate
