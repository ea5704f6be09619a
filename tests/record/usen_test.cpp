// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/usen.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "record/sfen.hpp"
#include "record/usi_game.hpp"

namespace tsumugi::record {
namespace {

using shogi::Kind;
using shogi::Move;
using shogi::Square;

std::string usen_error(std::string_view text) {
    const auto game = parse_usen(text);
    return game.ok() ? "no error" : game.error().message;
}

// Texts as tsshogi writes them.
TEST(Usen, ReadsAndWritesWhatTsshogiWrites) {
    const std::pair<std::string, std::string> games[] = {
        {"~0..", "startpos"},
        {"~0.7ku2jm8rl09kbxq.", "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e"},
        {"lnsgkgsnl_9_ppppppppp_9_9_9_PPPPPPPPP_1B5R1_LNSGKGSNL.w.-~0.0io.",
         "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a4b"},
        {"4k4_9_4zP4_9_9_9_9_9_4K4.b.RB2G2Srb2g2s4n4l17p~0.c0q0i6b94bri.",
         "sfen 4k4/9/4+P4/9/9/9/9/9/4K4 b RB2G2Srb2g2s4n4l17p 1 moves R*5b 5a4a G*3a S*1b"},
        {"4k4_9_9_9_9_9_9_9_4K4.b.RBGSNLPrbgsnlp~0.bfqbfobk4bk2boibosbtcbtebbgbaiby0by2c2mc2o.",
         "sfen 4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1 moves P*5e P*4e L*3e L*2e N*1e N*6e S*7e S*8e G*9e G*1d B*1f "
         "B*2f R*3f R*4f"},
    };
    for (const auto& [usen, usi] : games) {
        const auto game = parse_usen(usen);
        ASSERT_TRUE(game.ok()) << game.error().message;
        EXPECT_EQ(to_usi_game(*game), usi);
        EXPECT_EQ(to_usen(*game), usen);
    }
}

TEST(Usen, BranchesLeaveTheLineBeforeThem) {
    // As tsshogi writes it: the line after move 1 has a branch of its own after move 2.
    const std::string usen = "~0.7ku2jm6y236e5t2.~3.3ay.~1.36e6y22jm.~2.6ti2ai.";
    const Game game = parse_usen(usen).value();
    EXPECT_EQ(to_usen(game), usen);
    ASSERT_EQ(game.node(0).children.size(), 1U);
    const Node& first = game.node(game.node(0).children[0]);
    ASSERT_EQ(first.children.size(), 2U);
    const Node& other = game.node(first.children[1]);
    EXPECT_EQ(to_usi(other.move), "8c8d");
    ASSERT_EQ(other.children.size(), 2U);
    EXPECT_EQ(to_usi(game.node(other.children[0]).move), "2g2f");
    EXPECT_EQ(to_usi(game.node(other.children[1]).move), "1g1f");
}

TEST(Usen, ReadsEndings) {
    EXPECT_EQ(parse_usen("~0.7ku.r")->main_ending(), Ending::resign);
    EXPECT_EQ(parse_usen("~0.7ku.t")->main_ending(), Ending::time_up);
    EXPECT_EQ(parse_usen("~0.7ku.p")->main_ending(), Ending::interrupted);
    EXPECT_EQ(parse_usen("~0.7ku.j")->main_ending(), Ending::impasse);
    EXPECT_EQ(parse_usen("~0.7ku.i")->main_ending(), Ending::illegal_move);
    EXPECT_EQ(parse_usen("~0.7ku.")->main_ending(), std::nullopt);
    EXPECT_EQ(parse_usen("~0.7ku")->main_ending(), std::nullopt);
    EXPECT_EQ(to_usen(parse_usen("~0.7ku.r~0.6y2.t").value()), "~0.7ku.r~0.6y2.t");
}

TEST(Usen, SaysWhatIsWrong) {
    EXPECT_NE(usen_error("").find("after '~'"), std::string::npos);
    EXPECT_NE(usen_error("~0").find("must look like"), std::string::npos);
    EXPECT_NE(usen_error("~0.7k.").find("three characters"), std::string::npos);
    EXPECT_NE(usen_error("~0.zzz.").find("'zzz' is no move"), std::string::npos);
    EXPECT_NE(usen_error("~0.7k!.").find("base-36"), std::string::npos);
    EXPECT_NE(usen_error("~0.7ku.x").find("got 'x'"), std::string::npos);
    EXPECT_NE(usen_error("~0.7ku.~2.6y2.").find("the line before it has 1"), std::string::npos);
    EXPECT_NE(usen_error("4k4_9.b.-~0.7ku.").find("SFEN board"), std::string::npos);
    EXPECT_NE(usen_error("4k4_9_9_9_9_9_9_9_4K4.b.-.7~0..").find("board, side and hands"), std::string::npos);
    EXPECT_NE(usen_error("4k4_9_9_9_9_9_9_9_4K4.b.-\t7~0..").find("board, side and hands"), std::string::npos);
}

TEST(Usen, RandomTreesSurvive) {
    base::Random random(6);
    for (int round = 0; round < 300; ++round) {
        Game game;
        // A node may only follow one that is no ending, and endings come last among their siblings' kinds at random.
        for (int i = 0; i < 40; ++i) {
            const std::size_t parent = random.below(game.node_count());
            if (game.node(parent).ending) continue;
            Node node;
            if (random.chance(0.1)) {
                node.ending = Ending::resign;
            } else if (random.chance(0.3)) {
                node.move = Move::drop(shogi::hand_kinds[random.below(7)],
                                       Square::from_index(static_cast<int>(random.below(81))));
            } else {
                const auto from = static_cast<int>(random.below(81));
                const auto to = static_cast<int>(random.below(81));
                if (from == to) continue;
                node.move = Move::board(Square::from_index(from), Square::from_index(to), random.chance(0.5));
            }
            game.add(parent, node);
        }
        const std::string usen = to_usen(game);
        const auto back = parse_usen(usen);
        ASSERT_TRUE(back.ok()) << back.error().message << '\n' << usen;
        EXPECT_EQ(*back, game) << usen;
    }
}

}  // namespace
}  // namespace tsumugi::record
