// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "shogi/mate_one.hpp"
#include "shogi/position.hpp"
#include "shogi/see.hpp"

// Does a move that gives no check threaten mate, so that the opponent cannot afford to pass (詰めろ)? Only a mate
// solver knows; a logistic model over what can be seen at a glance guesses (docs/experiments/quiescence.md).

namespace tsumugi::search::threatmate {

// What is looked at. The ring are the up to eight squares around the king that is threatened, and everything is counted
// after the move unless it says otherwise.
enum class Feature : std::size_t {
    captured,        // value of what the move captures, in thousands
    promotes,        //
    drops,           //
    pawn,            // the piece that moved, as it stands now; one of these eight is 1
    lance,           //
    knight,          //
    silver,          //
    gold,            // and everything that moves like it
    bishop,          // promoted or not
    rook,            // promoted or not
    king,            //
    reached,         // squares of the ring that the piece attacks
    left,            // and did attack before
    distance,        // of the piece from the king, in steps of a king
    approach,        // by how much that was more before; none for a drop
    attacked,        // squares of the ring that we attack
    attacked_twice,  // by two pieces or more
    contacts,        // that we attack and nobody but the king defends
    escapes,         // that the king could step to
    no_escape,       // 1 if there is none
    guarded,         // that are defended by others than the king
    bodyguards,      // golds and silvers of theirs within two steps
    besiegers,       // pieces of ours within two steps
    pawns,           // that we hold, at most three
    lances,          //
    knights,         //
    silvers,         //
    golds,           //
    bishops,         //
    rooks,           //
    rank,            // of the king, 0 on its own back rank
    edge,            // steps from the king to the nearer edge
    checks,          // that we could give if the opponent passed, at most fifteen
    mate_in_one,     // 1 if one of them is mate
};
constexpr std::size_t feature_count = static_cast<std::size_t>(Feature::mate_in_one) + 1;
constexpr std::array<std::string_view, feature_count> feature_names{
    "captured",     "promotes",   "drops",          "pawn",        "lance",        "knight",       "silver",
    "gold",         "bishop",     "rook",           "king",        "reached",      "left",         "distance",
    "approach",     "attacked",   "attacked twice", "contacts",    "escapes",      "no escape",    "guarded",
    "bodyguards",   "besiegers",  "pawns held",     "lances held", "knights held", "silvers held", "golds held",
    "bishops held", "rooks held", "rank",           "edge",        "checks",       "mate in one",
};

class Features {
public:
    double& operator[](Feature feature) { return values_[static_cast<std::size_t>(feature)]; }
    double operator[](Feature feature) const { return values_[static_cast<std::size_t>(feature)]; }
    [[nodiscard]] const std::array<double, feature_count>& values() const { return values_; }

private:
    std::array<double, feature_count> values_{};
};

// The feature that says what kind of piece it was.
constexpr Feature kind_feature(shogi::Kind kind) {
    using shogi::Kind;
    switch (kind) {
        case Kind::pawn: return Feature::pawn;
        case Kind::lance: return Feature::lance;
        case Kind::knight: return Feature::knight;
        case Kind::silver: return Feature::silver;
        case Kind::bishop:
        case Kind::horse: return Feature::bishop;
        case Kind::rook:
        case Kind::dragon: return Feature::rook;
        case Kind::king: return Feature::king;
        case Kind::none:
        case Kind::gold:
        case Kind::pro_pawn:
        case Kind::pro_lance:
        case Kind::pro_knight:
        case Kind::pro_silver: break;
    }
    return Feature::gold;
}

constexpr int steps_between(shogi::Square a, shogi::Square b) {
    return std::max(std::abs(a.file() - b.file()), std::abs(a.rank() - b.rank()));
}

constexpr int most_held = 3;
constexpr int most_checks = 15;

// The position after the move, seen by the side that made it: what does it have around the king?
template <typename P>
void observe_siege(const P& position, Features& f) {
    using shogi::Bitboard;
    using shogi::Kind;
    const shogi::Color them = position.side_to_move();
    const shogi::Color us = ~them;
    const shogi::Square king = position.king(them);
    const Bitboard& own = position.pieces(them);
    const Bitboard& guard = Bitboard::of(king);
    shogi::king_steps(king).for_each([&](shogi::Square s) {
        const Bitboard attackers = position.attackers(us, s);
        const bool guarded = position.attackers(them, s).without(guard).any();
        f[Feature::attacked] += attackers.any();
        f[Feature::attacked_twice] += attackers.more_than_one();
        f[Feature::contacts] += attackers.any() && !guarded;
        f[Feature::guarded] += guarded;
        f[Feature::escapes] += attackers.empty() && !own.has(s);
    });
    f[Feature::no_escape] = f[Feature::escapes] == 0;
    const Bitboard& near = shogi::within(king, 2);
    f[Feature::bodyguards] = (own & near & (position.golds() | position.pieces(Kind::silver))).count();
    f[Feature::besiegers] = (position.pieces(us) & near).count();
    const shogi::Hand hand = position.hand(us);
    const auto held = [&](Feature feature, Kind kind) { f[feature] = std::min(hand.count(kind), most_held); };
    held(Feature::pawns, Kind::pawn);
    held(Feature::lances, Kind::lance);
    held(Feature::knights, Kind::knight);
    held(Feature::silvers, Kind::silver);
    held(Feature::golds, Kind::gold);
    held(Feature::bishops, Kind::bishop);
    held(Feature::rooks, Kind::rook);
    f[Feature::rank] = them == shogi::Color::black ? 9 - king.rank() : king.rank() - 1;
    f[Feature::edge] = std::min(king.file() - 1, 9 - king.file());
}

// The features of a legal move that gives no check, in the position before it, which is left as it was.
template <typename P>
Features observe(P& position, shogi::Move move) {
    const shogi::Square king = position.king(~position.side_to_move());
    const shogi::Bitboard& ring = shogi::king_steps(king);
    const shogi::Kind kind = position.piece_to_move(move).kind();
    const int distance = steps_between(move.to(), king);
    Features f;
    f[Feature::promotes] = move.promotes();
    f[Feature::drops] = move.is_drop();
    f[kind_feature(move.promotes() ? shogi::promoted(kind) : kind)] = 1;
    f[Feature::distance] = distance;
    if (!move.is_drop()) {
        f[Feature::captured] = shogi::exchange_value(position.piece_at(move.to()).kind()) / 1000.0;
        f[Feature::left] = (position.attacks_from(move.from()) & ring).count();
        f[Feature::approach] = steps_between(move.from(), king) - distance;
    }
    position.do_move(move);
    f[Feature::reached] = (position.attacks_from(move.to()) & ring).count();
    observe_siege(position, f);
    position.do_null_move();
    shogi::CountSink checks;
    shogi::generate_checks(position, checks);
    f[Feature::checks] = std::min(checks.count(), most_checks);
    f[Feature::mate_in_one] = checks.count() > 0 && !shogi::mate_in_one(position).is_none();
    position.undo_null_move();
    position.undo_move();
    return f;
}

// Probability = 1 / (1 + exp(-score)).
struct Model {
    double bias;
    std::array<double, feature_count> weights;

