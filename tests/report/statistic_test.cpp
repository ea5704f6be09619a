// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/statistic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tsumugi::report {
namespace {

TEST(Statistic, SummarisesSamples) {
    const std::vector<double> samples = {2, 4, 4, 4, 5, 5, 7, 9};
    EXPECT_DOUBLE_EQ(mean(samples), 5);
    EXPECT_DOUBLE_EQ(variance(samples), 32.0 / 7);
    EXPECT_DOUBLE_EQ(median(samples), 4.5);
    EXPECT_DOUBLE_EQ(quantile(samples, 0), 2);
    EXPECT_DOUBLE_EQ(quantile(samples, 1), 9);
    EXPECT_DOUBLE_EQ(quantile(samples, 0.25), 4);
    EXPECT_DOUBLE_EQ(quantile(samples, 0.9), 7.6);
    EXPECT_DOUBLE_EQ(median(std::vector<double>{3, 1, 2}), 2);
    EXPECT_DOUBLE_EQ(variance(std::vector<double>{3}), 0);
}

TEST(Statistic, KeepsTheVarianceOfLargeNumbers) {
    EXPECT_DOUBLE_EQ(variance(std::vector<double>{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}), 30);
}

TEST(Normal, AgreesWithPublishedTables) {
    EXPECT_DOUBLE_EQ(normal_cdf(0), 0.5);
    EXPECT_NEAR(normal_cdf(1), 0.841344746068543, 1e-14);
    EXPECT_NEAR(normal_cdf(-3), 0.001349898031630, 1e-14);
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
    EXPECT_NEAR(normal_quantile(0.95), 1.644853626951472, 1e-12);
    EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
    EXPECT_NEAR(two_sided_z(0.99), 2.575829303548901, 1e-12);
}

TEST(Normal, QuantileUndoesTheDistributionFunction) {
    for (double x = -8; x <= 4; x += 0.37)
        EXPECT_NEAR(normal_quantile(normal_cdf(x)), x, 1e-10 * (1 + std::exp(x)));
}

TEST(StudentT, AgreesWithPublishedTables) {
    EXPECT_NEAR(student_t_quantile(0.975, 1), 12.7062, 5e-5);
    EXPECT_NEAR(student_t_quantile(0.975, 10), 2.228139, 5e-7);
    EXPECT_NEAR(student_t_quantile(0.95, 5), 2.015048, 5e-7);
    EXPECT_NEAR(student_t_quantile(0.995, 30), 2.749996, 5e-7);
    EXPECT_NEAR(student_t_cdf(1, 1), 0.75, 1e-12) << "one degree of freedom is Cauchy's distribution";
    EXPECT_NEAR(student_t_cdf(-std::sqrt(2.0), 2), 0.5 - 0.5 * std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(student_t_quantile(0.975, 1e7), normal_quantile(0.975), 1e-6);
}

TEST(WilsonInterval, AgreesWithKnownValues) {
    // 81 of 263 is the example of Newcombe (1998): 0.2553 to 0.3662.
    const Interval newcombe = wilson_interval(81, 263);
    EXPECT_NEAR(newcombe.low, 0.2553, 5e-5);
    EXPECT_NEAR(newcombe.high, 0.3662, 5e-5);
    // 15 of 148 and 0 of 20 of the same paper.
    EXPECT_NEAR(wilson_interval(15, 148).low, 0.0624, 5e-5);
    EXPECT_NEAR(wilson_interval(15, 148).high, 0.1605, 5e-5);
    EXPECT_DOUBLE_EQ(wilson_interval(0, 20).low, 0);
    EXPECT_NEAR(wilson_interval(0, 20).high, 0.1611, 5e-5);
    EXPECT_DOUBLE_EQ(wilson_interval(0, 0).high, 1);
    EXPECT_DOUBLE_EQ(wilson_interval(20, 20).high, 1);
}

TEST(WilsonInterval, CoversTheTruthAsOftenAsPromised) {
    base::Random random(1);
    for (const double truth : {0.05, 0.5, 0.8}) {
        int covered = 0;
        for (int round = 0; round < 4000; ++round) {
            int successes = 0;
            for (int i = 0; i < 100; ++i)
                successes += random.chance(truth);
            covered += wilson_interval(successes, 100).contains(truth);
        }
        EXPECT_NEAR(covered / 4000.0, 0.95, 0.025) << truth;
    }
}

TEST(MeanInterval, CoversTheTruthAsOftenAsPromised) {
    base::Random random(2);
    int covered = 0;
    for (int round = 0; round < 2000; ++round) {
        std::vector<double> samples;
        for (int i = 0; i < 5; ++i)
            samples.push_back(random.normal(10, 3));
        covered += mean_interval(samples, 0.9).contains(10);
    }
    EXPECT_NEAR(covered / 2000.0, 0.9, 0.03);
}

TEST(BootstrapInterval, AgreesWithTheNormalIntervalForAMean) {
    base::Random random(3);
    std::vector<double> samples;
    for (int i = 0; i < 400; ++i)
        samples.push_back(random.normal(0, 1));
    const Interval bootstrap = bootstrap_interval(samples, mean, 4000, random);
    const Interval exact = mean_interval(samples);
    EXPECT_NEAR(bootstrap.low, exact.low, 0.015);
    EXPECT_NEAR(bootstrap.high, exact.high, 0.015);
}

}  // namespace
}  // namespace tsumugi::report
