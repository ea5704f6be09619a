// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "learn/threatmate/logistic.hpp"
#include "learn/threatmate/sample.hpp"
#include "learn/threatmate/training.hpp"
#include "learn/threatmate/validation.hpp"
#include "support/data.hpp"
#include "support/progress.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn::threatmate {
namespace {

using testing::HasSubstr;

// Answers drawn by a known model over numbers of very different size; the third number never changes.
Observations drawn(std::size_t count, const LogisticModel& truth, std::uint64_t seed) {
    base::Random random(seed);
    Observations observations;
    observations.width = 3;
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double> row{random.normal(), random.normal(50, 20), 7};
        observations.add(row, random.chance(truth.probability(row)));
    }
    return observations;
}

LogisticModel known_model() {
    LogisticModel model;
    model.bias = -2;
    model.weights = {1.5, 0.04, 0};
    return model;
}

TEST(LogisticRegression, FindsTheWeightsThatTheAnswersWereDrawnWith) {
    const LogisticModel truth = known_model();
    const auto model = fit(drawn(40'000, truth, 1));
    ASSERT_TRUE(model.ok()) << model.error().message;
    EXPECT_NEAR(model->weights[0], 1.5, 0.06);
    EXPECT_NEAR(model->weights[1], 0.04, 0.003);
    EXPECT_EQ(model->weights[2], 0) << "nothing can be learned from what never changes";
    EXPECT_NEAR(model->bias, -2, 0.15);
    EXPECT_NEAR(model->standardised[1], 20 * model->weights[1], 0.02);
}

TEST(LogisticRegression, StandsWhereTheLikelihoodHasNoSlope) {
    const Observations observations = drawn(2'000, known_model(), 2);
    FitSettings settings;
    settings.ridge = 0;
    const auto model = fit(observations, settings);
    ASSERT_TRUE(model.ok());
    double slope = 0;
    double slope_of_bias = 0;
    for (std::size_t i = 0; i < observations.size(); ++i) {
        const double error = (observations.answers[i] ? 1 : 0) - model->probability(observations.row(i));
        slope += error * observations.row(i)[0];
        slope_of_bias += error;
    }
    EXPECT_NEAR(slope, 0, 1e-5);
    EXPECT_NEAR(slope_of_bias, 0, 1e-5);
}

TEST(LogisticRegression, KeepsWeightsFiniteByTheRidgeWhereAnswersAreSeparable) {
    Observations observations;
    observations.width = 1;
    for (int i = -10; i <= 10; ++i)
        observations.add(std::vector<double>{static_cast<double>(i)}, i > 0);
    const auto model = fit(observations);
    ASSERT_TRUE(model.ok());
    EXPECT_GT(model->standardised[0], 0.5);
    EXPECT_LT(model->standardised[0], 20);
}

TEST(LogisticRegression, NeedsBothAnswers) {
    Observations observations;
    observations.width = 1;
    observations.add(std::vector<double>{1}, true);
    observations.add(std::vector<double>{2}, true);
    EXPECT_THAT(fit(observations).error().message, HasSubstr("2 of 2"));
}

TEST(ThreatmateQuality, CountsWhatWasGuessedRight) {
    const std::vector<Guess> guesses{{0.9, true}, {0.8, false}, {0.6, true}, {0.4, true}, {0.3, false}, {0.1, false}};
    const Quality quality = quality_of(guesses);
    EXPECT_DOUBLE_EQ(quality.accuracy(), 4 / 6.0);
    EXPECT_DOUBLE_EQ(quality.true_positive_rate(), 2 / 3.0);
    EXPECT_DOUBLE_EQ(quality.true_negative_rate(), 2 / 3.0);
    // Of nine pairs of a threat and another move seven are in the right order.
    EXPECT_DOUBLE_EQ(quality.area, 7 / 9.0);
}

TEST(ThreatmateQuality, TakesTiesForHalfAndADrawnCurveForItsArea) {
    EXPECT_DOUBLE_EQ(quality_of(std::vector<Guess>{{0.5, true}, {0.5, false}, {0.5, false}}).area, 0.5);
    base::Random random(3);
    std::vector<Guess> guesses;
    for (int i = 0; i < 2'000; ++i) {
        const bool threat = random.chance(0.3);
        guesses.push_back({std::round(100 * (random.uniform() + (threat ? 0.3 : 0))) / 130, threat});
    }
    const std::vector<RocPoint> curve = roc_curve(guesses, 1'000'000);
    double area = 0;
    for (std::size_t i = 1; i < curve.size(); ++i)
        area += (curve[i].false_positive_rate - curve[i - 1].false_positive_rate) *
                (curve[i].true_positive_rate + curve[i - 1].true_positive_rate) / 2;
    EXPECT_NEAR(area, quality_of(guesses).area, 1e-9);
    EXPECT_EQ(curve.back().true_positive_rate, 1);
    EXPECT_EQ(curve.back().false_positive_rate, 1);
    EXPECT_LE(roc_curve(guesses, 10).size(), 13U);
}

// A game whose last moves threaten mate again and again: a pawn and a gold in hand against a bare king.
record::tool::GameLine siege() {
    record::tool::GameLine line;
    line.start = shogi::Setup();
    line.start.put(shogi::Square::at(5, 1), {shogi::Color::white, shogi::Kind::king});
    line.start.put(shogi::Square::at(5, 4), {shogi::Color::black, shogi::Kind::pawn});
    line.start.put(shogi::Square::at(5, 9), {shogi::Color::black, shogi::Kind::king});
    line.start.hand(shogi::Color::black).add(shogi::Kind::gold, 2);
    const auto step = [](int file, int rank, int to_file, int to_rank) {
        return shogi::Move::board(shogi::Square::at(file, rank), shogi::Square::at(to_file, to_rank));
    };
    line.moves = {step(5, 4, 5, 3), step(5, 1, 4, 1), step(5, 9, 5, 8), step(4, 1, 5, 1), step(5, 8, 5, 7)};
    return line;
}

TEST(ThreatmateSamples, AreWhatTheMateSolverSaysOfTheMoves) {
    base::Progress progress("test", std::nullopt, 0, test::no_progress());
    SampleSettings settings;
    settings.from_ply = 0;
    const std::vector<record::tool::GameLine> games(3, siege());
    const auto set = gather_samples(games, settings, progress, {});
    ASSERT_TRUE(set.ok()) << set.error().message;
    EXPECT_EQ(set->games, 3U);
    EXPECT_GT(set->threats(), 0U);
    EXPECT_EQ(progress.done(), set->threats());
    EXPECT_EQ(set->unsettled, 0U);
    std::set<std::size_t> numbers;
    for (const Sample& sample : set->samples) {
        numbers.insert(sample.game);
        if (sample.features[search::threatmate::Feature::mate_in_one] == 1) {
            EXPECT_TRUE(sample.threat) << "a mate in one is a mate";
        }
    }
    EXPECT_EQ(numbers.size(), 3U);
}

TEST(ThreatmateSamples, DoNotDependOnTheNumberOfThreads) {
    const auto games = record::tool::read_game_lines({test::own_data("games").string()});
    ASSERT_TRUE(games.ok());
    const auto with_threads = [&](int threads) {
        base::Progress progress("test", std::nullopt, 0, test::no_progress());
        SampleSettings settings;
        settings.solver_nodes = 200;
        settings.threads = threads;
        return *gather_samples(*games, settings, progress, {});
    };
    const SampleSet one = with_threads(1);
    const SampleSet three = with_threads(3);
    ASSERT_EQ(one.samples.size(), three.samples.size());
    EXPECT_EQ(one.moves, three.moves);
    for (std::size_t i = 0; i < one.samples.size(); ++i) {
        EXPECT_EQ(one.samples[i].features.values(), three.samples[i].features.values());
        EXPECT_EQ(one.samples[i].threat, three.samples[i].threat);
    }
}

// Samples whose answer hangs on one feature, ten to a game.
std::vector<Sample> easy_samples() {
    base::Random random(4);
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < 600; ++i) {
        Sample sample;
        sample.game = i / 10;
        sample.features[search::threatmate::Feature::contacts] = random.normal();
        sample.features[search::threatmate::Feature::distance] = random.normal(4, 2);
        sample.threat = sample.features[search::threatmate::Feature::contacts] + 0.3 * random.normal() > 0;
        samples.push_back(sample);
    }
    return samples;
}

TEST(ThreatmateValidation, JudgesEveryGameByAModelOfTheOthers) {
    const std::vector<Sample> samples = easy_samples();
    const auto guesses = cross_validate(samples, 5, 1, {});
    ASSERT_TRUE(guesses.ok());
    ASSERT_EQ(guesses->size(), samples.size());
    EXPECT_GT(quality_of(*guesses).accuracy(), 0.8);
    // Turning the answers of one game round changes no guess about that game.
    std::vector<Sample> turned = samples;
    for (Sample& sample : turned)
        if (sample.game == 7) sample.threat = !sample.threat;
    const auto others = cross_validate(turned, 5, 1, {});
    ASSERT_TRUE(others.ok());
    for (std::size_t i = 70; i < 80; ++i)
        EXPECT_DOUBLE_EQ((*others)[i].probability, (*guesses)[i].probability);
}

TEST(ThreatmateTraining, WritesAReportAndAModelThatSaysWhatItWasMadeOf) {
    TrainingResult result;
    result.set.samples = easy_samples();
    result.guesses = *cross_validate(result.set.samples, 5, 1, {});
    result.quality = quality_of(result.guesses);
    result.model = *fit(observations_of(result.set.samples));
    result.provenance = "tsumugi train threatmate some.tsa\nGames: some.tsa.";
    const test::TempFolder folder;
    ASSERT_TRUE(write_training(folder / "out", result).ok());
    const std::string source = test::read_file(folder / "out/threatmate_model.cpp");
    EXPECT_THAT(source, HasSubstr("// tsumugi train threatmate some.tsa\n// Games: some.tsa.\n"));
    EXPECT_THAT(source, HasSubstr("// contacts\n"));
    const std::string page = test::read_file(folder / "out/threatmate.html");
    EXPECT_THAT(page, HasSubstr("<svg"));
    EXPECT_THAT(page, HasSubstr("0.7982"));
    EXPECT_THAT(test::read_file(folder / "out/threatmate.json"), HasSubstr("\"accuracy\""));
}

TEST(ThreatmateTraining, SaysWhatIsWrongWithTheGames) {
    TrainingSettings settings;
    settings.games = {"no such file"};
    EXPECT_THAT(train(settings, test::no_progress(), {}).error().message, HasSubstr("no such file"));
    settings.games = {test::own_data("games").string()};
    settings.sample.from_ply = 5'000;
    EXPECT_THAT(train(settings, test::no_progress(), {}).error().message, HasSubstr("no move threatens mate"));
}

}  // namespace
}  // namespace tsumugi::learn::threatmate
