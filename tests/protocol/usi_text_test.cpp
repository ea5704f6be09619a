// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/usi_text.hpp"

#include <unistd.h>

#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/line_reader.hpp"
#include "support/damage.hpp"
#include "support/position.hpp"
#include "support/random_play.hpp"

namespace tsumugi::protocol {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(PositionText, ComesBackWithItsHistory) {
    test::play_random_games(20, 60, 11, [](const shogi::Position& position) {
        const std::string command = to_position_command(position);
        const auto back = parse_position(std::string_view(command).substr(9));
        ASSERT_TRUE(back.ok()) << command;
        EXPECT_EQ(back->setup(), position.setup());
        EXPECT_EQ(back->history(), position.history());
        EXPECT_EQ(back->key(), position.key());
    });
}

TEST(PositionText, StartsAnywhereAndNeedsNoMoveNumber) {
    const auto position = parse_position("sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r moves 5i5h");
    ASSERT_TRUE(position.ok());
    EXPECT_EQ(to_position_command(*position), "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r 1 moves 5i5h");
}

TEST(PositionText, SurvivesDamage) {
    int good = 0;
    test::for_each_damaged("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d", 5000,
                           [&](const std::string& text) { good += parse_position(text).ok() ? 1 : 0; });
    EXPECT_GT(good, 0);
}

TEST(GoText, ComesBack) {
    const shogi::Position start = shogi::Position::even();
    for (const auto* text : {"go infinite", "go ponder", "go btime 100 wtime 200 byoyomi 300",
                             "go ponder btime 100 wtime 200 binc 5 winc 6", "go movetime 50", "go nodes 7 depth 3",
                             "go mate 100", "go mate infinite", "go nodes 10 searchmoves 7g7f 2g2f"})
        EXPECT_EQ(to_go_command(parse_go(std::string_view(text).substr(2), start).limits), text);
}

TEST(GoText, IgnoresTheClockWhenThinkingIsWithoutEnd) {
    const auto request = parse_go("infinite btime 0 wtime 0 movetime 5", shogi::Position::even());
    EXPECT_TRUE(request.limits.infinite);
    EXPECT_FALSE(request.limits.clock || request.limits.move_time);
}

TEST(InfoText, ComesBack) {
    const shogi::Position start = shogi::Position::even();
    think::Line line;
    line.depth = 12;
    line.selective_depth = 20;
    line.rank = 2;
    line.score = {think::Score::Kind::centipawns, -35, think::Score::Bound::upper};
    line.nodes = 123456;
    line.time = 789ms;
    line.table_permille = 17;
    line.moves = {test::usi("7g7f"), test::usi("3c3d"), test::usi("8h2b+")};
    const std::string text = to_info_line(line, start);
    EXPECT_EQ(
        text,
        "info depth 12 seldepth 20 multipv 2 score cp -35 upperbound nodes 123456 nps 156471 hashfull 17 time 789 pv "
        "7g7f 3c3d 8h2b+");
    const auto back = parse_info(std::string_view(text).substr(5), start);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(to_info_line(*back, start), text);
}

TEST(InfoText, TellsWinRatesWhenThePlayerDoes) {
    think::Line line;
    line.win_rate = 0.6234;
    EXPECT_NE(to_info_line(line, shogi::Position::even()).find(" wdl 623 0 377"), std::string::npos);
}

TEST(InfoText, ReadsWhatOtherEnginesWrite) {
    const shogi::Position start = shogi::Position::even();
    const auto read = [&](std::string_view text) { return parse_info(text, start); };
    EXPECT_EQ(read("time 3 depth 1 nodes 40 currmove 3a3b score cp +23 multipv 1 pv 7g7f 8g8f")->score.value, 23);
    EXPECT_THAT(read("score cp 5 pv 7g7f 8g8f 3c3d")->moves, ElementsAre(test::usi("7g7f")));
    EXPECT_EQ(read("score mate + pv 7g7f")->score.kind, think::Score::Kind::mate);
    EXPECT_GT(read("score mate +")->score.value, 0);
    EXPECT_LT(read("score mate -")->score.value, 0);
    EXPECT_EQ(read("score mate -12")->score.value, -12);
    EXPECT_FALSE(read("string score cp 100 pv 7g7f").has_value());
    EXPECT_FALSE(read("depth 3 nodes 100").has_value());
    EXPECT_FALSE(read("score").has_value());
    EXPECT_FALSE(read("score cp").has_value());
    EXPECT_FALSE(read("score cp x").has_value());
}

TEST(BestmoveText, NeverSaysAnIllegalMove) {
    const shogi::Position start = shogi::Position::even();
    think::Answer answer;
    EXPECT_EQ(to_bestmove_line(answer, start), "bestmove resign");
    answer.kind = think::Answer::Kind::declare_win;
    EXPECT_EQ(to_bestmove_line(answer, start), "bestmove win");
    answer.kind = think::Answer::Kind::move;
    answer.move = test::usi("7g7f");
    EXPECT_EQ(to_bestmove_line(answer, start), "bestmove 7g7f");
    answer.ponder = test::usi("3c3d");
    EXPECT_EQ(to_bestmove_line(answer, start), "bestmove 7g7f ponder 3c3d");
    answer.ponder = test::usi("2g2f");
    EXPECT_EQ(to_bestmove_line(answer, start), "bestmove 7g7f");
    answer.move = test::usi("7g7e");
    EXPECT_EQ(to_bestmove_line(answer, start), "bestmove resign");
}

TEST(BestmoveText, RefusesIllegalMovesOfOthers) {
    const shogi::Position start = shogi::Position::even();
    EXPECT_EQ(parse_bestmove("7g7f ponder 3c3d", start)->ponder, test::usi("3c3d"));
    EXPECT_TRUE(parse_bestmove("7g7f ponder 2g2f", start)->ponder.is_none());
    EXPECT_EQ(parse_bestmove("win", start)->kind, think::Answer::Kind::declare_win);
    EXPECT_THAT(parse_bestmove("7g7e", start).error().message, HasSubstr("'7g7e' is illegal"));
    EXPECT_THAT(parse_bestmove("(none)", start).error().message, HasSubstr("no move"));
    EXPECT_FALSE(parse_bestmove("", start).ok());
}

TEST(OptionText, ComesBack) {
    for (const std::string line :
         {"option name USI_Hash type spin default 256 min 1 max 1024", "option name Clear_Hash type button",
          "option name Rule type combo default A var A var B C", "option name EvalDir type string default <empty>",
          "option name BookFile type filename default my book.db", "option name Book File type check default true"}) {
        const auto option = parse_option(std::string_view(line).substr(7));
        ASSERT_TRUE(option.ok()) << line;
        EXPECT_EQ(to_option_line(*option), line);
    }
    EXPECT_FALSE(parse_option("type spin").ok());
    EXPECT_FALSE(parse_option("name X type wheel").ok());
    EXPECT_TRUE(parse_option("name X type spin default 3").ok()) << "limits may be missing";
}

TEST(LineReader, SplitsWhateverArrives) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const std::string text = "one\r\n\ntwo\nthr";
    ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
    LineReader reader(ends[0]);
    EXPECT_EQ(reader.next(), "one");
    EXPECT_EQ(reader.next(), "");
    EXPECT_EQ(reader.next(), "two");
    EXPECT_EQ(reader.next(), "thr");
    EXPECT_EQ(reader.next(), std::nullopt);
    EXPECT_EQ(reader.next(), std::nullopt);
    ::close(ends[0]);
}

TEST(LineReader, CutsLinesThatAreTooLongAndGoesOnWithTheNext) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const std::string text = std::string(3 * LineReader::longest_line, 'x') + "\nstop\n";
    std::jthread writer([&] {
        for (std::size_t sent = 0; sent < text.size();)
            sent += static_cast<std::size_t>(::write(ends[1], text.data() + sent, text.size() - sent));
        ::close(ends[1]);
    });
    LineReader reader(ends[0]);
    const auto first = reader.next();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->size(), LineReader::longest_line);
    EXPECT_EQ(reader.next(), "stop");
    EXPECT_EQ(reader.next(), std::nullopt);
    ::close(ends[0]);
}

}  // namespace
}  // namespace tsumugi::protocol
