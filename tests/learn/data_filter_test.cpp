// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/branch.hpp"
#include "learn/data/filter.hpp"
#include "learn/data/leaf.hpp"
#include "learn/data/quiescence.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include "eval/material.hpp"
#include "eval/mirror.hpp"
#include "eval/net.hpp"
#include "learn/data/statistics.hpp"
#include "learn/data_support.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn::data {
namespace {

using record::ArchivedGame;
using record::ArchivedPly;
using record::PackedSfenValue;
using test::checked;

shogi::Position position_of_sfen(const char* sfen) { return *shogi::Position::from(*record::parse_sfen(sfen)); }

// Counts by hand what a rule lets through of games, and compares with what the filter leaves in every format,
// whatever the number of workers.
template <typename Expected>
void expect_kept(const FilterRules& rules, Expected&& expected) {
    const test::TempFolder folder(test::fast_place());
    auto games = test::random_games(0, 60);
    test::write_items(folder / "a.tsa", games);
    test::write_items(folder / "a.psv", test::positions_of(games));
    const std::size_t all = test::positions_of(games).size();
    for (ArchivedGame& game : games)
        checked(replay(game, [&](shogi::Position& position, ArchivedPly& ply) {
            if (ply.has_score() && !expected(position, ply)) ply.score = ArchivedPly::no_score;
        }));
    const auto kept = test::positions_of(games);
    ASSERT_GT(kept.size(), 0U);
    ASSERT_LT(kept.size(), all) << "the rule leaves something out";

    const FilterReport report = checked(filter({{folder / "a.tsa"}, folder / "b.psv", false, rules, {}, 0, 3}, {}));
    EXPECT_EQ(report.read.positions, all);
    EXPECT_EQ(report.kept.positions, kept.size());
    EXPECT_EQ(test::read_all<PackedSfenValue>(folder / "b.psv"), kept);
    checked(filter({{folder / "a.psv"}, folder / "c.psv", false, rules, {}, 0, 1}, {}));
    EXPECT_EQ(test::read_all<PackedSfenValue>(folder / "c.psv"), kept);
    checked(filter({{folder / "a.tsa"}, folder / "c.tsa", false, rules, {}, 0, 2}, {}));
    EXPECT_EQ(test::positions_of(test::read_all<ArchivedGame>(folder / "c.tsa")), kept);
}

TEST(DataFilter, KeepsPliesWithinTheLimits) {
    FilterRules rules;
    rules.min_ply = 8;
    rules.max_ply = 30;
    expect_kept(rules, [](const shogi::Position& position, const ArchivedPly&) {
        return position.move_number() >= 9 && position.move_number() <= 31;
    });
}

TEST(DataFilter, KeepsScoresWithinTheLimits) {
    FilterRules rules;
    rules.min_score = 50;
    rules.max_score = 400;
    expect_kept(rules, [](const shogi::Position&, const ArchivedPly& ply) {
        return std::abs(ply.score) >= 50 && std::abs(ply.score) <= 400;
    });
}

TEST(DataFilter, LeavesOutChecks) {
    FilterRules rules;
    rules.in_check = false;
    expect_kept(rules, [](const shogi::Position& position, const ArchivedPly&) { return !position.in_check(); });
}

TEST(DataFilter, LeavesOutLoudBestMoves) {
    FilterRules rules;
    rules.loud_move = false;
    expect_kept(rules, [](const shogi::Position& position, const ArchivedPly& ply) {
        return position.in_check() || (!position.is_capture(ply.move) && !ply.move.promotes());
    });
}

TEST(DataFilter, LeavesOutWhatCapturesChange) {
    FilterRules rules;
    rules.quiet_margin = 100;
    Quiescence quiescence(eval::default_evaluator());
    expect_kept(rules, [&](shogi::Position& position, const ArchivedPly&) {
        if (position.in_check()) return false;
        const auto verdict = quiescence.judge(position);
        return std::abs(verdict.after - verdict.before) <= 100;
    });
}

TEST(DataFilter, DropsGamesByLengthAndResultAndThoseWithNothingLeft) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 100);
    test::write_items(folder / "a.tsa", games);
    FilterRules rules;
    rules.shortest = 10;
    rules.longest = 40;
    rules.draws = false;
    rules.max_score = 10;
    checked(filter({{folder / "a.tsa"}, folder / "b.tsa", false, rules, {}, 0, 1}, {}));
    const auto kept = test::read_all<ArchivedGame>(folder / "b.tsa");
    std::set<std::uint64_t> numbers;
    for (const ArchivedGame& game : kept)
        numbers.insert(game.number);
    ASSERT_GT(numbers.size(), 5U);
    for (const ArchivedGame& game : games) {
        const bool scored = std::any_of(game.plies.begin(), game.plies.end(), [](const ArchivedPly& ply) {
            return ply.has_score() && std::abs(ply.score) <= 10;
        });
        const bool wanted =
            scored && game.plies.size() >= 10 && game.plies.size() <= 40 && game.result != record::HcpeResult::draw;
        EXPECT_EQ(numbers.count(game.number) == 1, wanted) << game.number;
    }
    EXPECT_EQ(test::read_all<Provenance>(folder / "b.tsa").size(), 1U);
}

