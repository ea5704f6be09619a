// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/threatmate.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/position.hpp"
#include "support/random_play.hpp"

namespace tsumugi::search::threatmate {
namespace {

using shogi::Color;
using shogi::Kind;
using shogi::Position;
using shogi::Setup;
using shogi::Square;

// Everything again by walking over the board, slowly and without the program's tables.
class SlowBoard {
public:
    explicit SlowBoard(const Setup& setup) : setup_(setup) {}

    [[nodiscard]] bool attacks(Square from, Square to) const {
        const shogi::Piece piece = setup_.at(from);
        if (piece.is_none() || from == to) return false;
        const int forward = piece.color() == Color::black ? -1 : 1;
        const int files = to.file() - from.file();
        const int ranks = (to.rank() - from.rank()) * forward;  // positive is ahead
        const int far = std::max(std::abs(files), std::abs(ranks));
        const bool straight = files == 0 || ranks == 0;
        const bool diagonal = std::abs(files) == std::abs(ranks);
        switch (piece.kind()) {
            case Kind::pawn: return files == 0 && ranks == 1;
            case Kind::lance: return files == 0 && ranks > 0 && open(from, to);
            case Kind::knight: return std::abs(files) == 1 && ranks == 2;
            case Kind::silver: return far == 1 && (diagonal || ranks == 1);
            case Kind::bishop: return diagonal && open(from, to);
            case Kind::rook: return straight && open(from, to);
            case Kind::horse: return far == 1 || (diagonal && open(from, to));
            case Kind::dragon: return far == 1 || (straight && open(from, to));
            case Kind::king: return far == 1;
            case Kind::none: return false;
            case Kind::gold:
            case Kind::pro_pawn:
            case Kind::pro_lance:
            case Kind::pro_knight:
            case Kind::pro_silver: return far == 1 && (straight || ranks == 1);
        }
        return false;
    }

    [[nodiscard]] int attackers(Color by, Square to, bool with_king = true) const {
        int count = 0;
        for (int i = 0; i < Square::count; ++i) {
            const Square from = Square::from_index(i);
            const shogi::Piece piece = setup_.at(from);
            if (piece.is_none() || piece.color() != by || (piece.kind() == Kind::king && !with_king)) continue;
            count += attacks(from, to) ? 1 : 0;
        }
        return count;
    }

    [[nodiscard]] std::vector<Square> around(Square center, int distance) const {
        std::vector<Square> squares;
        for (int i = 0; i < Square::count; ++i) {
            const Square s = Square::from_index(i);
            if (steps(s, center) <= distance && s != center) squares.push_back(s);
        }
        return squares;
    }

