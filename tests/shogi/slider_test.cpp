// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "shogi/slider/all.hpp"
#include "shogi/slider/fastest.hpp"
#include "shogi/slider/magic_finder.hpp"

namespace tsumugi::shogi::slider {
namespace {

std::string describe(Square s, const Bitboard& occupied) {
    return "square " + std::to_string(s.file()) + std::string(1, static_cast<char>('a' + s.rank() - 1)) +
           ", occupied " + std::to_string(occupied.low()) + " + " + std::to_string(occupied.high());
}

template <typename M>
class EveryMethod : public testing::Test {
protected:
    // Goes through `boards` by toggling what differs, as a game does, and compares all attacks on the way.
    static void agrees_with_walking(const std::vector<Bitboard>& boards) {
        typename M::Occupied occupied;
        PlainOccupied plain;
        int different = 0;
        for (const Bitboard& board : boards) {
            (plain.board() ^ board).for_each([&](Square s) {
                occupied.toggle(s);
                plain.toggle(s);
            });
            ASSERT_EQ(occupied.board(), board);
            for (int i = 0; i < Square::count; ++i) {
                const Square s = Square::from_index(i);
                if (!same(s, occupied, plain) && ++different <= 3)
                    ADD_FAILURE() << M::name << " is wrong: " << describe(s, board);
            }
        }
        EXPECT_EQ(different, 0);
    }

private:
    static bool same(Square s, const typename M::Occupied& o, const PlainOccupied& plain) {
        return M::rook(s, o) == RayWalk::rook(s, plain) && M::bishop(s, o) == RayWalk::bishop(s, plain) &&
               M::template lance<Color::black>(s, o) == RayWalk::lance<Color::black>(s, plain) &&
               M::template lance<Color::white>(s, o) == RayWalk::lance<Color::white>(s, plain);
    }
};

// The oracle itself is tested against counts below.
using TestedMethods = testing::Types<Rotated, MagicSimple, MagicFile, MagicTurnedFile, MagicVertical, Pext,
                                     BitArithmetic, BitArithmeticSse, BitArithmeticAvx2>;
TYPED_TEST_SUITE(EveryMethod, TestedMethods);

TYPED_TEST(EveryMethod, AgreesWithWalkingOnRandomBoardsOfEveryDensity) {
    // 1.7 million squares, each with all its attacks.
    base::Random random(20110607);
    std::vector<Bitboard> boards;
    for (int n = 0; n < 21'000; ++n) {
        const double density = 0.05 * (n % 21);
        Bitboard board;
        for (int i = 0; i < Square::count; ++i)
            if (random.chance(density)) board |= Bitboard::of(Square::from_index(i));
        boards.push_back(board);
    }
    this->agrees_with_walking(boards);
}

TYPED_TEST(EveryMethod, AgreesWithWalkingWhereBordersOfWordsAndBoardMatter) {
    std::vector<Bitboard> boards{Bitboard(), Bitboard::all()};
    for (int i = 0; i < Square::count; ++i) {
        boards.push_back(Bitboard::of(Square::from_index(i)));
        boards.push_back(~Bitboard::of(Square::from_index(i)));
    }
    // All choices of full files, and of full ranks: the file-major words end after file 7, the rank-major ones after
    // rank f.
    for (unsigned choice = 0; choice < 512; ++choice) {
        Bitboard files;
        Bitboard ranks;
        for (int n = 1; n <= 9; ++n) {
            if (((choice >> (n - 1)) & 1) == 0) continue;
            files |= file_set(n);
            ranks |= rank_set(n);
        }
        boards.push_back(files);
        boards.push_back(ranks);
        boards.push_back(files & ranks);
        boards.push_back(files ^ ranks);
    }
    this->agrees_with_walking(boards);
}

TYPED_TEST(EveryMethod, AgreesWithWalkingOnAThirdOfAllOccupationsOfEveryFileAndRank) {
    std::vector<Bitboard> boards;
    for (int line = 1; line <= 9; ++line)
        for (const Bitboard& set : {file_set(line), rank_set(line)})
            for_each_occupation(set, [&](const PlainOccupied& o) {
                if (o.board().count() % 3 == line % 3) boards.push_back(o.board());
            });
    this->agrees_with_walking(boards);
}

TEST(RayWalk, ReachesEverySquareOfItsLinesOnAnEmptyBoardAndStopsAtTheFirstPiece) {
    const PlainOccupied empty;
    PlainOccupied full;
    for (int i = 0; i < Square::count; ++i)
        full.toggle(Square::from_index(i));
    for (int i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        EXPECT_EQ(RayWalk::rook(s, empty), file_set(s.file()) ^ rank_set(s.rank()));
        EXPECT_EQ(RayWalk::lance<Color::black>(s, empty).count(), s.rank() - 1);
        EXPECT_EQ(RayWalk::lance<Color::white>(s, empty).count(), 9 - s.rank());
        const int files = (s.file() > 1 ? 1 : 0) + (s.file() < 9 ? 1 : 0);
        const int ranks = (s.rank() > 1 ? 1 : 0) + (s.rank() < 9 ? 1 : 0);
        EXPECT_EQ(RayWalk::rook(s, full).count(), files + ranks);
        EXPECT_EQ(RayWalk::bishop(s, full).count(), files * ranks);
    }
    EXPECT_EQ(RayWalk::bishop(Square::at(5, 5), empty).count(), 16);
    EXPECT_EQ(RayWalk::bishop(Square::at(1, 9), empty).count(), 8);
}

TEST(FastestMethod, IsOneTheInstructionSetSupports) { EXPECT_TRUE(is_native<Fastest>); }

TEST(Magic, NumbersAreFreeOfCollisionsForEveryPieceSquareAndLayout) {
    for (const Layout layout : {Layout::file_major, Layout::rank_major})
        for (const Movement movement : {Movement::rook, Movement::bishop, Movement::file})
            for (int i = 0; i < Square::count; ++i) {
                const Square s = Square::from_index(i);
                MagicFinder finder(layout, movement, s);
                EXPECT_TRUE(
                    finder.works(magic_sequence(layout, movement, s).candidate(magic_number(layout, movement, s))))
                    << static_cast<int>(layout) << ' ' << static_cast<int>(movement) << ' ' << i;
            }
}

TEST(MagicFinder, FindsTheRecordedNumbersAgain) {
    for (const Layout layout : {Layout::file_major, Layout::rank_major})
        for (const Movement movement : {Movement::bishop, Movement::file})
            for (int i = 0; i < Square::count; i += 8) {
                const Square s = Square::from_index(i);
                MagicFinder finder(layout, movement, s);
                const auto number = finder.find(magic_sequence(layout, movement, s), 200'000);
                ASSERT_TRUE(number.has_value()) << i;
                EXPECT_EQ(*number, magic_number(layout, movement, s)) << i;
            }
}

TEST(MagicFinder, KnowsHowManySquaresMatter) {
    EXPECT_EQ(MagicFinder(Layout::rank_major, Movement::rook, Square::at(1, 9)).relevant(), 14);
    EXPECT_EQ(MagicFinder(Layout::rank_major, Movement::rook, Square::at(5, 5)).relevant(), 12);
    EXPECT_EQ(MagicFinder(Layout::file_major, Movement::bishop, Square::at(5, 5)).relevant(), 12);
    EXPECT_EQ(MagicFinder(Layout::file_major, Movement::file, Square::at(5, 1)).relevant(), 7);
}

TEST(MagicFinder, RejectsFactorsThatMapEverythingToOneIndexAndGivesUpAtTheLimit) {
    MagicFinder finder(Layout::file_major, Movement::rook, Square::at(1, 9));
    EXPECT_FALSE(finder.works({0, 0}));
    EXPECT_FALSE(finder.find({1, 1}, 1000).has_value());
}

TEST(Layout, GivesEverySquareABitOfItsOwn) {
    Words all{};
    for (int i = 0; i < Square::count; ++i) {
        const Words mask = place(Layout::rank_major, Square::from_index(i)).mask();
        EXPECT_EQ((all[0] & mask[0]) | (all[1] & mask[1]), 0U);
        flip(all, mask);
    }
    EXPECT_EQ(std::popcount(all[0]), 54);
    EXPECT_EQ(std::popcount(all[1]), 27);
}

}  // namespace
}  // namespace tsumugi::shogi::slider
