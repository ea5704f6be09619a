// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/bod.hpp"

#include <gtest/gtest.h>

#include "record/handicap.hpp"
#include "record/sfen.hpp"
#include "support/damage.hpp"

namespace tsumugi::record {
namespace {

constexpr std::string_view middle_game = R"(後手の持駒：角　歩十二　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂 ・ ・ ・ ・ ・v桂v香|一
| ・ ・ ・ ・v玉 ・ ・ ・ ・|二
| ・ 全 ・ ・ ・ ・ ・ 圭 ・|三
| ・ ・ 杏 ・ ・ ・ ・ ・ ・|四
| ・ ・ ・v龍 ・ 馬 ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・v銀 ・v金 ・ ・ ・ ・|七
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|八
| ・ ・vと ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：飛　金三　銀二　歩五　
手数＝68  △６五龍  まで
先手番
)";
constexpr std::string_view middle_game_sfen = "ln5nl/4k4/1+S5+N1/2+L6/3+r1+B3/9/2s1g4/4K4/2+p6 b R3G2S5Pb12p 69";

TEST(Bod, ReadsADiagramWithHandsTurnAndMoveCount) {
    const auto setup = parse_bod(middle_game);
    ASSERT_TRUE(setup.ok()) << setup.error().message;
    EXPECT_EQ(to_sfen(*setup), middle_game_sfen);
}

TEST(Bod, WritesWhatItReads) {
    for (const std::string_view sfen : {middle_game_sfen, std::string_view("9/9/9/9/9/9/9/9/9 w 2R2B4G4S4N4L18P 1"),
                                        std::string_view("4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 200")}) {
        const auto setup = parse_sfen(sfen).value();
        const auto again = parse_bod(to_bod(setup));
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_EQ(to_sfen(*again), sfen);
        EXPECT_EQ(parse_bod(to_bod(setup, handicap_player_names)).value(), setup);
    }
    for (const Handicap& handicap : all_handicaps())
        EXPECT_EQ(parse_bod(to_bod(handicap.setup())).value(), handicap.setup()) << handicap.kif;
}

TEST(Bod, DrawsInTheUsualShape) {
    const std::string text = to_bod(parse_sfen(middle_game_sfen).value());
    EXPECT_TRUE(
        text.starts_with("後手の持駒：角　歩十二　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"));
    EXPECT_NE(text.find("\n| ・ ・ ・v龍 ・ 馬 ・ ・ ・|五\n"), std::string::npos);
    EXPECT_TRUE(text.ends_with("先手の持駒：飛　金三　銀二　歩五　\n手数＝68\n先手番\n"));
}

TEST(Bod, KnowsOtherWaysToSayTheSame) {
    std::string text(middle_game);
    const auto replace = [&](std::string_view from, std::string_view to) {
        text.replace(text.find(from), from.size(), to);
    };
    replace("後手の持駒：角　歩十二　", "上手の持駒：角 歩12");
    replace("先手の持駒：", "下手の持ち駒：");
    replace("v龍", "v竜");
    replace("v玉", "v王");
    replace("先手番", "手番：下手");
    const auto setup = parse_bod(text);
    ASSERT_TRUE(setup.ok()) << setup.error().message;
    EXPECT_EQ(to_sfen(*setup), middle_game_sfen);
}

TEST(Bod, SaysWhatIsWrong) {
    const auto message = [](std::string_view text) {
        const auto setup = parse_bod(text);
        return setup.ok() ? std::string("no error") : setup.error().message;
    };
    EXPECT_EQ(message("| ・ ・ ・ 犬 ・ ・ ・ ・ ・|一"), "line 1, column 9: expected a piece or ・, found '犬'");
    EXPECT_EQ(message("\n| ・ ・|一"),
              "line 2, column 6: expected ' ' for a piece of Black or 'v' for one of White, found '|'");
    EXPECT_EQ(message("先手の持駒：金五"), "line 1, column 7: 5 金 in hand, but a set holds only 4");
    EXPECT_EQ(message("先手の持駒：玉"),
              "line 1, column 7: expected a piece that can be held, such as 銀二, or なし, found '玉'");
    EXPECT_EQ(message("| ・ ・ ・ ・ ・ ・ ・ ・ ・|一"), "the board diagram has 1 of 9 ranks");
    EXPECT_TRUE(message("").starts_with("no board diagram found")) << message("");
    std::string ten_ranks;
    for (int rank = 0; rank < 10; ++rank)
        ten_ranks += "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    EXPECT_EQ(message(ten_ranks), "line 10, column 1: a board has 9 ranks, this is the tenth");
}

TEST(Bod, SurvivesDamage) {
    int accepted = 0;
    test::for_each_damaged(std::string(middle_game), 3000, [&](const std::string& text) {
        const auto setup = parse_bod(text);
        if (!setup) return;
        ++accepted;
        EXPECT_EQ(parse_bod(to_bod(*setup)).value(), *setup);
    });
    EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace tsumugi::record