TEST(Quiescence, SeesThatAPieceHangs) {
    Quiescence quiescence(eval::material_evaluator());
    // A rook that a pawn can take for nothing, and the same one defended by nothing but out of reach.
    auto hanging = position_of_sfen("4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1");
    const auto loud = quiescence.judge(hanging);
    EXPECT_GT(loud.after, loud.before + 900);
    auto safe = position_of_sfen("4k4/9/9/9/3r5/4P4/9/9/4K4 b - 1");
    const auto quiet = quiescence.judge(safe);
    EXPECT_EQ(quiet.after, quiet.before);
}

TEST(Quiescence, DoesNotTakeWhatIsDefended) {
    Quiescence quiescence(eval::material_evaluator());
    // The rook could take a pawn that a gold defends.
    auto defended = position_of_sfen("4k4/4g4/4p4/9/4R4/9/9/9/4K4 b - 1");
    const auto verdict = quiescence.judge(defended);
    EXPECT_EQ(verdict.after, verdict.before);
}

TEST(Quiescence, LeavesThePositionAsItWasAndJudgesItTheSameAgain) {
    Quiescence quiescence(eval::default_evaluator());
    for (const ArchivedGame& each : test::random_games(0, 10)) {
        ArchivedGame game = each;
        checked(replay(game, [&](shogi::Position& position, ArchivedPly&) {
            if (position.in_check()) return;
            const auto before = position.setup();
            const auto first = quiescence.judge(position);
            EXPECT_EQ(position.setup(), before);
            const auto second = quiescence.judge(position);
            EXPECT_EQ(first.after, second.after);
            EXPECT_GE(first.after, first.before) << "one may always decline to capture";
        }));
    }
}

TEST(DataBranch, StepsAsideFromGamesToQuietPositionsWithScores) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 30);
    test::write_items(folder / "a.tsa", games);
    const auto grown = [&](const char* name, int workers, std::uint64_t seed) {
        BranchSettings settings;
        settings.inputs = {folder / "a.tsa"};
        settings.output = folder / name;
        settings.count = 2;
        settings.moves = 2;
        settings.net = "material";
        settings.workers = workers;
        settings.seed = seed;
        const GrowthReport report = checked(branch(settings, {}));
        auto positions = test::read_all<PackedSfenValue>(settings.output);
        EXPECT_EQ(positions.size(), report.written);
        return positions;
    };
    const auto positions = grown("b.psv", 1, 1);
    const std::size_t before = test::positions_of(games).size();
    EXPECT_GT(positions.size(), before);
    EXPECT_LT(positions.size(), 2 * before) << "some are in check";
    Quiescence judge(eval::material_evaluator());
    std::set<std::string> old;
    for (const PackedSfenValue& value : test::positions_of(games))
        old.insert(record::to_sfen(checked(position_of(value)).setup()));
    std::size_t known = 0;
    std::size_t quiet = 0;
    for (const PackedSfenValue& value : positions) {
        auto position = checked(position_of(value));
        EXPECT_FALSE(position.in_check());
        const Quiescence::Verdict verdict = judge.judge(position);
        EXPECT_EQ(value.score, verdict.before);
        quiet += verdict.line.empty() ? 1U : 0U;
        EXPECT_EQ(value.result, 0);
        known += old.count(record::to_sfen(position.setup()));
    }
    EXPECT_LT(known, positions.size() / 10);
    EXPECT_GT(quiet, positions.size() * 99 / 100) << "only the longest exchanges are cut off";
    EXPECT_EQ(grown("c.psv", 3, 1), positions) << "threads change nothing";
    EXPECT_NE(grown("d.psv", 1, 2), positions) << "another seed";
}

