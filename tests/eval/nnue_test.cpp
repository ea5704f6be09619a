// SPDX-License-Identifier: GPL-3.0-or-later
// Generated nets of every architecture: running evaluation against a plain definition, kernel against kernel, file
// against memory.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <ostream>

#include "eval/nnue/attack_count.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/feature.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "random_net.hpp"
#include "shogi/slider/ray_walk.hpp"
#include "support/random_play.hpp"

namespace tsumugi {
namespace {

using eval::nnue::Architecture;
using eval::nnue::Feature;
using eval::nnue::LayerStacks;
using eval::nnue::Parameters;
using shogi::Board;
using shogi::Color;
using shogi::Kind;
using shogi::Piece;
using shogi::Square;

Architecture classic(Feature feature, int width, int first, int second) {
    Architecture a;
    a.feature = feature;
    a.width = width;
    a.first = first;
    a.second = second;
    return a;
}

Architecture product(Feature feature, int width, int first, int second, const char* stacks) {
    Architecture a = classic(feature, width, first, second);
    a.shape = eval::nnue::Shape::product;
    a.stacks = LayerStacks::from_name(stacks);
    return a;
}

std::vector<Architecture> architectures() {
    std::vector<Architecture> all;
    for (const auto& feature : eval::nnue::all_features())
        all.push_back(classic(feature.feature, 32, 32, 32));
    all.push_back(classic(Feature::kp, 256, 32, 32));
    all.push_back(classic(Feature::kp, 512, 8, 96));
    all.push_back(classic(Feature::kp, 96, 16, 64));
    all.push_back(classic(Feature::kp, 40, 24, 8));
    all.push_back(product(Feature::half_ka_hm2, 64, 15, 32, "k3k3"));
    all.push_back(product(Feature::ka2, 256, 7, 64, "k9k9"));
    all.push_back(product(Feature::kp, 96, 16, 32, ""));
    all.push_back(product(Feature::ka2, 128, 8, 16, "hand4_k3k3_progress8"));
    for (const char* stacks :
         {"hand16_k9k9z", "hand64_k3k3", "hand64z_k13k13z", "hand256", "hand1024", "k21k21", "k29k29"})
        all.push_back(product(Feature::ka2, 32, 7, 8, stacks));
    return all;
}

// The definition of a feature set, written out once more without tables and without views.
struct Definition {
    const Board& board;
    Color viewer;

    [[nodiscard]] Square seen(Square s) const { return viewer == Color::black ? s : s.rotated(); }
    [[nodiscard]] static int mirror(int square) { return (8 - square / 9) * 9 + square % 9; }

    [[nodiscard]] int piece_number(Piece piece, Square s) const {
        static const std::map<Kind, int> planes{
            {Kind::pawn, 0},   {Kind::lance, 1}, {Kind::knight, 2}, {Kind::silver, 3}, {Kind::gold, 4},
            {Kind::bishop, 5}, {Kind::horse, 6}, {Kind::rook, 7},   {Kind::dragon, 8}, {Kind::king, 9}};
        const Kind kind = shogi::moves_like_gold(piece.kind()) ? Kind::gold : piece.kind();
        return 90 + planes.at(kind) * 162 + (piece.color() == viewer ? 0 : 81) + seen(s).index();
    }

    [[nodiscard]] int attacks(Color by, Square target) const {
        using Walk = shogi::slider::RayWalk;
        shogi::slider::PlainOccupied occupied;
        board.all().for_each([&](Square s) { occupied.toggle(s); });
        int count = 0;
        board.pieces(by).for_each([&](Square s) {
            const Kind kind = board.piece_at(s).kind();
            shogi::Bitboard reached = shogi::step_attacks(by, kind, s);
            if (kind == Kind::rook || kind == Kind::dragon) reached |= Walk::rook(s, occupied);
            if (kind == Kind::bishop || kind == Kind::horse) reached |= Walk::bishop(s, occupied);
            if (kind == Kind::lance)
                reached |= by == Color::black ? Walk::lance<Color::black>(s, occupied)
                                              : Walk::lance<Color::white>(s, occupied);
            count += reached.has(target) ? 1 : 0;
        });
        return count;
    }