    [[nodiscard]] static int steps(Square a, Square b) {
        return std::max(std::abs(a.file() - b.file()), std::abs(a.rank() - b.rank()));
    }

private:
    [[nodiscard]] bool open(Square from, Square to) const {
        const auto sign = [](int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
        const int file_step = sign(to.file() - from.file());
        const int rank_step = sign(to.rank() - from.rank());
        int file = from.file() + file_step;
        int rank = from.rank() + rank_step;
        for (; file != to.file() || rank != to.rank(); file += file_step, rank += rank_step)
            if (!setup_.at(Square::at(file, rank)).is_none()) return false;
        return true;
    }

    const Setup& setup_;
};

bool is_general(Kind kind) { return kind == Kind::silver || shogi::moves_like_gold(kind); }

void count_siege(const Setup& after, Square king, Color us, Features& f) {
    const SlowBoard board(after);
    for (const Square s : board.around(king, 1)) {
        const int ours = board.attackers(us, s);
        const int guards = board.attackers(~us, s, false);
        const bool own = !after.at(s).is_none() && after.at(s).color() == ~us;
        f[Feature::attacked] += ours >= 1 ? 1 : 0;
        f[Feature::attacked_twice] += ours >= 2 ? 1 : 0;
        f[Feature::contacts] += ours >= 1 && guards == 0 ? 1 : 0;
        f[Feature::guarded] += guards >= 1 ? 1 : 0;
        f[Feature::escapes] += ours == 0 && !own ? 1 : 0;
    }
    f[Feature::no_escape] = f[Feature::escapes] > 0 ? 0 : 1;
    for (const Square s : board.around(king, 2)) {
        const shogi::Piece piece = after.at(s);
        if (piece.is_none()) continue;
        if (piece.color() == us)
            f[Feature::besiegers] += 1;
        else
            f[Feature::bodyguards] += is_general(piece.kind()) ? 1 : 0;
    }
}

Features slow_features(const Position& position, shogi::Move move) {
    const Color us = position.side_to_move();
    const Square king = position.king(~us);
    Position after = position;
    after.do_move(move);
    const Setup before_setup = position.setup();
    Setup setup = after.setup();
    Features f;
    f[Feature::promotes] = move.promotes() ? 1 : 0;
    f[Feature::drops] = move.is_drop() ? 1 : 0;
    f[kind_feature(setup.at(move.to()).kind())] = 1;
    f[Feature::distance] = SlowBoard::steps(move.to(), king);
    const SlowBoard board(setup);
    for (const Square s : board.around(king, 1))
        f[Feature::reached] += board.attacks(move.to(), s) ? 1 : 0;
    if (!move.is_drop()) {
        f[Feature::approach] = SlowBoard::steps(move.from(), king) - SlowBoard::steps(move.to(), king);
        f[Feature::captured] = shogi::exchange_value(before_setup.at(move.to()).kind()) / 1000.0;
        for (const Square s : board.around(king, 1))
            f[Feature::left] += SlowBoard(before_setup).attacks(move.from(), s) ? 1 : 0;
    }
    count_siege(setup, king, us, f);
    const auto held = [&](Kind kind) { return std::min(setup.hand(us).count(kind), 3); };
    f[Feature::pawns] = held(Kind::pawn);
    f[Feature::lances] = held(Kind::lance);
    f[Feature::knights] = held(Kind::knight);
    f[Feature::silvers] = held(Kind::silver);
    f[Feature::golds] = held(Kind::gold);
    f[Feature::bishops] = held(Kind::bishop);
    f[Feature::rooks] = held(Kind::rook);
    f[Feature::rank] = 9 - king.rank_for(~us);
    f[Feature::edge] = std::min(king.file() - 1, 9 - king.file());
    setup.side_to_move = us;
    Position passed = *Position::from(setup);
    shogi::MoveList moves;
    shogi::legal_moves(passed, moves);
    int checks = 0;
    for (const shogi::Move each : moves) {
        passed.do_move(each);
        checks += passed.in_check() ? 1 : 0;
        if (passed.in_check() && !shogi::has_legal_move(passed)) f[Feature::mate_in_one] = 1;
        passed.undo_move();
    }
    f[Feature::checks] = std::min(checks, 15);
    return f;
}

TEST(ThreatmateFeatures, AreWhatASlowCountOfTheBoardFinds) {
    int compared = 0;
    base::Random random(5);
    test::play_random_games(6, 160, 3, [&](Position& position) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        if (moves.empty()) return;
        const shogi::Move move = moves[random.below(moves.size())];
        if (!may_threaten(position, move)) return;
        const shogi::Key key = position.key();
        const Features fast = observe(position, move);
        EXPECT_EQ(position.key(), key) << "the position is left as it was";
        const Features slow = slow_features(position, move);
        for (std::size_t i = 0; i < feature_count; ++i)
            EXPECT_DOUBLE_EQ(fast.values()[i], slow.values()[i])
                << feature_names[i] << " of " << record::to_sfen(position.setup());
        ++compared;
    });
    EXPECT_GT(compared, 500);
}

// A gold in hand and a pawn before the king: Black's next move mates unless White does something.
constexpr const char* siege = "4k4/9/9/4P4/9/9/9/9/4K4 b G 1";

TEST(Threatmate, IsAQuietMoveAfterWhichThereIsMate) {
    Position position = test::position(siege);
    EXPECT_TRUE(may_threaten(position, test::usi("5d5c")));
    EXPECT_EQ(observe(position, test::usi("5d5c"))[Feature::mate_in_one], 1);
    EXPECT_EQ(observe(position, test::usi("5i5h"))[Feature::mate_in_one], 0);
    EXPECT_FALSE(may_threaten(position, test::usi("G*5b"))) << "a check threatens nothing: it must be answered";
    EXPECT_TRUE(threatens(position, test::usi("5d5c")));
    EXPECT_FALSE(threatens(position, test::usi("5i5h")));
    EXPECT_FALSE(threatens(position, test::usi("G*5b")));
}

TEST(Threatmate, IsRememberedAfterTheReply) {
    Position position = test::position(siege);
    EXPECT_FALSE(threatened(position)) << "nothing was played yet";
    for (const auto& [move, expected] : {std::pair{"5d5c", true}, {"5i5h", false}}) {
        position = test::position(siege);
        position.do_move(test::usi(move));
        EXPECT_FALSE(threatened(position));
        position.do_move(test::usi("5a4a"));
        const shogi::Key key = position.key();
        EXPECT_EQ(threatened(position), expected) << move;
        EXPECT_EQ(position.key(), key);
        EXPECT_EQ(position.history(), 2U);
        position.undo_move();
        position.do_null_move();
        EXPECT_EQ(threatened(position), expected) << "a pass answers nothing";
        position.undo_null_move();
    }
}

}  // namespace
}  // namespace tsumugi::search::threatmate
