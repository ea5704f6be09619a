// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/hand_bound.hpp"

#include <algorithm>

namespace tsumugi::mate {
namespace {

using shogi::Hand;
using shogi::Kind;

template <typename Count>
Hand each_kind(Count count) {
    Hand hand;
    for (const Kind k : shogi::hand_kinds)
        if (const int n = count(k); n > 0) hand.add(k, n);
    return hand;
}

Kind gained(const shogi::Board& before, shogi::Move move) {
    if (move.is_drop()) return Kind::none;
    return shogi::unpromoted(before.piece_at(move.to()).kind());
}

}  // namespace

Hand larger_of_each(Hand a, Hand b) {
    if (a.covers(b)) return a;
    if (b.covers(a)) return b;
    return each_kind([&](Kind k) { return std::max(a.count(k), b.count(k)); });
}

Hand smaller_of_each(Hand a, Hand b) {
    if (a.covers(b)) return b;
    if (b.covers(a)) return a;
    return each_kind([&](Kind k) { return std::min(a.count(k), b.count(k)); });
}

Hand sum_of(Hand a, Hand b) { return Hand::from_bits(a.bits() + b.bits()); }

Hand hand_after(const shogi::Board& before, shogi::Move move, Hand hand) {
    if (move.is_drop())
        hand.remove(move.dropped());
    else if (const Kind k = gained(before, move); k != Kind::none)
        hand.add(k);
    return hand;
}

Hand hand_before(const shogi::Board& before, shogi::Move move, Hand after) {
    if (move.is_drop())
        after.add(move.dropped());
    else if (const Kind k = gained(before, move); k != Kind::none && after.has(k))
        after.remove(k);
    return after;
}

Hand withheld_from_defender(const shogi::Position& p) {
    if (p.checkers().empty() || p.checkers().more_than_one()) return {};
    const shogi::Color us = p.side_to_move();
    if (shogi::between(p.king(us), p.checkers().first()).empty()) return {};
    const Hand theirs = p.hand(~us);
    const Hand ours = p.hand(us);
    return each_kind([&](Kind k) { return ours.has(k) ? 0 : theirs.count(k); });
}

Hand without_new_kinds(const shogi::Position& p) {
    const Hand ours = p.hand(p.side_to_move());
    const Hand theirs = p.hand(~p.side_to_move());
    return each_kind([&](Kind k) { return ours.has(k) ? ours.count(k) + theirs.count(k) : 0; });
}

}  // namespace tsumugi::mate
