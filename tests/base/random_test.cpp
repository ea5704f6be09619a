// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace tsumugi::base {
namespace {

using State = std::array<std::uint64_t, 4>;

TEST(SplitMix64, GivesThePublishedSequenceForSeed1234567) {
    SplitMix64 mix(1234567);
    for (const std::uint64_t expected : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                                         4593380528125082431ULL, 16408922859458223821ULL})
        EXPECT_EQ(mix(), expected);
}

TEST(Random, GivesTheSequenceOfXoshiro256StarStarForTheState1234) {
    Random random = Random::from_state({1, 2, 3, 4});
    for (const std::uint64_t expected :
         {11520ULL, 0ULL, 1509978240ULL, 1215971899390074240ULL, 1216172134540287360ULL, 607988272756665600ULL})
        EXPECT_EQ(random(), expected);
}

TEST(Random, RepeatsItselfForTheSameSeedOnly) {
    Random a(7);
    Random b(7);
    Random c(8);
    int equal_to_other_seed = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t number = a();
        EXPECT_EQ(number, b());
        equal_to_other_seed += number == c();
    }
    EXPECT_EQ(equal_to_other_seed, 0);
}

TEST(Random, ContinuesFromASavedState) {
    Random random(99);
    for (int i = 0; i < 10; ++i)
        random();
    Random restored = Random::from_state(random.state());
    EXPECT_EQ(restored, random);
    EXPECT_EQ(restored(), random());
}

// One step of the generator is a linear map over bits. Row i holds what the i-th bit alone becomes.
using Matrix = std::vector<State>;

State image(const Matrix& matrix, const State& state) {
    State result{};
    for (std::size_t bit = 0; bit < 256; ++bit)
        if ((state[bit / 64] >> (bit % 64)) & 1)
            for (std::size_t i = 0; i < 4; ++i)
                result[i] ^= matrix[bit][i];
    return result;
}

TEST(Random, JumpEqualsTwoToThe128Steps) {
    Matrix step(256);
    for (std::size_t bit = 0; bit < 256; ++bit) {
        State one{};
        one[bit / 64] = std::uint64_t{1} << (bit % 64);
        Random random = Random::from_state(one);
        random();
        step[bit] = random.state();
    }
    for (int doubling = 0; doubling < 128; ++doubling) {
        Matrix square(256);
        for (std::size_t bit = 0; bit < 256; ++bit)
            square[bit] = image(step, step[bit]);
        step = std::move(square);
    }
    Random random(2024);
    const State expected = image(step, random.state());
    random.jump();
    EXPECT_EQ(random.state(), expected);
}

TEST(Random, SplitStreamsContinueTheParentAndDiffer) {
    const Random original(5);
    Random parent = original;
    EXPECT_EQ(parent.split(), original);
    Random second = parent.split();
    Random third = parent.split();
    EXPECT_NE(second(), third());
    Random jumped = original;
    jumped.jump();
    jumped.jump();
    jumped.jump();
    EXPECT_EQ(parent, jumped);
}

TEST(Random, BelowIsUniformByChiSquare) {
    Random random(1);
    for (const std::uint64_t bound : {1U, 2U, 3U, 10U, 81U}) {
        std::vector<double> counts(bound, 0);
        const double trials = 100000;
        for (int i = 0; i < static_cast<int>(trials); ++i)
            ++counts.at(random.below(bound));
        const double expected = trials / static_cast<double>(bound);
        double chi_square = 0;
        for (const double count : counts)
            chi_square += (count - expected) * (count - expected) / expected;
        // Mean bound-1, deviation sqrt(2(bound-1)); five deviations is one failure in millions for a good generator.
        const double freedom = static_cast<double>(bound) - 1;
        EXPECT_LE(chi_square, freedom + 5 * std::sqrt(2 * freedom) + 1e-9) << bound;
    }
}

TEST(Random, BelowStaysWithinHugeBoundsWithoutBias) {
    // With 3/4 of the range, plain multiplication or modulo would hit one third of the numbers twice as often.
    Random random(3);
    const std::uint64_t bound = std::uint64_t{3} << 62;
    int lower_half = 0;
    const int trials = 20000;
    for (int i = 0; i < trials; ++i) {
        const std::uint64_t number = random.below(bound);
        ASSERT_LT(number, bound);
        lower_half += number < bound / 2;
    }
    EXPECT_NEAR(lower_half, trials / 2, 5 * 71);
}

