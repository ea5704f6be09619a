// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/guest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "arena/contestant.hpp"
#include "arena/match.hpp"
#include "shogi/movegen.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::arena {
namespace {

// Plays the first or the last legal move, and counts its games.
class Simple : public think::Player {
public:
    Simple(bool last, int& games) : last_(last), games_(games) {}

    [[nodiscard]] std::string name() const override { return "simple"; }
    [[nodiscard]] std::string author() const override { return "nobody"; }
    think::OptionSet& options() override { return options_; }
    base::Result<void> prepare() override { return {}; }
    void new_game() override { ++games_; }
    think::Answer think(const shogi::Position& position, const think::Limits& /*limits*/, think::Observer& /*observer*/,
                        std::stop_token /*stop*/) override {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        think::Answer answer;
        answer.kind = think::Answer::Kind::move;
        answer.move = last_ ? *(moves.end() - 1) : *moves.begin();
        return answer;
    }
    void game_over(think::GameResult /*result*/) override {}

private:
    bool last_;
    int& games_;
    think::OptionSet options_;
};

EngineSpec guest(const std::string& name, bool last, int& games) {
    EngineSpec spec;
    spec.name = name;
    spec.allowance.nodes = 1;
    spec.guest = Guest{"plays the " + name + " move",
                       [last, &games](const Rules&) -> base::Result<std::unique_ptr<think::Player>> {
                           return std::unique_ptr<think::Player>(std::make_unique<Simple>(last, games));
                       }};
    return spec;
}

TEST(Guest, PlaysInAMatchWithoutAProcess) {
    const test::TempFolder folder;
    int first = 0;
    int last = 0;
    MatchConfig config;
    config.engines = {guest("first", false, first), guest("last", true, last)};
    config.games = 2;
    config.pool.play.rules.max_moves = 60;
    config.folder = folder.path();
    const auto match = Match::open(config);
    ASSERT_TRUE(match.ok()) << match.error().message;
    ASSERT_TRUE((*match)->run({}).ok());
    EXPECT_TRUE((*match)->complete());
    EXPECT_EQ(first, 2);
    EXPECT_EQ(last, 2);
}

TEST(Guest, IsAnotherPlayerWhenItsDescriptionIsAnother) {
    int games = 0;
    EngineSpec spec = guest("first", false, games);
    EXPECT_FALSE(spec.is_own());
    const auto before = describe(spec);
    ASSERT_TRUE(before.ok()) << before.error().message;
    EXPECT_EQ(before->at("guest"), "plays the first move");
    spec.guest->description = "plays any move";
    EXPECT_NE(describe(spec)->dump(), before->dump());
}

TEST(Guest, HasNothingToTune) {
    int games = 0;
    const auto contestant = make_contestant(guest("first", false, games), {});
    EXPECT_FALSE(contestant->new_game({{"lmr_base", "1"}}).ok());
    EXPECT_TRUE(contestant->new_game({}).ok());
    EXPECT_EQ(games, 1);
}

}  // namespace
}  // namespace tsumugi::arena
