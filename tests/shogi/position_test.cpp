// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of positions and generators over random games, each against a slower and simpler way to the same answer.
#include "shogi/position.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "shogi/mate_one.hpp"
#include "shogi/see.hpp"
#include "support/data.hpp"
#include "support/position.hpp"
#include "support/random_play.hpp"

namespace tsumugi::shogi {
namespace {

using test::play_random_games;
using test::position;
using test::usi;

std::vector<Move> sorted(const MoveList& list) {
    std::vector<Move> moves(list.begin(), list.end());
    std::sort(moves.begin(), moves.end());
    return moves;
}

TEST(Position, RemembersExactlyWhatAFreshOneWouldCompute) {
    play_random_games(30, 300, 1, [](Position& p) {
        const Position fresh = *Position::from(p.setup());
        EXPECT_EQ(p.board_key(), fresh.board_key());
        EXPECT_EQ(p.hand_key(), fresh.hand_key());
        EXPECT_EQ(p.checkers(), fresh.checkers());
        EXPECT_EQ(p.pinned(), fresh.pinned());
        EXPECT_EQ(p.golds(), fresh.golds());
        EXPECT_EQ(p.king_steppers(), fresh.king_steppers());
        EXPECT_EQ(p.occupied(), p.all());
    });
}

TEST(Position, IsTheSameAfterEveryMoveAndItsUndo) {
    play_random_games(10, 200, 2, [](Position& p) {
        const auto before = p.setup();
        const Key key = p.key();
        MoveList moves;
        legal_moves(p, moves);
        for (const Move m : moves) {
            const Key expected = p.key_after(m);
            p.do_move(m);
            EXPECT_EQ(p.key(), expected);
            p.undo_move();
        }
        EXPECT_EQ(p.setup(), before);
        EXPECT_EQ(p.key(), key);
        EXPECT_EQ(p.occupied(), p.all());
        if (p.in_check()) return;
        p.do_null_move();
        EXPECT_NE(p.key(), key);
        EXPECT_EQ(p.key() ^ key, Zobrist::white_to_move);
        p.undo_null_move();
        EXPECT_EQ(p.setup(), before);
    });
}

TEST(Position, KnowsBeforehandWhichMovesGiveCheck) {
    play_random_games(30, 300, 3, [](Position& p) {
        MoveList moves;
        legal_moves(p, moves);
        MoveList checks;
        checking_moves(p, checks);
        const CheckView<Position> view(p);
        std::vector<Move> expected;
        for (const Move m : moves) {
            const bool foretold = p.gives_check(m);
            EXPECT_EQ(view.gives_check(m), foretold) << record::to_sfen(p.setup()) << ' ' << record::to_usi(m);
            p.do_move(m);
            EXPECT_EQ(foretold, p.in_check()) << record::to_usi(m);
            EXPECT_FALSE(p.is_attacked(p.side_to_move(), p.king(~p.side_to_move())))
                << "left in check by " << record::to_usi(m);
            if (p.in_check()) expected.push_back(m);
            p.undo_move();
        }
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(sorted(checks), expected) << record::to_sfen(p.setup());
    });
}

TEST(Position, IsTheSameWhenAMoveIsKnownToGiveNoCheck) {
    play_random_games(10, 200, 9, [](Position& p) {
        MoveList moves;
        legal_moves(p, moves);
        for (const Move m : moves) {
            if (p.gives_check(m)) continue;
            p.do_move(m);
            const State looked = p.state();
            p.undo_move();
            p.do_move(m, false);
            const State& told = p.state();
            EXPECT_EQ(told.checkers, looked.checkers);
            EXPECT_EQ(told.pinned, looked.pinned);
            EXPECT_EQ(told.checks_in_a_row, looked.checks_in_a_row);
            EXPECT_EQ(p.key(), looked.board_key + looked.hand_key);
            p.undo_move();
        }
    });
}

TEST(Position, FindsTheAttackersOfBothSidesAtOnce) {
    play_random_games(10, 200, 10, [](Position& p) {
        for (int i = 0; i < Square::count; ++i) {
            const Square s = Square::from_index(i);
            EXPECT_EQ(p.attackers(s, p.occupancy()), p.attackers(Color::black, s) | p.attackers(Color::white, s));
        }
    });
}

TEST(Position, AcceptsAmongAllBitPatternsExactlyTheLegalMoves) {
    int visited = 0;
    play_random_games(20, 300, 4, [&](Position& p) {
        if (++visited % 20 != 0) return;
        MoveList moves;
        legal_moves(p, moves);
        std::vector<Move> accepted;
        for (int bits = 0; bits < 65536; ++bits)
            if (const Move m = Move::from_bits(static_cast<std::uint16_t>(bits)); p.is_legal(m)) accepted.push_back(m);
        EXPECT_EQ(accepted, sorted(moves)) << record::to_sfen(p.setup());
    });
    EXPECT_GT(visited, 2000);
}

template <MoveSet set>
void add(const Position& p, MoveList& list) {
    ListSink sink(list);
    generate<set, Promotion::all>(p, sink);
}

TEST(MoveSets, TogetherAreTheLegalMovesOnceKingStepsAreTested) {
    play_random_games(20, 300, 5, [](Position& p) {
        MoveList parts;
        if (p.in_check()) {
            add<MoveSet::evasions>(p, parts);
        } else {
            add<MoveSet::tactical>(p, parts);
            for (const Move m : parts)
                EXPECT_TRUE(p.is_tactical(m));
            const std::size_t tactical = parts.size();
            add<MoveSet::quiets>(p, parts);
            for (std::size_t i = tactical; i < parts.size(); ++i)
                EXPECT_FALSE(p.is_tactical(parts[i]) || parts[i].is_drop());
            const std::size_t board = parts.size();
            add<MoveSet::drops>(p, parts);
            for (std::size_t i = board; i < parts.size(); ++i)
                EXPECT_TRUE(parts[i].is_drop());
        }
        MoveList tested;
        for (const Move m : parts) {
            EXPECT_TRUE(p.is_pseudo_legal(m)) << record::to_usi(m);
            if (p.leaves_king_safe(m)) tested.add(m);
        }
        MoveList legal;
        legal_moves(p, legal);
        EXPECT_EQ(sorted(tested), sorted(legal));
        EXPECT_EQ(count_legal_moves(p), static_cast<int>(legal.size()));
    });
}

Move mate_by_trying(Position& p) {
    MoveList moves;
    legal_moves(p, moves);
    for (const Move m : moves) {
        p.do_move(m);
        const bool mate = p.in_check() && !has_legal_move(p);
        p.undo_move();
        if (mate) return m;
    }
    return Move::none();
}

TEST(MateInOne, IsFoundExactlyWhenTryingEveryMoveFindsOne) {
    int mates = 0;
    play_random_games(400, 400, 6, [&](Position& p) {
        const Move found = mate_in_one(p);
        const Move expected = mate_by_trying(p);
        EXPECT_EQ(found.is_none(), expected.is_none()) << record::to_sfen(p.setup());
        if (found.is_none()) return;
        ++mates;
        ASSERT_TRUE(p.is_legal(found));
        p.do_move(found);
        EXPECT_TRUE(p.in_check() && !has_legal_move(p));
        p.undo_move();
    });
    EXPECT_GT(mates, 500);
}

TEST(MateInOne, JudgesEveryCheckLikePlayingIt) {
    play_random_games(100, 400, 7, [](Position& p) {
        MoveList checks;
        checking_moves(p, checks);
        const MateTest<Position> test(p);
        for (const Move m : checks) {
            const bool foretold = test.is_mate(m);
            p.do_move(m);
            const bool mate = !has_legal_move(p);
            p.undo_move();
            EXPECT_EQ(foretold, mate) << record::to_sfen(p.setup()) << ' ' << record::to_usi(m);
        }
    });
}

TEST(MateInOne, AgreesWithASharedTable) {
    const auto table = test::shared_data("tsume/game-mate01.tsv");
    if (table.empty()) GTEST_SKIP() << "the shared data is not beside this checkout";
    int rows = 0;
    for (const auto& row : test::read_table(table)) {
        EXPECT_EQ(!mate_in_one(position(row[1])).is_none(), row[2] == "1") << row[0] << ' ' << row[1];
        ++rows;
    }
    EXPECT_GT(rows, 2000);
}

// The whole exchange, by recursion over the cheapest recapture on a real board.
int exchange_by_search(const Position& p, Square to, Color side, Kind standing, Position::Occupied occupied,
                       Bitboard gone) {
    const Bitboard all =
        (p.attackers(Color::black, to, occupied) | p.attackers(Color::white, to, occupied)).without(gone);
    const Bitboard takers = all & p.pieces(side);
    Kind cheapest = Kind::none;
    Square from = Square::none();
    takers.for_each([&](Square s) {
        const Kind kind = p.piece_at(s).kind();
        if (cheapest == Kind::none || exchange_value(kind) < exchange_value(cheapest)) {
            cheapest = kind;
            from = s;
        }
    });
    if (cheapest == Kind::none || (cheapest == Kind::king && all.intersects(p.pieces(~side)))) return 0;
    occupied.toggle(from);
    return std::max(
        0, exchange_value(standing) - exchange_by_search(p, to, ~side, cheapest, occupied, gone | Bitboard::of(from)));
}

TEST(Exchange, ThresholdTestAgreesWithTheRecursiveValue) {
    play_random_games(20, 300, 8, [](Position& p) {
        MoveList moves;
        legal_moves(p, moves);
        for (const Move m : moves) {
            Kind standing = p.piece_to_move(m).kind();
            int gain = exchange_value(p.piece_at(m.to()).kind());
            if (m.promotes()) {
                gain += exchange_value(promoted(standing)) - exchange_value(standing);
                standing = promoted(standing);
            }
            Position::Occupied occupied = p.occupancy();
            if (p.piece_at(m.to()).is_none()) occupied.toggle(m.to());
            Bitboard gone;
            if (!m.is_drop()) {
                occupied.toggle(m.from());
                gone = Bitboard::of(m.from());
            }
            const int value = gain - exchange_by_search(p, m.to(), ~p.side_to_move(), standing, occupied, gone);
            EXPECT_TRUE(exchange_gains(p, m, value))
                << record::to_sfen(p.setup()) << ' ' << record::to_usi(m) << ' ' << value;
            EXPECT_FALSE(exchange_gains(p, m, value + 1))
                << record::to_sfen(p.setup()) << ' ' << record::to_usi(m) << ' ' << value;
        }
    });
}

TEST(Setup, ThatCannotBePlayedIsRefusedWithTheReason) {
    const auto reason = [](const char* sfen) { return Position::from(*record::parse_sfen(sfen)).error().message; };
    EXPECT_EQ(reason("9/9/9/9/9/9/9/9/9 b - 1"), "no king: at least one side must have one");
    EXPECT_EQ(reason("4k4/9/9/9/9/9/9/9/3KK4 b - 1"), "2 black kings");
    EXPECT_EQ(reason("4k3P/9/9/9/9/9/9/9/4K4 b - 1"), "a black pawn on 1a could never move");
    EXPECT_EQ(reason("4k4/9/9/9/9/8P/8P/9/4K4 b - 1"), "two black pawns on file 1");
    EXPECT_EQ(reason("4k4/9/9/9/9/9/9/9/2RRRK3 b - 1"), "3 rooks, but a set has 2");
    EXPECT_EQ(reason("4k4/9/9/9/4R4/9/9/9/3K5 b - 1"), "the side that is not to move stands in check");
}

TEST(Setup, WithoutTheAttackersKingCanBePlayed) {
    Position p = position("8k/9/8P/9/9/9/9/9/9 b G 1");
    EXPECT_EQ(mate_in_one(p), usi("G*1b"));
    p.do_move(usi("G*1b"));
    EXPECT_FALSE(has_legal_move(p));
    p.undo_move();
    EXPECT_EQ(p.king(Color::black), Square::none());
}

TEST(Hand, CoversAnotherWhenItHoldsAtLeastAsMuchOfEverything) {
    Hand more;
    more.add(Kind::pawn, 3);
    more.add(Kind::rook);
    Hand less;
    less.add(Kind::pawn, 2);
    EXPECT_TRUE(more.covers(less));
    EXPECT_FALSE(less.covers(more));
    EXPECT_TRUE(more.covers(more));
    Hand other;
    other.add(Kind::gold);
    EXPECT_FALSE(more.covers(other));
    EXPECT_FALSE(other.covers(more));
    for (const Kind kind : hand_kinds) {
        Hand full;
        full.add(kind, full_set_count(kind));
        EXPECT_EQ(full.count(kind), full_set_count(kind));
        EXPECT_TRUE(full.covers(Hand()));
        EXPECT_FALSE(Hand().covers(full));
    }
}

}  // namespace
}  // namespace tsumugi::shogi
