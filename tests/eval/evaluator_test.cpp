// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "eval/material.hpp"
#include "eval/mirror.hpp"
#include "eval/net.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "eval/noise.hpp"
#include "random_net.hpp"
#include "support/data.hpp"

namespace tsumugi {
namespace {

int fresh_score(const eval::Evaluator& evaluator, const shogi::Board& board) {
    const auto evaluation = evaluator.start();
    evaluation->reset(board);
    return evaluation->evaluate(board);
}

TEST(Material, CountsBoardAndHandsForTheSideToMove) {
    const auto material = eval::material_evaluator();
    EXPECT_EQ(fresh_score(*material, shogi::Position::even()), 0);
    EXPECT_EQ(fresh_score(*material, test::position_of("4k4/9/9/9/9/9/9/9/4K4 b RP 1")), 1080);
    EXPECT_EQ(fresh_score(*material, test::position_of("4k4/9/9/9/9/9/9/9/4K4 w RP 1")), -1080);
    EXPECT_EQ(fresh_score(*material, test::position_of("4k4/9/2+R+B5/9/9/9/9/9/4K4 b gsnl 1")),
              1395 + 945 - 540 - 495 - 405 - 315);
}

TEST(Material, FollowsRandomGames) {
    const auto material = eval::material_evaluator();
    const auto running = material->start();
    base::Random random(5);
    shogi::Position position = shogi::Position::even();
    running->reset(position);
    for (int i = 0; i < 400; ++i) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        if (moves.empty()) break;
        position.do_move(moves[random.below(moves.size())]);
        running->push(test::change_of(position));
        if (random.chance(0.5)) {
            ASSERT_EQ(running->evaluate(position), fresh_score(*material, position));
        }
    }
}

shogi::Position mirror_image(const shogi::Position& position) {
    shogi::Setup setup = position.setup();
    for (int i = 0; i < shogi::Square::count; ++i) {
        const auto s = shogi::Square::from_index(i);
        setup.put(s.mirrored(), position.piece_at(s));
    }
    return *shogi::Position::from(setup);
}

TEST(MirrorImage, IsWorthTheSameByTheMeanOfBoth) {
    eval::nnue::Architecture architecture;
    architecture.feature = eval::nnue::Feature::kp;
    architecture.width = 16;
    architecture.first = 8;
    architecture.second = 8;
    const auto net = *eval::nnue::make_evaluator(test::random_net(architecture, 3), 1, eval::nnue::best_kernel());
    const auto both = eval::with_mirror_image(net);
    const auto running = both->start();
    base::Random random(7);
    shogi::Position position = shogi::Position::even();
    running->reset(position);
    int different = 0;
    for (int i = 0; i < 60; ++i) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        if (moves.empty()) break;
        position.do_move(moves[random.below(moves.size())]);
        running->push(test::change_of(position));
        const shogi::Position image = mirror_image(position);
        const int seen = fresh_score(*net, position);
        const int mirrored = fresh_score(*net, image);
        ASSERT_EQ(running->evaluate(position), (seen + mirrored) / 2);
        ASSERT_EQ(fresh_score(*both, image), (seen + mirrored) / 2);
        different += static_cast<int>(seen != mirrored);
    }
    EXPECT_GT(different, 30) << "or there was nothing to take the mean of";
}

TEST(Noise, BelongsToPositionAndPlayer) {
    const auto material = eval::material_evaluator();
    const auto one = eval::with_noise(material, {50, 1});
    const auto other = eval::with_noise(material, {50, 2});
    const auto running = one->start();
    base::Random random(6);
    double sum = 0;
    double squares = 0;
    double products = 0;
    int count = 0;
    for (int game = 0; game < 40; ++game) {
        shogi::Position position = shogi::Position::even();
        running->reset(position);
        for (int i = 0; i < 100; ++i) {
            shogi::MoveList moves;
            shogi::legal_moves(position, moves);
            if (moves.empty()) break;
            position.do_move(moves[random.below(moves.size())]);
            running->push(test::change_of(position));
            const int plain = fresh_score(*material, position);
            const int noise = running->evaluate(position) - plain;
            ASSERT_EQ(noise, fresh_score(*one, position) - plain);
            const int others = fresh_score(*other, position) - plain;
            sum += noise;
            squares += noise * noise;
            products += noise * others;
            ++count;
        }
    }
    ASSERT_GT(count, 2000);
    // Mean 0, deviation 50, independent of the other player's: four standard errors.
    const double n = count;
    EXPECT_NEAR(sum / n, 0, 4 * 50 / std::sqrt(n));
    EXPECT_NEAR(squares / n, 2500, 4 * 2500 * std::sqrt(2 / n));
    EXPECT_NEAR(products / n, 0, 4 * 2500 / std::sqrt(n));
}

TEST(Noise, OfNothingChangesNothing) {
    const auto material = eval::material_evaluator();
    const auto silent = eval::with_noise(material, {0, 9});
    const auto position = test::position_of("4k4/9/9/9/9/9/9/9/4K4 b RP 1");
    EXPECT_EQ(fresh_score(*silent, position), 1080);
    EXPECT_EQ(silent->description(), "material with noise of 0 (seed 9)");
}

TEST(DefaultEvaluator, IsBuiltIn) {
    const auto evaluator = eval::default_evaluator();
    EXPECT_FALSE(evaluator->description().empty());
    const int score = fresh_score(*evaluator, shogi::Position::even());
    EXPECT_LT(std::abs(score), 300);
}

TEST(ChosenEvaluator, IsWhatItsNameSays) {
    const auto material = eval::choose_evaluator(std::string(eval::material_name));
    ASSERT_TRUE(material);
    EXPECT_EQ((*material)->description(), eval::material_evaluator()->description());
    const auto built_in = eval::choose_evaluator("");
    ASSERT_TRUE(built_in);
    EXPECT_EQ((*built_in)->description(), eval::default_evaluator()->description());
    EXPECT_THAT(eval::choose_evaluator("no such file.nnue").error().message, testing::HasSubstr("no such file.nnue"));
}

// Each row: an architecture, a position, and what YaneuraOu gives for the net of that architecture drawn from seed 1.
TEST(GeneratedNets, GiveTheOutputsOfAnotherEngine) {
    std::map<std::string, eval::nnue::Architecture> known;
    const auto know = [&known](eval::nnue::Feature feature, eval::nnue::Shape shape, int width, int first, int second,
                               const char* stacks) {
        const eval::nnue::Architecture a{
            feature, shape, width, first, second, eval::nnue::LayerStacks::from_name(stacks), {}};
        known[a.name()] = a;
    };
    for (const auto& feature : eval::nnue::all_features())
        know(feature.feature, eval::nnue::Shape::classic, 256, 32, 32, "");
    know(eval::nnue::Feature::half_ka_hm2, eval::nnue::Shape::product, 1536, 15, 32, "k3k3");
    std::string current;
    std::shared_ptr<const eval::nnue::NetEvaluator> evaluator;
    const auto rows = test::read_table(test::own_data("eval/net-outputs.tsv"));
    ASSERT_EQ(rows.size(), 8U * 12U);
    for (const auto& row : rows) {
        if (row[0] != current) {
            current = row[0];
            evaluator =
                *eval::nnue::make_evaluator(test::random_net(known.at(current), 1), 0, eval::nnue::best_kernel());
        }
        const shogi::Position position = test::position_of(row[1]);
        const auto evaluation = evaluator->start_net();
        evaluation->reset(position);
        EXPECT_EQ(evaluation->raw(position), std::stoi(row[2])) << row[0] << ' ' << row[1];
    }
}

}  // namespace
}  // namespace tsumugi