    // (number, attack class) of every piece, kings last.
    struct Item {
        int number;
        int attack_class;
        bool king;
        bool own;
    };
    [[nodiscard]] std::vector<Item> items() const {
        std::vector<Item> list;
        for (int i = 0; i < Square::count; ++i) {
            const Square s = Square::from_index(i);
            const Piece piece = board.piece_at(s);
            if (piece.is_none()) continue;
            const int classes = std::min(attacks(viewer, s), 2) * 3 + std::min(attacks(~viewer, s), 2);
            list.push_back({piece_number(piece, s), classes, piece.kind() == Kind::king, piece.color() == viewer});
        }
        static const std::map<Kind, std::pair<int, int>> hands{
            {Kind::pawn, {1, 20}},  {Kind::lance, {39, 44}},  {Kind::knight, {49, 54}}, {Kind::silver, {59, 64}},
            {Kind::gold, {69, 74}}, {Kind::bishop, {79, 82}}, {Kind::rook, {85, 88}}};
        for (const Color owner : shogi::both_colors)
            for (const Kind kind : shogi::hand_kinds)
                for (int n = 0; n < board.hand(owner).count(kind); ++n)
                    list.push_back({(owner == viewer ? hands.at(kind).first : hands.at(kind).second) + n, 0, false,
                                    owner == viewer});
        const auto kings = std::count_if(list.begin(), list.end(), [](const Item& i) { return i.king; });
        while (list.size() < static_cast<std::size_t>(38 + kings))
            list.push_back({0, 0, false, true});
        return list;
    }

    [[nodiscard]] std::vector<std::size_t> inputs(Feature feature) const {
        const int own = seen(board.king(viewer)).index();
        const int other = seen(board.king(~viewer)).index();
        const bool mirrored = own >= 45;
        std::vector<std::size_t> result;
        const auto add = [&result](int number) { result.push_back(static_cast<std::size_t>(number)); };
        for (const Item& item : items()) {
            const int n = item.number;
            const int turned = mirrored && n >= 90 ? n - (n - 90) % 81 + mirror((n - 90) % 81) : n;
            const auto folded = [&](int number) { return number >= 1629 ? number - 81 : number; };
            const int place = mirrored ? mirror(own) : own;
            switch (feature) {
                case Feature::p:
                    if (!item.king) add(n);
                    break;
                case Feature::kp: add(n); break;
                case Feature::kp_hm: add(turned); break;
                case Feature::ka2:
                    add(folded(n));
                    if (item.king) add(n + 81);
                    break;
                case Feature::half_kp:
                    if (!item.king) add(own * 1548 + n);
                    break;
                case Feature::half_kp_vm:
                    if (!item.king) add(place * 1548 + turned);
                    break;
                case Feature::half_kpe9:
                    if (!item.king) add(own * 1548 + n + 125388 * item.attack_class);
                    break;
                case Feature::half_kpk_file:
                    if (!item.king) add(own * 1548 + n + 125388 * (other / 9));
                    break;
                case Feature::half_kpk_rank:
                    if (!item.king) add(own * 1548 + n + 125388 * (other % 9));
                    break;
                case Feature::half_ka1: add(own * 1710 + n); break;
                case Feature::half_ka2: add(own * 1629 + folded(n)); break;
                case Feature::half_ka_hm1: add(place * 1710 + turned); break;
                case Feature::half_ka_hm2: add(place * 1629 + folded(turned)); break;
            }
        }
        return result;
    }
};

int clamp(int value, int high) { return std::clamp(value, 0, high); }

std::vector<int> affine(const eval::nnue::Layer& layer, const std::vector<int>& input) {
    std::vector<int> output;
    for (int o = 0; o < layer.outputs; ++o) {
        int sum = layer.bias[static_cast<std::size_t>(o)];
        for (int i = 0; i < layer.inputs; ++i)
            sum += layer.weight(o, i) * input[static_cast<std::size_t>(i)];
        output.push_back(sum);
    }
    return output;
}

// The whole computation from the file's parameters, in the plainest way.
int plain_output(const Parameters& net, const Board& board) {
    const Architecture& a = net.architecture;
    const auto width = static_cast<std::size_t>(a.width);
    std::vector<int> input;
    for (const Color viewer : {board.side_to_move(), ~board.side_to_move()}) {
        std::vector<int> sum(net.transformer_bias.begin(), net.transformer_bias.end());
        for (const std::size_t row : Definition{board, viewer}.inputs(a.feature))
            for (std::size_t i = 0; i < width; ++i)
                sum[i] += net.transformer_weights[row * width + i];
        if (a.shape == eval::nnue::Shape::classic)
            for (const int value : sum)
                input.push_back(clamp(value, 127));
        else
            for (std::size_t i = 0; i < width / 2; ++i)
                input.push_back(clamp(2 * sum[i], 254) * clamp(2 * sum[i + width / 2], 254) / 512);
    }
    const auto& stack = net.stacks[a.stacks.select(board, net.progress)];
    const std::vector<int> first = affine(stack.first, input);
    std::vector<int> hidden;
    int shortcut = 0;
    if (a.shape == eval::nnue::Shape::classic) {
        for (const int value : first)
            hidden.push_back(clamp(value >> 6, 127));
    } else {
        for (int i = 0; i < a.first; ++i)
            hidden.push_back(static_cast<int>(std::min<std::int64_t>(
                static_cast<std::int64_t>(first[static_cast<std::size_t>(i)]) * first[static_cast<std::size_t>(i)] >>
                    19,
                127)));
        for (int i = 0; i < a.first; ++i)
            hidden.push_back(clamp(first[static_cast<std::size_t>(i)] >> 6, 127));
        if (a.has_shortcut()) shortcut = first.back();
    }
    std::vector<int> second;
    for (const int value : affine(stack.second, hidden))
        second.push_back(clamp(value >> 6, 127));
    return affine(stack.output, second)[0] + shortcut;
}

// A first hidden layer that falls apart is computed part by part where a kernel has registers for it.
TEST(NetInParts, GivesThePlainDefinitionsNumbersWithEveryKernel) {
    struct Setting {
        Architecture architecture;
        int parts;
    };
    for (const Setting& setting :
         {Setting{classic(Feature::kp, 512, 64, 64), 2}, Setting{classic(Feature::kp, 256, 64, 32), 4},
          Setting{classic(Feature::half_ka_hm2, 128, 16, 16), 2}, Setting{classic(Feature::kp, 512, 128, 24), 8}}) {
        Parameters net = test::random_net(setting.architecture, 7);
        EXPECT_FALSE(eval::nnue::falls_into(net.stacks[0].first, setting.parts));
        test::cut_into_parts(net, setting.parts);
        EXPECT_TRUE(eval::nnue::falls_into(net.stacks[0].first, setting.parts));
        for (const auto* kernel : eval::nnue::usable_kernels(base::Cpu::detect())) {
            const auto evaluator = *eval::nnue::make_evaluator(net, 0, *kernel);
            const auto evaluation = evaluator->start_net();
            test::play_random_games(1, 60, 9, [&](const shogi::Position& position) {
                evaluation->reset(position);
                ASSERT_EQ(evaluation->raw(position), plain_output(net, position))
                    << setting.architecture.name() << ", " << kernel->name;
            });
        }
    }
}

class EveryArchitecture : public testing::TestWithParam<Architecture> {};

INSTANTIATE_TEST_SUITE_P(Nets, EveryArchitecture, testing::ValuesIn(architectures()), [](const auto& suite) {
    std::string name = suite.param.name();
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
});

// Plays a random game, now and then going back some moves, passing, or leaving several moves without evaluation.
class RandomWalk {
public:
    RandomWalk(shogi::Position& position, std::uint64_t seed) : position_(position), random_(seed) {}