TEST(Random, BetweenReachesBothEndsAndTheWholeRange) {
    Random random(4);
    std::set<std::int64_t> seen;
    for (int i = 0; i < 1000; ++i)
        seen.insert(random.between(-3, 3));
    EXPECT_EQ(seen, (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2, 3}));
    EXPECT_EQ(random.between(5, 5), 5);
    bool negative = false;
    bool positive = false;
    for (int i = 0; i < 100; ++i) {
        const auto number =
            random.between(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
        negative |= number < 0;
        positive |= number > 0;
    }
    EXPECT_TRUE(negative && positive);
}

TEST(Random, UniformHasTheMomentsOfTheUniformDistribution) {
    Random random(6);
    const int trials = 200000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < trials; ++i) {
        const double x = random.uniform();
        ASSERT_GE(x, 0);
        ASSERT_LT(x, 1);
        sum += x;
        squares += x * x;
    }
    EXPECT_NEAR(sum / trials, 1.0 / 2, 5 * 0.289 / std::sqrt(trials));
    EXPECT_NEAR(squares / trials, 1.0 / 3, 5 * 0.3 / std::sqrt(trials));
}

TEST(Random, NormalHasTheMomentsAndTailsOfTheNormalDistribution) {
    Random random(8);
    const int trials = 200000;
    double sum = 0;
    double squares = 0;
    double cubes = 0;
    double fourths = 0;
    int beyond_two = 0;
    for (int i = 0; i < trials; ++i) {
        const double x = random.normal();
        sum += x;
        squares += x * x;
        cubes += x * x * x;
        fourths += x * x * x * x;
        beyond_two += std::abs(x) > 2;
    }
    const double error = 5 / std::sqrt(trials);
    EXPECT_NEAR(sum / trials, 0, error);
    EXPECT_NEAR(squares / trials, 1, error * std::sqrt(2));
    EXPECT_NEAR(cubes / trials, 0, error * std::sqrt(15));
    EXPECT_NEAR(fourths / trials, 3, error * std::sqrt(96));
    EXPECT_NEAR(static_cast<double>(beyond_two) / trials, 0.0455, 0.003);
}

TEST(Random, NormalFollowsThePolarFormulaWithinRounding) {
    Random random(10);
    Random again(10);
    for (int i = 0; i < 10000; ++i) {
        double u = 0;
        double s = 0;
        do {
            u = 2 * again.uniform() - 1;
            const double v = 2 * again.uniform() - 1;
            s = u * u + v * v;
        } while (s >= 1 || s == 0);
        const double expected = u * std::sqrt(-2 * std::log(s) / s);
        EXPECT_NEAR(random.normal(), expected, 1e-13 + 1e-12 * std::abs(expected));
    }
}

TEST(Random, NormalGivesTheSameBitsEverywhere) {
    // Recorded once; any compiler, optimisation level or instruction set must reproduce the sum exactly.
    Random random(11);
    std::uint64_t bits = 0;
    for (int i = 0; i < 10000; ++i)
        bits = std::rotl(bits, 1) ^ std::bit_cast<std::uint64_t>(random.normal());
    EXPECT_EQ(bits, 12247620614232590801ULL);
}

TEST(Random, ShuffleReachesEveryOrderEquallyOften) {
    Random random(12);
    std::vector<int> counts(24, 0);
    const std::vector<int> sorted = {0, 1, 2, 3};
    for (int i = 0; i < 24000; ++i) {
        std::vector<int> items = sorted;
        random.shuffle(std::span(items));
        std::size_t rank = 0;
        for (std::vector<int> order = sorted; order != items; std::next_permutation(order.begin(), order.end()))
            ++rank;
        ++counts.at(rank);
    }
    for (const int count : counts)
        EXPECT_NEAR(count, 1000, 5 * 31);
}

}  // namespace
}  // namespace tsumugi::base
