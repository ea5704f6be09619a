// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/surgery.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "eval/random_net.hpp"
#include "learn/column_order.hpp"
#include "learn/net_difference.hpp"
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
    for (const Feature to : {Feature::kp_hm, Feature::half_ka_hm1, Feature::half_ka_hm2})
        expect_equal_values(Feature::kp, to, true);
    for (const Feature to : {Feature::half_kpe9, Feature::half_kpk_file, Feature::half_kpk_rank})
        expect_equal_values(Feature::half_kp, to, false);
}

TEST(Surgery, AveragesNumberByNumber) {
    const auto a = small_random_net(Feature::half_kp);
    const auto b = test::random_net(a.architecture, 8);
    const std::array nets{&a, &b};
    const auto even = averaged(nets, std::array{1.0, 1.0});
    const auto uneven = averaged(nets, std::array{3.0, 1.0});
    ASSERT_TRUE(even.ok() && uneven.ok());
    const auto expect_mean = [&](auto member, const char* name) {
        for (std::size_t i = 0; i < member(a).size(); ++i) {
            const double x = member(a)[i];
            const double y = member(b)[i];
            ASSERT_EQ(member(*even)[i], std::round((x + y) / 2)) << name;
            ASSERT_EQ(member(*uneven)[i], std::round((3 * x + y) / 4)) << name;
        }
    };
    expect_mean(
        [](const auto& net) -> auto& { return net.transformer_bias; }, "transformer bias");
    expect_mean(
        [](const auto& net) -> auto& { return net.transformer_weights; }, "transformer weights");
    expect_mean(
        [](const auto& net) -> auto& { return net.stacks[0].first.weights; }, "layer 1");
    expect_mean(
        [](const auto& net) -> auto& { return net.stacks[0].second.bias; }, "layer 2");
    expect_mean(
        [](const auto& net) -> auto& { return net.stacks[0].output.weights; }, "output");
}

TEST(Surgery, TheMeanOfANetWithItselfIsTheNet) {
    const auto a = small_random_net(Feature::half_ka_hm2);
    const auto b = test::random_net(a.architecture, 8);
    EXPECT_EQ(*averaged(std::array{&a, &a, &a}, std::array{1.0, 5.0, 0.5}), a);
    EXPECT_EQ(*averaged(std::array{&a, &b}, std::array{1.0, 0.0}), a);
}

shogi::Position mirror_image(const shogi::Position& position) {
    shogi::Setup image = position.setup();
    for (std::size_t i = 0; i < shogi::Square::count; ++i) {
        const shogi::Square s = shogi::Square::from_index(i);
        image.put(s.mirrored(), position.piece_at(s));
    }
    return *shogi::Position::from(image);
}

std::shared_ptr<const eval::nnue::NetEvaluator> evaluator_of(const eval::nnue::Parameters& net) {
    return *eval::nnue::make_evaluator(net, 0, eval::nnue::best_kernel());
}

TEST(Surgery, AMirroredNetValuesPositionsAsTheNetDoesTheirMirrorImages) {
    for (const Feature feature :
         {Feature::p, Feature::kp, Feature::ka2, Feature::half_kp, Feature::half_kpe9, Feature::half_kpk_file,
          Feature::half_kpk_rank, Feature::half_ka1, Feature::half_ka2}) {
        const auto net = small_random_net(feature);
        const auto image = mirrored(net);
        ASSERT_TRUE(image.ok()) << image.error().message;
        const auto original = evaluator_of(net);
        const auto turned = evaluator_of(*image);
        const auto expected = original->start_net();
        const auto found = turned->start_net();
        int different = 0;
        test::play_random_games(2, 120, 8, [&](const shogi::Position& position) {
            expected->reset(position);
            const int unmirrored = expected->raw(position);
            const shogi::Position seen = mirror_image(position);
            expected->reset(seen);
            found->reset(position);
            ASSERT_EQ(found->raw(position), expected->raw(seen)) << info(feature).name;
            different += found->raw(position) != unmirrored;
        });
        EXPECT_GT(different, 20) << info(feature).name;
    }
    EXPECT_FALSE(mirrored(small_random_net(Feature::half_ka_hm2)).ok()) << "mirrors by itself";
}

