// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "eval/nnue/calibration.hpp"

namespace tsumugi {
namespace {

using eval::nnue::Observation;

TEST(Calibration, FindsTheScaleOfScores) {
    base::Random random(1);
    std::vector<Observation> observations;
    for (int i = 0; i < 2000; ++i) {
        const double score = random.normal(0, 500);
        observations.push_back({24 * score + 100 + random.normal(0, 800), score});
    }
    const auto fit = eval::nnue::fit_scores(observations);
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_NEAR(fit->slope, 24, 0.2);
    EXPECT_NEAR(fit->offset, 100, 80);
    EXPECT_GT(fit->correlation, 0.99);
}

TEST(Calibration, FindsTheScaleOfResults) {
    base::Random random(2);
    std::vector<Observation> observations;
    for (int i = 0; i < 50000; ++i) {
        const double raw = random.normal(0, 12000);
        observations.push_back({raw, random.chance(1 / (1 + std::exp(-raw / 9600))) ? 1.0 : 0.0});
    }
    const auto fit = eval::nnue::fit_results(observations);
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_NEAR(fit->scale, 9600, 300);
    EXPECT_LT(fit->loss, fit->baseline);
}

TEST(Calibration, SaysWhyNothingCanBeFitted) {
    using Observations = std::vector<Observation>;
    EXPECT_FALSE(eval::nnue::fit_scores(Observations{{1, 2}}));
    EXPECT_FALSE(eval::nnue::fit_scores(Observations{{1, 2}, {3, 2}}));
    EXPECT_FALSE(eval::nnue::fit_results(Observations{}));
    EXPECT_FALSE(eval::nnue::fit_results(Observations{{0, 1}, {0, 0}}));
    EXPECT_FALSE(eval::nnue::fit_results(Observations{{100, 0}, {-100, 1}}));
    EXPECT_FALSE(eval::nnue::fit_results(Observations{{100, 1}, {-100, 0}}));
}

}  // namespace
}  // namespace tsumugi
