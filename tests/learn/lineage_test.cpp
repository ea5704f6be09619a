// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/lineage.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn {
namespace {

using testing::HasSubstr;

// Remembers what it was told, and stops the lineage after some calls.
class Watcher : public LineageObserver {
public:
    explicit Watcher(std::uint64_t patience = ~std::uint64_t{0}) : patience_(patience) {}

    void on_stage(std::uint64_t generation, const std::string& stage, std::uint64_t, std::uint64_t) override {
        stages.push_back(std::to_string(generation) + " " + stage);
    }
    void on_progress(std::uint64_t, const std::string&) override {
        if (patience_ > 0) --patience_;
        if (patience_ == 0) source.request_stop();
    }
    void on_generation(const Generation& generation) override { finished.push_back(generation.number); }

    std::stop_source source;
    std::vector<std::string> stages;
    std::vector<std::uint64_t> finished;

private:
    std::uint64_t patience_;
};

LineageSettings small(const std::filesystem::path& folder) {
    LineageSettings settings;
    settings.folder = folder;
    settings.generations = 2;
    settings.selfplay.positions = 1500;
    settings.selfplay.nodes = 30;
    settings.selfplay.table_mib = 1;
    settings.selfplay.end.max_moves = 80;
    settings.train.architecture.width = 32;
    settings.train.epochs = 2;
    settings.train.batch = 256;
    settings.games = 4;
    settings.match_nodes = 30;
    settings.filter.validation = 0.2;
    settings.foresight = 0.9;
    settings.beside_nodes = 20;
    return settings;
}

TEST(Lineage, FinishesHoweverOftenItIsStopped) {
    const test::TempFolder folder;
    const LineageSettings settings = small(folder / "zero");
    int starts = 0;
    std::vector<std::uint64_t> finished;
    for (bool done = false; !done; ++starts) {
        ASSERT_LT(starts, 200);
        auto lineage = Lineage::open(settings);
        ASSERT_TRUE(lineage) << lineage.error().message;
        Watcher watcher(10);
        const auto ran = lineage->run(watcher, watcher.source.get_token());
        ASSERT_TRUE(ran) << ran.error().message;
        finished.insert(finished.end(), watcher.finished.begin(), watcher.finished.end());
        done = lineage->generations().size() == 2;
    }
    EXPECT_GT(starts, 3);
    EXPECT_THAT(finished, testing::ElementsAre(1, 2));

    const auto lineage = Lineage::open(settings);
    ASSERT_TRUE(lineage);
    ASSERT_EQ(lineage->generations().size(), 2U);
    const Generation& first = lineage->generations()[0];
    EXPECT_EQ(first.player, "material");
    EXPECT_GE(first.new_positions, 1500U);
    EXPECT_GT(first.learned_positions, 500U);
    EXPECT_EQ(first.against_player.games.games(), 4U);
    EXPECT_FALSE(first.against_start);
    const Generation& second = lineage->generations()[1];
    EXPECT_EQ(second.player, first.kept ? "1" : "material");
    EXPECT_EQ(second.against_start.has_value(), first.kept);
    EXPECT_TRUE(std::filesystem::exists(settings.folder / "002" / "train" / "nn.bin"));
    EXPECT_EQ(std::filesystem::file_size(settings.folder / "002" / "beside.psv"),
              std::filesystem::file_size(settings.folder / "002" / "beside-unsearched.psv"));
    EXPECT_NE(test::read_file(settings.folder / "002" / "beside.psv"),
              test::read_file(settings.folder / "002" / "beside-unsearched.psv"));
    EXPECT_THAT(lineage->to_html(), HasSubstr("Elo over material"));
    EXPECT_EQ(lineage->best_net() == "material", !first.kept && !second.kept);
}

TEST(Lineage, BeginsANetWithWhatThePlayerKnew) {
    const test::TempFolder folder;
    LineageSettings settings = small(folder / "heirs");
    settings.generations = 1;
    settings.heir_rate = 1e-12;  // learns nothing of its own
    settings.train.schedule.final_rate = 1e-12;
    const auto run = [&] {
        auto lineage = Lineage::open(settings);
        ASSERT_TRUE(lineage) << lineage.error().message;
        Watcher watcher;
        ASSERT_TRUE(lineage->run(watcher, {}));
    };
    run();
    const std::string heir = test::read_file(settings.folder / "001" / "train" / "nn.bin");
    EXPECT_FALSE(heir.empty());
    EXPECT_EQ(heir, test::read_file(settings.folder / "counter" / "nn.bin"));

    settings.folder = folder / "fresh";
    settings.inherits = false;
    run();
    EXPECT_FALSE(std::filesystem::exists(settings.folder / "counter"));
    EXPECT_NE(heir, test::read_file(settings.folder / "001" / "train" / "nn.bin"));
}

TEST(Lineage, GoesOnFromANetOfAnEarlierRun) {
    const test::TempFolder folder;
    LineageSettings settings = small(folder / "earlier");
    settings.generations = 1;
    const auto run = [&] {
        auto lineage = Lineage::open(settings);
        ASSERT_TRUE(lineage) << lineage.error().message;
        Watcher watcher;
        ASSERT_TRUE(lineage->run(watcher, {}));
    };
    run();
    const auto ancestor = settings.folder / "001" / "train" / "nn.bin";

    settings.folder = folder / "later";
    settings.ancestor = ancestor.string();
    settings.heir_rate = 1e-12;  // learns nothing of its own
    settings.train.schedule.final_rate = 1e-12;
    run();
    EXPECT_FALSE(std::filesystem::exists(settings.folder / "counter"));
    EXPECT_EQ(test::read_file(ancestor), test::read_file(settings.folder / "001" / "train" / "nn.bin"));
    const auto lineage = Lineage::open(settings);
    ASSERT_TRUE(lineage);
    EXPECT_EQ(lineage->generations()[0].player, "nn.bin");
    ASSERT_TRUE(lineage->generations()[0].against_start);
    EXPECT_EQ(lineage->generations()[0].against_start->games.games(), 4U);
    EXPECT_THAT(lineage->to_html(), testing::Not(HasSubstr("sum of the steps")));

    settings.ancestor.clear();
    const auto without = Lineage::open(settings);
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().message, HasSubstr("goes on from"));
}

TEST(Lineage, RefusesTheFolderOfAnother) {
    const test::TempFolder folder;
    LineageSettings settings = small(folder / "a");
    settings.generations = 1;
    {
        auto lineage = Lineage::open(settings);
        ASSERT_TRUE(lineage);
        Watcher watcher;
        ASSERT_TRUE(lineage->run(watcher, {}));
    }
    settings.start = "teacher.nnue";
    const auto other = Lineage::open(settings);
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("started from 'material'"));
}

TEST(Generation, SurvivesJson) {
    Generation generation;
    generation.number = 3;
    generation.player = "2";
    generation.net_sha256 = "abc";
    generation.new_positions = 7;
    generation.validation_loss = 0.25;
    generation.against_player.games = {3, 1, 0};
    generation.against_player.estimate.elo = INFINITY;
    generation.against_player.estimate.elo_interval = {12.5, INFINITY};
    generation.against_start = MatchResult{{4, 0, 0}, {}};
    generation.kept = true;
    const auto back = Generation::from_json(nlohmann::ordered_json::parse(generation.to_json().dump()));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->to_json(), generation.to_json());
    EXPECT_TRUE(std::isinf(back->against_player.estimate.elo));
    EXPECT_FALSE(Generation::from_json(nlohmann::ordered_json::parse(R"({"number": "three"})")));
}

}  // namespace
}  // namespace tsumugi::learn