// Even weights are halved without a rest.
eval::nnue::Parameters random_net_of_even_outputs(int width, int hidden, std::uint64_t seed) {
    eval::nnue::Architecture architecture;
    architecture.feature = Feature::kp;
    architecture.width = width;
    architecture.first = hidden;
    architecture.second = hidden;
    auto net = test::random_net(architecture, seed);
    for (std::int8_t& weight : net.stacks[0].output.weights)
        weight = static_cast<std::int8_t>(weight / 2 * 2);
    net.stacks[0].output.bias[0] = net.stacks[0].output.bias[0] / 2 * 2;
    return net;
}

TEST(Surgery, JoinedNetsHaveTheMeanOfTheirValues) {
    const auto a = random_net_of_even_outputs(16, 8, 3);
    const auto b = random_net_of_even_outputs(48, 16, 8);
    const auto both = joined(std::array{&a, &b});
    ASSERT_TRUE(both.ok()) << both.error().message;
    EXPECT_EQ(both->architecture.width, 64);
    EXPECT_EQ(both->architecture.first, 24);
    const auto first = evaluator_of(a);
    const auto second = evaluator_of(b);
    const auto whole = evaluator_of(*both);
    const auto of_first = first->start_net();
    const auto of_second = second->start_net();
    const auto of_both = whole->start_net();
    test::play_random_games(4, 120, 8, [&](const shogi::Position& position) {
        for (auto* each : {&of_first, &of_second, &of_both})
            (*each)->reset(position);
        ASSERT_EQ(2 * of_both->raw(position), of_first->raw(position) + of_second->raw(position));
    });
}

TEST(Surgery, RefusesToJoinWhatDoesNotFit) {
    const auto a = small_random_net(Feature::half_kp);
    const auto b = small_random_net(Feature::kp);
    EXPECT_FALSE(joined(std::array{&a, &b}).ok());
    EXPECT_FALSE(joined({}).ok());
    const auto large = random_net_of_even_outputs(64, 128, 3);
    EXPECT_FALSE(joined(std::array{&large, &large, &large}).ok()) << "more hidden neurons than a net may have";
}

TEST(Surgery, RefusesToAverageWhatDoesNotFit) {
    const auto a = small_random_net(Feature::half_kp);
    const auto b = small_random_net(Feature::kp);
    EXPECT_FALSE(averaged(std::array{&a, &b}, std::array{1.0, 1.0}).ok());
    EXPECT_FALSE(averaged(std::array{&a, &a}, std::array{1.0}).ok());
    EXPECT_FALSE(averaged(std::array{&a, &a}, std::array{0.0, 0.0}).ok());
    EXPECT_FALSE(averaged(std::array{&a, &a}, std::array{2.0, -1.0}).ok());
}

