// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/non_promotion.hpp"

#include <gtest/gtest.h>

#include "record/sfen.hpp"
#include "support/position.hpp"

namespace tsumugi::book {
namespace {

Entry entry_of(const char* sfen, const char* move, const char* reply) {
    Entry entry;
    entry.position = *record::parse_sfen(sfen);
    StoredMove stored;
    stored.move = test::usi(move);
    if (reply != nullptr) stored.reply = test::usi(reply);
    stored.value = 42;
    entry.moves.push_back(stored);
    return entry;
}

const char* const exchange = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";

TEST(NonPromotion, IsAddedWhereThePieceIsCapturedAtOnce) {
    Entry entry = entry_of(exchange, "8h2b+", "3a2b");
    EXPECT_EQ(add_equivalent_non_promotions(entry), 1U);
    ASSERT_EQ(entry.moves.size(), 2U);
    EXPECT_EQ(entry.moves[1].move, test::usi("8h2b"));
    EXPECT_EQ(entry.moves[1].value, 42);
    EXPECT_EQ(add_equivalent_non_promotions(entry), 0U) << "it is there now";
}

TEST(NonPromotion, LeadsToTheSamePositionAfterTheCapture) {
    Entry entry = entry_of(exchange, "8h2b+", "3a2b");
    add_equivalent_non_promotions(entry);
    std::string first;
    for (const StoredMove& stored : entry.moves) {
        auto position = *shogi::Position::from(entry.position);
        position.do_move(stored.move);
        position.do_move(stored.reply);
        if (first.empty()) first = position_text(position.setup());
        EXPECT_EQ(position_text(position.setup()), first);
    }
}

TEST(NonPromotion, IsNotAddedOtherwise) {
    for (Entry entry :
         {entry_of(exchange, "8h2b+", "8c8d"), entry_of(exchange, "8h2b+", nullptr), entry_of(exchange, "2g2f", "8c8d"),
          // A silver is often left unpromoted: a search has thought about it.
          entry_of("4k4/4g4/3S5/9/9/9/9/9/4K4 b - 1", "6c5b+", "5a5b"),
          // A pawn on the last rank has to promote.
          entry_of("3gk4/3P5/9/9/9/9/9/9/4K4 b - 1", "6b6a+", "5a6a")})
        EXPECT_EQ(add_equivalent_non_promotions(entry), 0U);
}

}  // namespace
}  // namespace tsumugi::book
