// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/match_setting.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace tsumugi::arena {
namespace {

base::Result<MatchRequest> load(const test::TempFolder& folder, std::string_view text) {
    std::ofstream(folder / "match.toml") << text;
    return MatchRequest::load(folder / "match.toml");
}

TEST(MatchRequest, ReadsATomlFile) {
    const test::TempFolder folder;
    const auto request = load(folder, R"(
games = 200
openings = "balanced.sfen"
shuffle = true
pin = false
sprt = { elo0 = -1.5, elo1 = 3 }
resign = { cp = 2500, moves = 4 }
records = ["csa", "kif"]
declaration = "24"
[each]
nodes = 2000
[each.options]
Threads = 1
[[engine]]
name = "A"
cmd = "self"
[engine.parameters]
LmrBase = 60
[[engine]]
name = "B"
cmd = "./b --fast"
dir = "engines"
byoyomi = "1s"
ponder = true
[engine.options]
USI_Hash = 64
Book = ""
)");
    ASSERT_TRUE(request.ok()) << request.error().message;
    const auto config = request->to_config();
    ASSERT_TRUE(config.ok()) << config.error().message;
    EXPECT_EQ(config->games, 200U);
    EXPECT_EQ(config->openings.file, folder / "balanced.sfen");
    EXPECT_TRUE(config->openings.shuffle);
    EXPECT_FALSE(config->pool.pin);
    ASSERT_TRUE(config->sprt.has_value());
    EXPECT_EQ(config->sprt->elo0, -1.5);
    EXPECT_EQ(config->sprt->elo1, 3);
    ASSERT_TRUE(config->pool.play.adjudication.resign.has_value());
    EXPECT_EQ(config->pool.play.adjudication.resign->centipawns, 2500);
    EXPECT_EQ(config->records.size(), 2U);
    EXPECT_EQ(config->pool.play.rules.declaration, shogi::EnteringKingRule::points24);
    ASSERT_EQ(config->engines.size(), 2U);
    const EngineSpec& own = config->engines[0];
    EXPECT_TRUE(own.is_own());
    EXPECT_EQ(own.allowance.nodes, 2000U);
    EXPECT_EQ(own.parameters, (OptionValues{{"LmrBase", "60"}}));
    const EngineSpec& other = config->engines[1];
    EXPECT_EQ(other.folder, folder / "engines");
    EXPECT_EQ(other.allowance.byoyomi, Milliseconds(1000));
    EXPECT_FALSE(other.allowance.nodes.has_value());
    EXPECT_TRUE(other.ponder);
    EXPECT_EQ(other.options, (OptionValues{{"Threads", "1"}, {"Book", ""}, {"USI_Hash", "64"}}));
    EXPECT_TRUE(config->check().ok());
}

TEST(MatchRequest, LetsTheCommandLineOverruleTheFile) {
    const test::TempFolder folder;
    auto request = *load(folder,
                         "games = 10\n[each]\nnodes = 5\n[[engine]]\nname = \"A\"\ncmd = \"self\"\n"
                         "[[engine]]\nname = \"B\"\ncmd = \"self\"\n");
    MatchRequest said;
    said.settings.push_back({"games", {"30"}});
    said.engines.push_back({"name=B", "cmd=./b", "depth=3"});
    request.add(said);
    const auto config = *request.to_config();
    EXPECT_EQ(config.games, 30U);
    ASSERT_EQ(config.engines.size(), 2U);
    EXPECT_FALSE(config.engines[1].is_own());
    EXPECT_EQ(config.engines[1].allowance.depth, 3);
}

TEST(MatchRequest, SaysWhatIsWrongAndWhere) {
    const test::TempFolder folder;
    const auto broken = load(folder, "games = 1\ngames ==\n");
    ASSERT_FALSE(broken.ok());
    EXPECT_NE(broken.error().message.find("match.toml:2"), std::string::npos) << broken.error().message;
    EXPECT_FALSE(load(folder, "colour = \"red\"\n")->to_config().ok()) << "no such setting";
    EXPECT_FALSE(load(folder, "games = \"many\"\n")->to_config().ok());
    EXPECT_FALSE(load(folder, "games = [1, 2]\n")->to_config().ok());
    EXPECT_FALSE(load(folder, "engine = 3\n").ok());
    EXPECT_FALSE(load(folder, "[[engine]]\nname = \"A\"\n[engine.extras]\nX = 1\n").ok());
    EXPECT_FALSE(MatchRequest::load(folder / "absent.toml").ok());
}

TEST(MatchConfig, IsCheckedBeforeAnythingIsPlayed) {
    const auto config = [](std::initializer_list<Words> engines) {
        MatchRequest request;
        request.engines = engines;
        return *request.to_config();
    };
    EXPECT_FALSE(config({{"name=A", "cmd=self", "nodes=1"}}).check().ok()) << "one engine";
    EXPECT_FALSE(config({{"name=A", "cmd=self", "nodes=1"}, {"name=A", "cmd=self", "nodes=2"}}).check().ok());
    auto three = config(
        {{"name=A", "cmd=self", "nodes=1"}, {"name=B", "cmd=self", "nodes=1"}, {"name=C", "cmd=self", "nodes=1"}});
    EXPECT_TRUE(three.check().ok());
    three.sprt = report::Sprt::Bounds{};
    EXPECT_FALSE(three.check().ok()) << "a sequential test of three";
}

TEST(SprtWords, KnowPresetsAndNumbers) {
    EXPECT_EQ(parse_sprt({"gain"})->elo1, 2);
    EXPECT_EQ(parse_sprt({"keep"})->elo0, -1.75);
    EXPECT_EQ(parse_sprt({"large"})->elo1, 10);
    EXPECT_EQ(parse_sprt({})->model, report::Sprt::Model::normalized);
    const auto own = parse_sprt({"elo0=1", "elo1=4", "alpha=0.01", "beta=0.02", "model=logistic"});
    ASSERT_TRUE(own.ok());
    EXPECT_EQ(own->elo0, 1);
    EXPECT_EQ(own->beta, 0.02);
    EXPECT_EQ(own->model, report::Sprt::Model::logistic);
    for (const char* bad : {"elo2=1", "elo0", "elo0=x", "model=best", "alpha=2"})
        EXPECT_FALSE(parse_sprt({bad}).ok()) << bad;
}

}  // namespace
}  // namespace tsumugi::arena