// A net that has taken rows for some ranks values a position like the donor (with the layers of the receiver) when both
// players' kings stand there, and like itself when neither does.
void expect_slices(Feature feature, King king) {
    const auto net = small_random_net(feature);
    auto donor = test::random_net(net.architecture, 8);
    donor.transformer_bias = net.transformer_bias;
    donor.stacks = net.stacks;
    auto mixed = net;
    // Where kings stand at the start, seen by the player himself and by his opponent.
    const Ranks ranks = king == King::own ? Ranks(1U << 8) : Ranks(1);
    ASSERT_TRUE(transplant(mixed, donor, king, ranks).ok());
    const auto kernel = &eval::nnue::best_kernel();
    const auto own = *eval::nnue::make_evaluator(net, 0, *kernel);
    const auto other = *eval::nnue::make_evaluator(donor, 0, *kernel);
    const auto both = *eval::nnue::make_evaluator(mixed, 0, *kernel);
    const auto from_own = own->start_net();
    const auto from_other = other->start_net();
    const auto from_both = both->start_net();
    int as_own = 0;
    int as_other = 0;
    test::play_random_games(30, 160, 8, [&](const shogi::Position& position) {
        // The rank that each player sees of the king which counts for him.
        const auto rank = [&](shogi::Color player) {
            const shogi::Square square = position.king(king == King::own ? player : ~player);
            return static_cast<std::size_t>((player == shogi::Color::black ? square : square.rotated()).rank() - 1);
        };
        const bool black = ranks[rank(shogi::Color::black)];
        const bool white = ranks[rank(shogi::Color::white)];
        if (black != white) return;
        const auto& expected = black ? from_other : from_own;
        expected->reset(position);
        from_both->reset(position);
        ASSERT_EQ(from_both->raw(position), expected->raw(position)) << info(feature).name;
        ++(black ? as_other : as_own);
    });
    EXPECT_GT(as_own, 20) << info(feature).name;
    EXPECT_GT(as_other, 20) << info(feature).name;
}

TEST(Surgery, TakesTheRowsOfGivenRanksOfTheOwnKing) {
    for (const Feature feature : {Feature::half_kp, Feature::half_kpe9, Feature::half_kpk_rank, Feature::half_ka_hm2})
        expect_slices(feature, King::own);
}

TEST(Surgery, TakesTheRowsOfGivenRanksOfTheOtherKing) { expect_slices(Feature::half_kpk_rank, King::other); }

TEST(Surgery, RefusesSlicesOfSetsWithoutThem) {
    auto kp = small_random_net(Feature::kp);
    EXPECT_FALSE(transplant(kp, kp, King::own, Ranks(1)).ok());
    auto half = small_random_net(Feature::half_kp);
    EXPECT_FALSE(transplant(half, half, King::other, Ranks(1)).ok());
    EXPECT_FALSE(transplant(half, kp, King::own, Ranks(1)).ok());
}

TEST(NetDifference, IsNothingForTheSameNet) {
    const auto net = small_random_net(Feature::half_kp);
    const auto sections = section_differences(net, net);
    ASSERT_TRUE(sections.ok());
    EXPECT_EQ(sections->size(), 8U);
    for (const SectionDifference& each : *sections) {
        EXPECT_EQ(each.different, 0U) << each.name;
        EXPECT_EQ(each.largest, 0) << each.name;
    }
}

TEST(NetDifference, FindsTheNumbersThatDiffer) {
    const auto a = small_random_net(Feature::half_kp);
    auto b = a;
    b.transformer_weights[5] = static_cast<std::int16_t>(b.transformer_weights[5] + 3);
    b.transformer_weights[9] = static_cast<std::int16_t>(b.transformer_weights[9] - 7);
    b.stacks[0].output.bias[0] -= 1000;
    const auto sections = *section_differences(a, b);
    std::uint64_t numbers = 0;
    for (const SectionDifference& each : sections) {
        numbers += each.numbers;
        if (each.name == "transformer weights") {
            EXPECT_EQ(each.different, 2U);
            EXPECT_EQ(each.largest, 7);
            EXPECT_DOUBLE_EQ(each.mean * static_cast<double>(each.numbers), 10);
        } else if (each.name == "output bias") {
            EXPECT_EQ(each.different, 1U);
            EXPECT_EQ(each.largest, 1000);
        } else {
            EXPECT_EQ(each.different, 0U) << each.name;
        }
    }
    EXPECT_EQ(numbers, 16U + 16 * info(Feature::half_kp).inputs + 8 + 8 * 32 + 8 + 8 * 8 + 1 + 8)
        << "padding is not counted";
    EXPECT_FALSE(section_differences(a, small_random_net(Feature::kp)).ok());
}

