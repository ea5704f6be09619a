// SPDX-License-Identifier: GPL-3.0-or-later
// The rules against tables of known verdicts.
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "shogi/declaration.hpp"
#include "shogi/perft.hpp"
#include "support/data.hpp"
#include "support/position.hpp"

namespace tsumugi::shogi {
namespace {

using test::position;
using test::usi;

// Plays a list of USI moves that must all be legal.
void play(Position& p, const std::string& moves) {
    std::istringstream in(moves);
    for (std::string text; in >> text;) {
        ASSERT_TRUE(p.is_legal(usi(text))) << text << " in " << moves;
        p.do_move(usi(text));
    }
}

TEST(Perft, AgreesWithPublishedCounts) {
    const auto rows = test::read_table(test::own_data("rules/perft.tsv"));
    ASSERT_GT(rows.size(), 20U);
    for (const auto& row : rows) {
        Position p = position(row[1]);
        EXPECT_EQ(perft(p, std::stoi(row[2])), std::stoull(row[3])) << row[0] << " depth " << row[2];
    }
}

TEST(Perft, PlayingTheLastPlyGivesTheSameCount) {
    Position p = position("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1");
    EXPECT_EQ(perft(p, 2, false), perft(p, 2, true));
    EXPECT_EQ(perft(p, 2, false), 28684U);
}

void expect_counts(const std::filesystem::path& table) {
    for (const auto& row : test::read_table(table)) {
        const Position p = position(row[0]);
        MoveList moves;
        legal_moves(p, moves);
        EXPECT_EQ(moves.size(), std::stoul(row[1])) << row[0];
        EXPECT_EQ(count_legal_moves(p), std::stoi(row[1])) << row[0];
        if (row.size() < 3) continue;
        MoveList checks;
        checking_moves(p, checks);
        EXPECT_EQ(checks.size(), std::stoul(row[2])) << row[0];
    }
}

TEST(LegalMoves, CountsAgreeWithATableOfRandomGames) { expect_counts(test::own_data("rules/legal-counts.tsv")); }

TEST(LegalMoves, CountsAgreeWithTheWholeSharedTables) {
    for (const char* name : {"rules/legal-counts.tsv", "rules/legal-counts-shogiops.tsv"}) {
        const auto table = test::shared_data(name);
        if (table.empty()) GTEST_SKIP() << "the shared data is not beside this checkout";
        expect_counts(table);
    }
}

// The published lists leave pointless non-promotions out and keep pawn-drop mates in.
TEST(LegalMoves, SensibleListsAgreeMoveByMoveWithASharedTable) {
    const auto table = test::shared_data("rules/nshogi-pruned-moves.txt");
    if (table.empty()) GTEST_SKIP() << "the shared data is not beside this checkout";
    std::istringstream in(test::read_file(table));
    std::string sfen;
    std::string listed;
    int rows = 0;
    while (std::getline(in, sfen) && std::getline(in, listed)) {
        const Position p = position(sfen);
        MoveList moves;
        legal_moves(p, moves, Promotion::sensible);
        std::vector<std::string> ours;
        for (const Move m : moves)
            ours.push_back(record::to_usi(m));
        std::vector<std::string> theirs;
        std::istringstream words(listed);
        std::string word;
        words >> word;  // the count
        while (words >> word)
            if (const Move m = usi(word); !(m.is_drop() && m.dropped() == Kind::pawn && !p.is_legal(m)))
                theirs.push_back(word);
        std::sort(ours.begin(), ours.end());
        std::sort(theirs.begin(), theirs.end());
        EXPECT_EQ(ours, theirs) << sfen;
        ++rows;
    }
    EXPECT_EQ(rows, 5000);
}

TEST(DropPawnMate, IsIllegalAndOtherDropsAreJudgedByTheTable) {
    const auto rows = test::read_table(test::own_data("rules/drop-legality.tsv"));
    ASSERT_GT(rows.size(), 80U);
    for (const auto& row : rows)
        EXPECT_EQ(position(row[0]).is_legal(usi(row[1])), row[2] == "legal") << row[0] << ' ' << row[1];
}

TEST(IllegalLastMove, IsRefusedAfterALegalGame) {
    for (const auto& row : test::read_table(test::own_data("rules/illegal-last-move.tsv"))) {
        Position p = row[1] == "startpos" ? Position::even() : position(row[1]);
        const auto last = row[2].rfind(' ');
        play(p, row[2].substr(0, last));
        EXPECT_FALSE(p.is_legal(usi(row[2].substr(last + 1)))) << row[0];
    }
}

TEST(Repetition, IsJudgedByTheTable) {
    const auto rows = test::read_table(test::own_data("rules/repetition.tsv"));
    ASSERT_GE(rows.size(), 7U);
    for (const auto& row : rows) {
        Position p = position(row[0]);
        play(p, row[1]);
        const bool black = p.side_to_move() == Color::black;
        const Repetition expected = row[2] == "none"          ? Repetition::none
                                    : row[2] == "draw"        ? Repetition::draw
                                    : row[2] == "black-loses" ? (black ? Repetition::loss : Repetition::win)
                                                              : (black ? Repetition::win : Repetition::loss);
        EXPECT_EQ(p.game_repetition(), expected) << row[3];
    }
}

TEST(Repetition, CountsOccurrencesAndIsSeenAtOnceBySearch) {
    Position p = Position::even();
    EXPECT_EQ(p.occurrences(), 1);
    play(p, "2h3h 8b7b 3h2h 7b8b");
    EXPECT_EQ(p.occurrences(), 2);
    EXPECT_EQ(p.game_repetition(), Repetition::none);
    EXPECT_EQ(p.search_repetition(16), Repetition::draw);
    EXPECT_EQ(p.search_repetition(2), Repetition::none) << "the first occurrence is farther back than asked";
}

// In both, Black gives a pawn away while the kings walk in circles.
TEST(Repetition, WithLessInHandIsInferior) {
    Position p = position("4k4/9/9/9/9/9/9/9/K8 b P 1");
    play(p, "P*5b 5a5b 9i9h 5b4b 9h9i 4b5a");
    EXPECT_EQ(p.search_repetition(16), Repetition::inferior);
    EXPECT_EQ(p.game_repetition(), Repetition::none);
}

TEST(Repetition, WithMoreInHandIsSuperior) {
    Position p = position("9/5k3/9/9/9/9/9/9/K8 w P 1");
    play(p, "4b5a P*5b 5a5b 9i9h 5b4b 9h9i");
    EXPECT_EQ(p.search_repetition(16), Repetition::superior);
}

TEST(Declaration, Of27PointsIsJudgedByTheTable) {
    const auto rows = test::read_table(test::own_data("rules/declaration-27.tsv"));
    ASSERT_GE(rows.size(), 10U);
    for (const auto& row : rows) {
        const Position p = position(row[0]);
        EXPECT_EQ(can_declare_win(p, p.in_check(), EnteringKingRule::points27), row[1] == "yes")
            << row[2] << ' ' << row[0];
        EXPECT_FALSE(can_declare_win(p, p.in_check(), EnteringKingRule::none));
    }
}

TEST(Declaration, Of24PointsNeedsThirtyOne) {
    // 28 points: enough by the 27-point rule only.
    const std::string board = "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L";
    const Position p28 = position(board + "8Pb4p 1");
    EXPECT_EQ(declaration_points(p28, Color::black), 28);
    EXPECT_TRUE(can_declare_win(p28, false, EnteringKingRule::points27));
    EXPECT_FALSE(can_declare_win(p28, false, EnteringKingRule::points24));
    const Position p31 = position(board + "11Pbp 1");
    EXPECT_EQ(declaration_points(p31, Color::black), 31);
    EXPECT_TRUE(can_declare_win(p31, false, EnteringKingRule::points24));
}

// Ten points in camp; what is neither on the board nor in a hand was given as handicap.
TEST(Declaration, GivesWhiteTheHandicapPointsBack) {
    const std::string board = "K8/9/9/9/9/9/+p+p+p+p+p+p+p+p+p/4k4/3g5 w ";
    const Position enough = position(board + "2R2B4L3N 1");
    EXPECT_EQ(declaration_points(enough, Color::white), 10);
    EXPECT_TRUE(can_declare_win(enough, false, EnteringKingRule::points27_handicap));
    EXPECT_FALSE(can_declare_win(enough, false, EnteringKingRule::points27));
    EXPECT_FALSE(can_declare_win(enough, false, EnteringKingRule::points24_handicap));
    EXPECT_TRUE(can_declare_win(position(board + "2R2B3L 1"), false, EnteringKingRule::points24_handicap));
    EXPECT_FALSE(can_declare_win(position(board + "2R2B4L4N 1"), false, EnteringKingRule::points27_handicap));
}

TEST(TryRule, IsAKingStepToTheOpponentsHomeSquare) {
    EXPECT_EQ(try_move(position("9/4K4/9/9/9/9/9/9/k8 b - 1")), usi("5b5a"));
    EXPECT_TRUE(try_move(position("3r5/4K4/9/9/9/9/9/9/k8 b - 1")).is_none()) << "the square is attacked";
    EXPECT_TRUE(try_move(position("9/9/4K4/9/9/9/9/9/k8 b - 1")).is_none()) << "too far away";
    EXPECT_EQ(try_move(position("K8/9/9/9/9/9/9/4k4/9 w - 1")), usi("5h5i"));
}

TEST(InitialPositions, AreAllPlayable) {
    for (const auto& row : test::read_table(test::own_data("rules/initial-positions.tsv")))
        EXPECT_GT(count_legal_moves(position(row[1])), 0) << row[0];
}

}  // namespace
}  // namespace tsumugi::shogi
