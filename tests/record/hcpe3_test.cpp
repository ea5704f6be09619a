// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/hcpe3.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"
#include "support/damage.hpp"

namespace tsumugi::record {
namespace {

ArchivedGame random_game(std::uint64_t seed, int plies) {
    base::Random random(seed);
    ArchivedGame game;
    auto position = *shogi::Position::from(game.start);
    for (int i = 0; i < plies; ++i) {
        shogi::MoveList legal;
        shogi::legal_moves(position, legal);
        if (legal.empty()) break;
        ArchivedPly ply{legal[random.below(legal.size())]};
        if (i % 3 != 0) ply.score = static_cast<std::int16_t>(random.between(-32000, 32000));
        game.plies.push_back(ply);
        position.do_move(ply.move);
    }
    return game;
}

base::Result<std::size_t> read(const std::string& bytes, ArchivedGame& game) {
    return read_hcpe3({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, game);
}

TEST(Hcpe3, LaysOutAGameAsDlshogiDoes) {
    ArchivedGame game;
    game.result = HcpeResult::white_win;
    game.plies.push_back({*parse_usi_move("7g7f"), 100});
    game.plies.push_back({*parse_usi_move("3c3d"), ArchivedPly::no_score});
    std::string bytes;
    ASSERT_TRUE(append_hcpe3(game, bytes));
    ASSERT_EQ(bytes.size(), 36U + 6 + 4 + 6);
    const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<std::uint8_t>(bytes[i])); };
    const auto word = [&](std::size_t i) { return at(i) | at(i + 1) << 8; };
    EXPECT_EQ(word(32), 2U) << "moves";
    EXPECT_EQ(at(34), 2U) << "White won";
    EXPECT_EQ(at(35), 0U);
    const unsigned first = to_apery_move(game.plies[0].move);
    EXPECT_EQ(word(36), first);
    EXPECT_EQ(word(38), 100U);
    EXPECT_EQ(word(40), 1U) << "one candidate";
    EXPECT_EQ(word(42), first);
    EXPECT_EQ(word(44), 1U) << "visited once";
    EXPECT_EQ(word(46), to_apery_move(game.plies[1].move));
    EXPECT_EQ(word(50), 0U) << "nothing to learn from";
}

TEST(Hcpe3, GivesBackWhatWasStored) {
    std::string bytes;
    std::vector<ArchivedGame> games;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        ArchivedGame game = random_game(seed, 100);
        game.result = static_cast<HcpeResult>(seed % 3);
        games.push_back(game);
        ASSERT_TRUE(append_hcpe3(game, bytes));
    }
    for (const ArchivedGame& game : games) {
        ArchivedGame back;
        const auto length = read(bytes, back);
        ASSERT_TRUE(length) << length.error().message;
        EXPECT_EQ(back, game);
        bytes.erase(0, *length);
    }
    EXPECT_TRUE(bytes.empty());
}

TEST(Hcpe3, KeepsTheEndsThatItKnows) {
    for (const auto& [end, result] :
         std::vector<std::pair<ArchivedEnd, HcpeResult>>{{ArchivedEnd::repetition, HcpeResult::draw},
                                                         {ArchivedEnd::perpetual_check, HcpeResult::black_win},
                                                         {ArchivedEnd::perpetual_check, HcpeResult::white_win},
                                                         {ArchivedEnd::declaration, HcpeResult::white_win},
                                                         {ArchivedEnd::max_moves, HcpeResult::draw},
                                                         {ArchivedEnd::other, HcpeResult::black_win}}) {
        ArchivedGame game;
        game.end = end;
        game.result = result;
        std::string bytes;
        ASSERT_TRUE(append_hcpe3(game, bytes));
        ArchivedGame back;
        ASSERT_TRUE(read(bytes, back));
        EXPECT_EQ(back, game);
    }
}

TEST(Hcpe3, UnderstandsHowDlshogiMarksTheLongestGames) {
    std::string bytes;
    ASSERT_TRUE(append_hcpe3(ArchivedGame(), bytes));
    bytes[34] = 0x16;
    ArchivedGame back;
    ASSERT_TRUE(read(bytes, back));
    EXPECT_EQ(back.end, ArchivedEnd::max_moves);
    EXPECT_EQ(back.result, HcpeResult::draw);
}

TEST(Hcpe3, PassesOverCandidates) {
    std::string bytes;
    ASSERT_TRUE(append_hcpe3(random_game(1, 5), bytes));
    ArchivedGame one;
    ASSERT_TRUE(read(bytes, one));
    // The second move is the first with a score: a second candidate beside it changes nothing.
    const std::size_t second = 36 + 6;
    bytes[second + 4] = 2;
    bytes.insert(second + 6, std::string("\x01\x02\x03\x04", 4));
    ArchivedGame two;
    const auto length = read(bytes, two);
    ASSERT_TRUE(length);
    EXPECT_EQ(*length, bytes.size());
    EXPECT_EQ(one, two);
}

TEST(Hcpe3, RefusesIllegalMovesAndStrangeResults) {
    ArchivedGame game;
    game.plies.push_back({*parse_usi_move("7g7e"), 1});
    std::string bytes;
    ASSERT_TRUE(append_hcpe3(game, bytes));
    ArchivedGame back;
    const auto illegal = read(bytes, back);
    ASSERT_FALSE(illegal);
    EXPECT_EQ(illegal.error().message, "move 1 (7g7e) is not legal");
    bytes.clear();
    ASSERT_TRUE(append_hcpe3(ArchivedGame(), bytes));
    bytes[34] = 3;
    EXPECT_FALSE(read(bytes, back));
}

TEST(Hcpe3, NeverReadsBeyondDamagedBytes) {
    std::string bytes;
    ASSERT_TRUE(append_hcpe3(random_game(2, 12), bytes));
    int refused = 0;
    int whole = 0;
    test::for_each_damaged(bytes, 3000, [&](const std::string& damaged) {
        ArchivedGame game;
        const std::string exact(damaged);  // a reader that goes too far is caught by the sanitizers
        const auto length = read(exact, game);
        if (length) {
            EXPECT_LE(*length, exact.size());
            ++whole;
        } else {
            ++refused;
        }
    });
    EXPECT_GT(refused, static_cast<int>(bytes.size()) - 1);
    EXPECT_GT(whole, 0);
}

}  // namespace
}  // namespace tsumugi::record