TEST(NetDifference, ComparesScores) {
    const auto a = small_random_net(Feature::kp);
    auto b = a;
    b.stacks[0].output.bias[0] += 16 * 50;
    const auto first = *eval::nnue::make_evaluator(a, 16, eval::nnue::best_kernel());
    const auto second = *eval::nnue::make_evaluator(b, 16, eval::nnue::best_kernel());
    ScoreComparison comparison(*first, *second);
    std::uint64_t seen = 0;
    test::play_random_games(3, 100, 8, [&](const shogi::Position& position) {
        comparison.add(position);
        seen += position.in_check() ? 0U : 1U;
    });
    const ScoreDifference difference = comparison.difference();
    EXPECT_EQ(difference.positions, seen);
    // Fifty each, except where rounding towards zero meets a change of sign.
    EXPECT_NEAR(difference.bias, 50, 1);
    EXPECT_NEAR(difference.mean, 50, 1);
    EXPECT_LE(difference.deviation, 1);
    EXPECT_GT(difference.correlation, 0.999);
}

// A net whose columns are alike in pairs of groups that stand as far apart as they can.
TEST(ColumnOrder, PutsColumnsThatAreZeroTogetherSideBySideAndKeepsEveryValue) {
    auto net = random_net_of_even_outputs(64, 16, 3);
    for (std::size_t i = 0; i < net.transformer_weights.size(); ++i)
        if (i % 64 >= 16) net.transformer_weights[i] = net.transformer_weights[i - i % 64 + i % 16];
    for (std::size_t c = 16; c < 64; ++c)
        net.transformer_bias[c] = net.transformer_bias[c % 16];
    std::vector<shogi::Setup> positions;
    test::play_random_games(3, 100, 8, [&](const shogi::Position& p) { positions.push_back(p.setup()); });
    const auto ordered = with_ordered_columns(net, positions);
    ASSERT_TRUE(ordered.ok()) << ordered.error().message;
    EXPECT_LT(ordered->busy_after, 0.8 * ordered->busy_before);
    EXPECT_NE(ordered->net, net);
    const auto original = evaluator_of(net);
    const auto changed = evaluator_of(ordered->net);
    const auto before = original->start_net();
    const auto after = changed->start_net();
    for (const shogi::Setup& setup : positions) {
        const auto position = *shogi::Position::from(setup);
        before->reset(position);
        after->reset(position);
        ASSERT_EQ(after->raw(position), before->raw(position));
    }
    EXPECT_NEAR(with_ordered_columns(ordered->net, positions)->busy_before, ordered->busy_after, 1e-9);
}

TEST(ColumnOrder, KeepsThePartsOfANetApart) {
    const auto a = random_net_of_even_outputs(32, 16, 3);
    const auto b = random_net_of_even_outputs(32, 16, 4);
    const auto both = *joined(std::array{&a, &b});
    std::vector<shogi::Setup> positions;
    test::play_random_games(1, 60, 8, [&](const shogi::Position& p) { positions.push_back(p.setup()); });
    const auto ordered = with_ordered_columns(both, positions);
    ASSERT_TRUE(ordered.ok());
    EXPECT_NE(ordered->net, both);
    EXPECT_TRUE(eval::nnue::falls_into(ordered->net.stacks[0].first, 2));
}

TEST(ColumnOrder, RefusesWhatItCannotOrder) {
    const auto net = small_random_net(Feature::kp);
    EXPECT_FALSE(with_ordered_columns(net, {}).ok()) << "no position";
    auto product = net.architecture;
    product.shape = eval::nnue::Shape::product;
    product.first = 7;
    const std::vector<shogi::Setup> even{shogi::Position::even().setup()};
    EXPECT_FALSE(with_ordered_columns(test::random_net(product, 3), even).ok());
}

TEST(Surgery, RefusesSetsThatDoNotContainEachOther) {
    EXPECT_FALSE(widened(small_random_net(Feature::kp), Feature::half_kp).ok());
    EXPECT_FALSE(widened(small_random_net(Feature::half_kp), Feature::kp).ok());
}

}  // namespace
}  // namespace tsumugi::learn
