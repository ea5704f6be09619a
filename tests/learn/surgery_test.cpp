// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/surgery.hpp"

#include <gtest/gtest.h>

#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "eval/random_net.hpp"
#include "support/random_play.hpp"

namespace tsumugi::learn {
namespace {

using eval::nnue::Feature;

eval::nnue::Parameters small_random_net(Feature feature) {
    eval::nnue::Architecture architecture;
    architecture.feature = feature;
    architecture.width = 16;
    architecture.first = 8;
    architecture.second = 8;
    return test::random_net(architecture, 3);
}

// Does a set that mirrors the board leave this position as it is? Both players see their kings on files 1 to 5.
bool stays_unmirrored(const shogi::Position& position) {
    return position.king(shogi::Color::black).file() <= 5 && position.king(shogi::Color::white).file() >= 5;
}

void expect_equal_values(Feature from, Feature to, bool mirrors) {
    const auto net = small_random_net(from);
    const auto wide = widened(net, to);
    ASSERT_TRUE(wide.ok()) << wide.error().message;
    EXPECT_EQ(wide->architecture.feature, to);
    const auto small = *eval::nnue::make_evaluator(net, 0, eval::nnue::best_kernel());
    const auto large = *eval::nnue::make_evaluator(*wide, 0, eval::nnue::best_kernel());
    const auto expected = small->start_net();
    const auto found = large->start_net();
    int compared = 0;
    test::play_random_games(4, 120, 8, [&](const shogi::Position& position) {
        if (mirrors && !stays_unmirrored(position)) return;
        expected->reset(position);
        found->reset(position);
        ASSERT_EQ(found->raw(position), expected->raw(position)) << info(to).name;
        ++compared;
    });
    EXPECT_GT(compared, 50) << info(to).name;
}

TEST(Surgery, KeepsEveryValueWhenASetIsWidened) {
    for (const Feature to : {Feature::half_ka1, Feature::half_ka2})
        expect_equal_values(Feature::kp, to, false);
    for (const Feature to : {Feature::half_ka_hm1, Feature::half_ka_hm2})
        expect_equal_values(Feature::kp, to, true);
    for (const Feature to : {Feature::half_kpe9, Feature::half_kpk_file, Feature::half_kpk_rank})
        expect_equal_values(Feature::half_kp, to, false);
}

TEST(Surgery, RefusesSetsThatDoNotContainEachOther) {
    EXPECT_FALSE(widened(small_random_net(Feature::kp), Feature::half_kp).ok());
    EXPECT_FALSE(widened(small_random_net(Feature::half_kp), Feature::kp).ok());
}

}  // namespace
}  // namespace tsumugi::learn