TEST(DataBranch, RefusesToWriteGames) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", test::random_games(0, 1));
    BranchSettings settings;
    settings.inputs = {folder / "a.tsa"};
    settings.output = folder / "b.tsa";
    settings.net = "material";
    const auto refused = branch(settings, {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find(".psv"), std::string::npos) << refused.error().message;
}

TEST(DataLeaves, AreWhatASearchAskedWithTheAnswers) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 8);
    test::write_items(folder / "a.tsa", games);
    const auto sampled = [&](const char* name, int workers, std::uint64_t seed, int every) {
        LeafSettings settings;
        settings.inputs = {folder / "a.tsa"};
        settings.output = folder / name;
        settings.net = "material";
        settings.nodes = 100;
        settings.every = every;
        settings.max_score = 1000;
        settings.table_mib = 1;
        settings.workers = workers;
        settings.seed = seed;
        const GrowthReport report = checked(sample_leaves(settings, {}));
        auto positions = test::read_all<PackedSfenValue>(settings.output);
        EXPECT_EQ(positions.size(), report.written);
        return positions;
    };
    const auto positions = sampled("b.psv", 1, 1, 4);
    const auto evaluation = eval::material_evaluator()->start();
    std::set<std::string> old;
    for (const PackedSfenValue& value : test::positions_of(games))
        old.insert(record::to_sfen(checked(position_of(value)).setup()));
    std::size_t known = 0;
    for (const PackedSfenValue& value : positions) {
        const auto position = checked(position_of(value));
        EXPECT_FALSE(position.in_check());
        evaluation->reset(position);
        EXPECT_EQ(value.score, evaluation->evaluate(position));
        EXPECT_LE(std::abs(value.score), 1000);
        EXPECT_EQ(value.result, 0);
        known += old.count(record::to_sfen(position.setup()));
    }
    EXPECT_LT(known, positions.size() / 4);
    EXPECT_EQ(sampled("c.psv", 3, 1, 4), positions) << "threads change nothing";
    EXPECT_NE(sampled("d.psv", 1, 2, 4), positions) << "another seed";
    const auto fewer = sampled("e.psv", 1, 1, 16);
    EXPECT_GT(fewer.size(), positions.size() / 6);
    EXPECT_LT(fewer.size(), positions.size() / 3);
}

TEST(DataLeaves, OfAnExplorerAreAnsweredByTheOther) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", test::random_games(0, 4));
    const auto sampled = [&](const char* name, const char* net, const char* explorer) {
        LeafSettings settings;
        settings.inputs = {folder / "a.tsa"};
        settings.output = folder / name;
        settings.net = net;
        settings.explorer = explorer;
        settings.nodes = 100;
        settings.max_score = 30000;
        settings.table_mib = 1;
        checked(sample_leaves(settings, {}));
        return test::read_all<PackedSfenValue>(settings.output);
    };
    const auto own = sampled("own.psv", "material", "");
    const auto answered = sampled("answered.psv", "", "material");
    const auto net = checked(eval::choose_evaluator(""));
    const auto built_in = net->start();
    ASSERT_EQ(answered.size(), own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        ASSERT_EQ(answered[i].position, own[i].position);
        const auto position = checked(position_of(own[i]));
        built_in->reset(position);
        EXPECT_EQ(answered[i].score, built_in->evaluate(position));
    }
    LeafSettings missing;
    missing.explorer = folder / "no-net.bin";
    EXPECT_FALSE(sample_leaves(missing, {}));
}

TEST(DataLeaves, AreAnsweredAlikeInBothMirrorImages) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", test::random_games(0, 2));
    const auto sampled = [&](const char* name, bool mirror_image) {
        LeafSettings settings;
        settings.inputs = {folder / "a.tsa"};
        settings.output = folder / name;
        settings.nodes = 100;
        settings.max_score = 30000;
        settings.table_mib = 1;
        settings.mirror_image = mirror_image;
        checked(sample_leaves(settings, {}));
        return test::read_all<PackedSfenValue>(settings.output);
    };
    const auto plain = sampled("plain.psv", false);
    const auto mean = sampled("mean.psv", true);
    const auto net = eval::with_mirror_image(checked(eval::choose_evaluator("")));
    const auto both = net->start();
    ASSERT_EQ(mean.size(), plain.size()) << "the net itself searches";
    std::size_t different = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        ASSERT_EQ(mean[i].position, plain[i].position);
        const auto position = checked(position_of(mean[i]));
        both->reset(position);
        EXPECT_EQ(mean[i].score, both->evaluate(position));
        different += static_cast<std::size_t>(mean[i].score != plain[i].score);
    }
    EXPECT_GT(different, plain.size() / 2);
}