    [[nodiscard]] constexpr double score(const std::array<double, feature_count>& values) const {
        double sum = bias;
        for (std::size_t i = 0; i < feature_count; ++i)
            sum += weights[i] * values[i];
        return sum;
    }
};

// What `tsumugi train threatmate` made of games: threatmate_model.cpp says of which.
extern const Model own_model;

// Can the question be asked at all? A check is answered at once, and there must be a king to mate.
template <typename P>
bool may_threaten(const P& position, shogi::Move move) {
    return !position.king(~position.side_to_move()).is_none() && !position.gives_check(move);
}

// More likely than not, does the move threaten mate?
template <typename P>
bool threatens(P& position, shogi::Move move, const Model& model = own_model) {
    return may_threaten(position, move) && model.score(observe(position, move).values()) > 0;
}

// The same question about the move that the side to move made last, two plies ago. The position is left as it was.
template <typename P>
bool threatened(P& position, const Model& model = own_model) {
    if (position.history() < 2) return false;
    const shogi::Move reply = position.state(0).move;
    const shogi::Move move = position.state(1).move;
    if (move.is_none()) return false;
    const auto back = [&](shogi::Move m) { m.is_none() ? position.undo_null_move() : position.undo_move(); };
    back(reply);
    back(move);
    const bool answer = threatens(position, move, model);
    position.do_move(move);
    if (reply.is_none())
        position.do_null_move();
    else
        position.do_move(reply);
    return answer;
}

}  // namespace tsumugi::search::threatmate