    template <typename Push, typename Pop>
    void step(const Push& push, const Pop& pop) {
        if (depth_ > 0 && random_.chance(0.15)) {
            for (auto n = random_.below(static_cast<std::uint64_t>(depth_)) + 1; n > 0; --n, --depth_) {
                position_.state().move.is_none() ? position_.undo_null_move() : position_.undo_move();
                pop();
            }
            return;
        }
        shogi::MoveList moves;
        shogi::legal_moves(position_, moves);
        if (moves.empty()) return;
        if (!position_.in_check() && random_.chance(0.1))
            position_.do_null_move();
        else
            position_.do_move(choose(moves));
        ++depth_;
        push(test::change_of(position_));
    }
    bool chance(double p) { return random_.chance(p); }

private:
    // Captures and king moves are what can go wrong; take them more often than chance would.
    shogi::Move choose(const shogi::MoveList& moves) {
        for (int attempt = 0; attempt < 3; ++attempt) {
            const shogi::Move move = moves[random_.below(moves.size())];
            if (position_.is_capture(move) || position_.piece_to_move(move).kind() == Kind::king) return move;
        }
        return moves[random_.below(moves.size())];
    }

    shogi::Position& position_;
    base::Random random_;
    int depth_ = 0;
};

TEST_P(EveryArchitecture, RunsThroughRandomGamesAsThePlainDefinitionSays) {
    const Parameters net = test::random_net(GetParam(), 7);
    const auto evaluator = eval::nnue::make_evaluator(net, 0, eval::nnue::best_kernel());
    ASSERT_TRUE(evaluator) << evaluator.error().message;
    const auto evaluation = (*evaluator)->start_net();
    int seen = 0;
    int varied = 0;
    for (const char* sfen : {"startpos", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
                             "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"}) {
        shogi::Position position = test::position_of(sfen);
        evaluation->reset(position);
        RandomWalk walk(position, 11);
        int before = 0;
        for (int i = 0; i < 120; ++i) {
            walk.step([&](const eval::Change& c) { evaluation->push(c); }, [&] { evaluation->pop(); });
            if (walk.chance(0.4)) continue;
            const int raw = evaluation->raw(position);
            ASSERT_EQ(raw, plain_output(net, position)) << record::to_sfen(position.setup());
            ++seen;
            varied += raw != before ? 1 : 0;
            before = raw;
        }
    }
    EXPECT_GT(seen, 150);
    EXPECT_GT(varied, seen / 2);  // a net whose output is stuck would prove nothing
}

TEST_P(EveryArchitecture, GivesTheSameNumbersWithEveryKernel) {
    const Parameters net = test::random_net(GetParam(), 8);
    std::vector<std::shared_ptr<const eval::nnue::NetEvaluator>> evaluators;
    std::vector<std::unique_ptr<eval::nnue::NetEvaluation>> evaluations;
    shogi::Position position = shogi::Position::even();
    for (const auto* kernel : eval::nnue::usable_kernels(base::Cpu::detect())) {
        evaluators.push_back(*eval::nnue::make_evaluator(net, 0, *kernel));
        evaluations.push_back(evaluators.back()->start_net());
        evaluations.back()->reset(position);
    }
    RandomWalk walk(position, 12);
    for (int i = 0; i < 200; ++i) {
        walk.step(
            [&](const eval::Change& c) {
                for (const auto& each : evaluations)
                    each->push(c);
            },
            [&] {
                for (const auto& each : evaluations)
                    each->pop();
            });
        const int expected = evaluations[0]->raw(position);
        for (std::size_t k = 1; k < evaluations.size(); ++k)
            ASSERT_EQ(evaluations[k]->raw(position), expected) << evaluators[k]->description();
    }
}

TEST_P(EveryArchitecture, IsRecognisedInItsOwnFile) {
    const Parameters net = test::random_net(GetParam(), 9);
    const std::string file = eval::nnue::net_file_bytes(net);
    const auto read = eval::nnue::read_net_file(std::as_bytes(std::span(file)));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->parameters.architecture, GetParam()) << read->parameters.architecture.name();
    EXPECT_TRUE(read->parameters == net);
}

TEST(AttackCount, AgreesWithWalkingTheRays) {
    shogi::Position position = shogi::Position::even();
    RandomWalk walk(position, 13);
    for (int i = 0; i < 60; ++i) {
        walk.step([](const eval::Change&) {}, [] {});
        const auto counts = eval::nnue::count_attacks(position);
        for (const Color c : shogi::both_colors)
            for (int s = 0; s < Square::count; ++s)
                ASSERT_EQ(counts[index(c)][static_cast<std::size_t>(s)],
                          (Definition{position, c}.attacks(c, Square::from_index(s))));
    }
}

TEST(Network, KeepsExtremeValuesApart) {
    // Largest weights everywhere: sums of 16-bit products must not saturate in any kernel.
    Architecture a = classic(Feature::kp, 256, 32, 32);
    for (const std::int8_t weight : {std::int8_t{127}, std::int8_t{-128}}) {
        Parameters net(a);
        std::fill(net.transformer_bias.begin(), net.transformer_bias.end(), std::int16_t{127});
        for (auto* layer : {&net.stacks[0].first, &net.stacks[0].second, &net.stacks[0].output})
            for (int o = 0; o < layer->outputs; ++o)
                for (int i = 0; i < layer->inputs; ++i)
                    layer->weight(o, i) = layer == &net.stacks[0].first && weight < 0 ? weight : std::int8_t{127};
        if (weight < 0)
            std::fill(net.stacks[0].first.bias.begin(), net.stacks[0].first.bias.end(), 512 * 127 * 128 + 100 * 64);
        const shogi::Position position = shogi::Position::even();
        const int expected = plain_output(net, position);
        for (const auto* kernel : eval::nnue::usable_kernels(base::Cpu::detect())) {
            const auto evaluator = *eval::nnue::make_evaluator(net, 0, *kernel);
            const auto evaluation = evaluator->start_net();
            evaluation->reset(position);
            EXPECT_EQ(evaluation->raw(position), expected) << kernel->name;
            EXPECT_EQ(evaluation->evaluate(position), std::clamp(expected / 16, -eval::max_score, eval::max_score));
        }
    }
}

}  // namespace
}  // namespace tsumugi
