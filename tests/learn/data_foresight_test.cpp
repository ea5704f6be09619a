// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/foresight.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/data_support.hpp"
#include "learn/train/loss.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn::data {
namespace {

using record::ArchivedGame;
using record::ArchivedPly;
using test::checked;
using testing::HasSubstr;

// What the definition says, ply by ply: the share of each later verdict, seen from the side to move.
int by_definition(const ArchivedGame& game, std::size_t at, double decay, double scale) {
    const shogi::Color first = game.start.side_to_move;
    const auto mover = [&](std::size_t ply) { return ply % 2 == 0 ? first : ~first; };
    double sum = 0;
    double left = 1;
    for (std::size_t ply = at; ply < game.plies.size(); ++ply) {
        if (!game.plies[ply].has_score()) continue;
        const double p = win_probability(std::clamp<int>(game.plies[ply].score, -3000, 3000), scale);
        sum += left * (1 - decay) * (mover(ply) == mover(at) ? p : 1 - p);
        left *= decay;
    }
    sum += left * 0.5 * (result_for(mover(at), game.result) + 1);
    return static_cast<int>(std::lround(std::clamp(scale * std::log(sum / (1 - sum)), -3000.0, 3000.0)));
}

TEST(DataForesight, IsTheMeanOfLaterScoresWithFallingWeights) {
    for (const ArchivedGame& game : test::random_games(0, 30)) {
        ArchivedGame foreseen = game;
        foresee(foreseen, 0.8, 700);
        for (std::size_t i = 0; i < game.plies.size(); ++i) {
            EXPECT_EQ(foreseen.plies[i].move, game.plies[i].move);
            ASSERT_EQ(foreseen.plies[i].has_score(), game.plies[i].has_score());
            if (game.plies[i].has_score()) {
                EXPECT_NEAR(foreseen.plies[i].score, by_definition(game, i, 0.8, 700), 1);
            }
        }
    }
}

TEST(DataForesight, KeepsScoresWithoutItAndKnowsOnlyTheResultWithTheMost) {
    const ArchivedGame game = test::random_game(7);
    ArchivedGame same = game;
    foresee(same, 0, 600);
    EXPECT_EQ(same, game);
    ArchivedGame end = game;
    end.result = record::HcpeResult::black_win;
    foresee(end, 1, 600);
    auto side = end.start.side_to_move;
    for (const ArchivedPly& ply : end.plies) {
        if (ply.has_score()) {
            EXPECT_EQ(ply.score, side == shogi::Color::black ? 3000 : -3000);
        }
        side = ~side;
    }
}

TEST(DataForesight, WritesArchivesWithTheirProvenanceAndRefusesSinglePositions) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 20);
    test::write_items(folder / "a.tsa", games);
    const FlowReport report = checked(foresee({{folder / "a.tsa"}, folder / "b.tsa", false, 0.9, 600}, {}));
    EXPECT_EQ(report.games, 20U);
    const auto written = test::read_all<ArchivedGame>(folder / "b.tsa");
    ASSERT_EQ(written.size(), games.size());
    ArchivedGame expected = games[3];
    foresee(expected, 0.9, 600);
    EXPECT_EQ(written[3], expected);
    const auto provenance = test::read_all<Provenance>(folder / "b.tsa");
    ASSERT_FALSE(provenance.empty());
    EXPECT_THAT(provenance[0].text, HasSubstr("data foresee"));

    test::write_items(folder / "a.psv", test::positions_of(games));
    const auto refused = foresee({{folder / "a.psv"}, folder / "c.tsa", false, 0.9, 600}, {});
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("does not say what followed"));
    EXPECT_FALSE(foresee({{folder / "a.tsa"}, folder / "d.tsa", false, 1.5, 600}, {}).ok());
}

}  // namespace
}  // namespace tsumugi::learn::data