TEST(DataLeaves, NeedNodesAndAShare) {
    LeafSettings settings;
    settings.every = 0;
    EXPECT_FALSE(sample_leaves(settings, {}));
    settings.every = 1;
    settings.nodes = 0;
    EXPECT_FALSE(sample_leaves(settings, {}));
}

TEST(DataStatistics, CountsWhatIsThere) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 50);
    std::vector<Item> items{Provenance{R"({"nodes":1000})"}};
    items.insert(items.end(), games.begin(), games.end());
    test::write_items(folder / "a.tsa", items);
    const auto statistics = gather_statistics({folder / "a.tsa"}, {});
    const auto json = nlohmann::json::parse(checked(statistics).json());
    const auto positions = test::positions_of(games);
    EXPECT_EQ(json["games"], 50);
    EXPECT_EQ(json["positions"], positions.size());
    EXPECT_EQ(json["provenance"][0]["nodes"], 1000);
    EXPECT_EQ(json["damaged_bytes"], 0);
    EXPECT_EQ(json["bytes"], std::filesystem::file_size(folder / "a.tsa"));
    std::array<std::uint64_t, 3> results{};
    for (const ArchivedGame& game : games)
        ++results[static_cast<std::size_t>(game.result)];
    EXPECT_EQ(json["game_results"]["draw"], results[0]);
    EXPECT_EQ(json["game_results"]["black"], results[1]);
    EXPECT_EQ(json["game_results"]["white"], results[2]);
    std::uint64_t sum = 0;
    for (const auto& band : json["scores"])
        sum += band["positions"].get<std::uint64_t>();
    EXPECT_EQ(sum, positions.size());
    sum = 0;
    for (const auto& band : json["plies"])
        sum += band["positions"].get<std::uint64_t>();
    EXPECT_EQ(sum, positions.size());
    std::vector<int> scores;
    for (const PackedSfenValue& value : positions)
        scores.push_back(value.score);
    std::sort(scores.begin(), scores.end());
    EXPECT_EQ(json["quantiles"][3]["score"], scores[(scores.size() + 1) / 2 - 1]) << "the median";
    const std::string text = statistics->text();
    EXPECT_NE(text.find("games        50"), std::string::npos) << text;
    EXPECT_NE(text.find(R"({"nodes":1000})"), std::string::npos) << text;
}

TEST(DataStatistics, AgreesForGamesAndTheirPositions) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 50);
    test::write_items(folder / "a.tsa", games);
    test::write_items(folder / "a.psv", test::positions_of(games));
    const auto of_games = nlohmann::json::parse(checked(gather_statistics({folder / "a.tsa"}, {})).json());
    const auto of_positions = nlohmann::json::parse(checked(gather_statistics({folder / "a.psv"}, {})).json());
    for (const char* name :
         {"positions", "position_results", "in_check", "loud", "distinct_estimate", "scores", "plies", "quantiles"})
        EXPECT_EQ(of_games[name], of_positions[name]) << name;
}

TEST(DataStatistics, FindsWhatScoresAreWorth) {
    base::Random random(6);
    Statistics statistics;
    EXPECT_FALSE(statistics.win_rate()) << "nothing to go by";
    PackedSfenValue value = test::positions_of(test::random_games(0, 1)).front();
    for (int i = 0; i < 20'000; ++i) {
        value.score = static_cast<std::int16_t>(random.between(-1500, 1500));
        value.result = random.chance(1 / (1 + std::exp(-value.score / 500.0))) ? 1 : -1;
        checked(statistics.add(value));
    }
    EXPECT_NEAR(checked(statistics.win_rate()).scale, 500, 30);
}

TEST(DataStatistics, EstimatesHowManyPositionsDiffer) {
    DistinctCount few;
    DistinctCount many;
    base::Random random(5);
    std::vector<std::uint64_t> keys(400'000);
    for (std::uint64_t& key : keys)
        key = random();
    for (int round = 0; round < 3; ++round)
        for (std::size_t i = 0; i < keys.size(); ++i) {
            many.add(keys[i]);
            if (i < 1000) few.add(keys[i]);
        }
    EXPECT_NEAR(few.estimate(), 1000, 20);
    EXPECT_NEAR(many.estimate(), 400'000, 400'000 * 0.02) << "five standard errors";
    EXPECT_EQ(DistinctCount().estimate(), 0);
}

}  // namespace
}  // namespace tsumugi::learn::data
