// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"

#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/setting.hpp"
#include "record/sfen.hpp"
#include "support/notebook.hpp"
#include "support/position.hpp"
#include "support/temp_folder.hpp"
#include "think/win_rate.hpp"

namespace tsumugi::engine {
namespace {

using test::Notebook;
using testing::HasSubstr;

using Values = std::vector<std::pair<std::string, std::string>>;

// An engine with a small table and the options given, that thinks about every move.
struct TestEngine {
    explicit TestEngine(const Values& options = {}) {
        set("USI_Hash", "4");
        set("USI_OwnBook", "false");
        for (const auto& [name, value] : options)
            set(name, value);
        const auto ready = engine.prepare();
        if (!ready) throw std::runtime_error(ready.error().message);
    }
    void set(const std::string& name, const std::string& value) {
        const auto result = engine.options().set(name, value);
        if (!result) throw std::runtime_error(result.error().message);
    }
    think::Answer think(const shogi::Position& position, std::uint64_t nodes = 2000) {
        think::Limits limits;
        limits.nodes = nodes;
        notebook = {};
        return engine.think(position, limits, notebook, {});
    }

    Engine engine;
    Notebook notebook;
};

const std::string declarable = "+P+P+P+PK+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2R2B4G4S4N4L8P 1";

TEST(Engine, DeclaresAWinByTheRuleInForce) {
    const shogi::Position position = test::position(declarable);
    EXPECT_EQ(TestEngine().think(position).kind, think::Answer::Kind::declare_win);
    EXPECT_EQ(TestEngine(Values{{"EnteringKingRule", "NoEnteringKing"}}).think(position).kind,
              think::Answer::Kind::move);
}

TEST(Engine, StepsToTheGoalUnderTheTryRule) {
    TestEngine engine(Values{{"EnteringKingRule", "TryRule"}});
    const shogi::Position position = test::position("9/4K4/9/9/9/9/9/9/k8 b 2R2B 1");
    EXPECT_EQ(record::to_usi(engine.think(position).move), "5b5a");
}

// A mate in 21 that no ordinary search finds soon: Shogi Zuko 2, with a king for the attacker.
const std::string long_mate = "K8/9/3B3G1/6+p1n/7+p1/7k1/5BL1p/7G1/7+R+r b N2P2g4s2n3l13p 1";

TEST(MateHelperThread, EndsASearchByAMateAtTheRoot) {
    TestEngine engine(Values{{"MateHelperNodes", "2000"}, {"EvalFile", "material"}});
    think::Limits limits;
    limits.move_time = think::Milliseconds(600'000);
    const shogi::Position position = test::position(long_mate);
    const think::Answer answer = engine.engine.think(position, limits, engine.notebook, {});
    ASSERT_EQ(answer.kind, think::Answer::Kind::move);
    EXPECT_EQ(answer.score.kind, think::Score::Kind::mate);
    EXPECT_GE(answer.score.value, 21);
    // The line is a mate to its end.
    shogi::Position p = position;
    for (const shogi::Move move : engine.notebook.lines.back().moves) {
        ASSERT_TRUE(p.is_legal(move));
        p.do_move(move);
    }
    EXPECT_FALSE(shogi::has_legal_move(p));
}

TEST(MateHelperThread, StopsWithTheSearch) {
    TestEngine engine(Values{{"MateHelperNodes", "1000000"}});
    EXPECT_EQ(engine.think(shogi::Position::even()).kind, think::Answer::Kind::move);
    EXPECT_EQ(engine.think(shogi::Position::even()).kind, think::Answer::Kind::move);
}

TEST(Engine, KeepsThinkingAboutAWonPositionDuringAnalysis) {
    TestEngine engine;
    think::Limits limits;
    limits.infinite = true;
    std::stop_source stop;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    const auto answer = engine.engine.think(test::position(declarable), limits, engine.notebook, stop.get_token());
    EXPECT_EQ(answer.kind, think::Answer::Kind::declare_win);
    EXPECT_FALSE(engine.notebook.lines.empty());
}

TEST(Engine, ResignsWhenMatedAndWhereTheUserSaysSo) {
    EXPECT_EQ(TestEngine().think(test::position("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1")).kind, think::Answer::Kind::resign);
    // White has a bare king against everything.
    const shogi::Position lost = test::position("4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1");
    EXPECT_EQ(TestEngine().think(lost).kind, think::Answer::Kind::move);
    EXPECT_EQ(TestEngine(Values{{"ResignValue", "1500"}}).think(lost).kind, think::Answer::Kind::resign);
}

TEST(Engine, RefusesToPlayWithoutAKing) {
    TestEngine engine;
    EXPECT_EQ(engine.think(test::position("4k4/9/9/9/9/9/9/9/9 b 2R 1")).kind, think::Answer::Kind::resign);
    ASSERT_EQ(engine.notebook.texts.size(), 1U);
    EXPECT_THAT(engine.notebook.texts[0], HasSubstr("both kings"));
}

TEST(Engine, TellsWinRatesOnlyWhenAsked) {
    TestEngine silent;
    silent.think(shogi::Position::even());
    ASSERT_FALSE(silent.notebook.lines.empty());
    EXPECT_FALSE(silent.notebook.lines.back().win_rate);
    TestEngine telling(Values{{"UCI_ShowWDL", "true"}, {"WinRateScale", "300"}});
    telling.think(shogi::Position::even());
    const think::Line& line = telling.notebook.lines.back();
    ASSERT_TRUE(line.win_rate);
    EXPECT_DOUBLE_EQ(*line.win_rate, think::win_rate(line.score, 300));
}

TEST(Engine, ObeysTheLimitsSetAsOptions) {
    TestEngine by_nodes(Values{{"NodesLimit", "300"}});
    by_nodes.think(shogi::Position::even(), 1'000'000);
    EXPECT_LE(by_nodes.engine.outcome().nodes, 400U);
    TestEngine by_depth(Values{{"DepthLimit", "3"}});
    by_depth.think(shogi::Position::even(), 1'000'000);
    EXPECT_EQ(by_depth.engine.outcome().depth, 3);
}

TEST(Engine, SaysWhyANetCannotBeUsedAndPlaysOn) {
    TestEngine engine;
    engine.set("EvalFile", "/nowhere/nn.bin");
    EXPECT_THAT(engine.engine.prepare().error().message, HasSubstr("/nowhere/nn.bin"));
    engine.set("EvalFile", "<empty>");
    engine.set("EvalDir", "/nowhere");
    EXPECT_THAT(engine.engine.prepare().error().message, HasSubstr("EvalDir"));
    EXPECT_EQ(engine.think(shogi::Position::even()).kind, think::Answer::Kind::move);
}

TEST(Engine, PlaysTheSameGameTwiceAtTheSameSkill) {
    const auto game = [](const char* level, const char* seed) {
        TestEngine engine(Values{{"SkillLevel", level}, {"EvalNoiseSeed", seed}});
        shogi::Position position = shogi::Position::even();
        std::string moves;
        for (int i = 0; i < 20; ++i) {
            const think::Answer answer = engine.think(position, 1'000'000);
            if (answer.kind != think::Answer::Kind::move || !position.is_legal(answer.move))
                return std::string("illegal");
            position.do_move(answer.move);
            moves += record::to_usi(answer.move) + " ";
        }
        return moves;
    };
    EXPECT_EQ(game("3", "1"), game("3", "1"));
    EXPECT_NE(game("3", "1"), game("3", "2"));
    EXPECT_NE(game("3", "1"), "illegal");
}

TEST(Engine, VariesItsGamesAtLowSkill) {
    TestEngine engine(Values{{"SkillLevel", "0"}});
    std::set<shogi::Move> first_moves;
    for (int i = 0; i < 20; ++i) {
        engine.engine.new_game();
        first_moves.insert(engine.think(shogi::Position::even()).move);
    }
    EXPECT_GT(first_moves.size(), 1U);
}

TEST(Setting, MapsStrengthToLevels) {
    think::OptionSet options;
    declare_options(options);
    EXPECT_FALSE(skill_level(options).has_value());
    ASSERT_TRUE(options.set("SkillLevel", "7").ok());
    EXPECT_EQ(skill_level(options), 7);
    ASSERT_TRUE(options.set("USI_LimitStrength", "true").ok());
    EXPECT_FALSE(skill_level(options).has_value()) << "3000 is full strength";
    ASSERT_TRUE(options.set("USI_Strength", "1550").ok());
    EXPECT_EQ(skill_level(options), 5.5);
}

TEST(Setting, ChoosesHowTheTableIsKept) {
    think::OptionSet options;
    declare_options(options);
    EXPECT_EQ(search_settings(options).table, search::TableSettings()) << "the defaults are those of the search";
    for (const auto& [name, value] : Values{
             {"USI_Hash", "3"}, {"HashPolicy", "Alternating"}, {"HashSecondProbeDepth", "5"}, {"HashScheme", "TwoBig"}})
        ASSERT_TRUE(options.set(name, value).ok()) << name;
    const search::TableSettings expected{3 * 1024, search::TablePolicy::alternating, 5, search::TableScheme::two_big};
    EXPECT_EQ(search_settings(options).table, expected);
    ASSERT_TRUE(options.set("HashKiB", "48").ok());
    EXPECT_EQ(search_settings(options).table.kibibytes, 48U) << "the finer measure wins";
}

TEST(Setting, DeclaresOptionsThatEveryGuiAccepts) {
    think::OptionSet options;
    declare_options(options);
    for (const think::Option& option : options.all()) {
        EXPECT_EQ(option.name.find(' '), std::string::npos) << option.name;
        EXPECT_EQ(option.initial.find(' '), std::string::npos) << option.name;
        EXPECT_FALSE(option.help.empty()) << option.name;
    }
}

TEST(Engine, AnswersWhetherTheSideToMoveMates) {
    TestEngine tested;
    think::Limits limits;
    limits.mate = think::Milliseconds::max();
    const auto ask = [&](std::string_view sfen) {
        return tested.engine.find_mate(test::position(sfen), limits, tested.notebook, {});
    };
    const think::MateAnswer mate = ask("3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1");
    EXPECT_EQ(mate.kind, think::MateAnswer::Kind::mate);
    EXPECT_EQ(mate.moves.size(), 3U);
    EXPECT_EQ(tested.notebook.lines.back().score.value, 3);
    EXPECT_EQ(ask("4k4/9/9/9/9/9/9/9/3R5 b r2b4g4s4n4l18p 1").kind, think::MateAnswer::Kind::none);
    limits.nodes = 1;
    EXPECT_EQ(ask("l2g5/2s3g2/3k1p2p/P2pp2P1/1pP4s1/p1+B6/NP1P+nPS1P/K1G4+p1/L6NL b RBGNLPrs3p 1").kind,
              think::MateAnswer::Kind::unknown);
}

}  // namespace
}  // namespace tsumugi::engine
