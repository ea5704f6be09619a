// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "base/mapped_file.hpp"
#include "eval/net.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "random_net.hpp"
#include "support/data.hpp"

namespace tsumugi {
namespace {

struct Vector {
    const char* sfen;
    int raw;
    int score;
};
// Published by the authors of the description of this net; the scores are YaneuraOu's.
constexpr Vector vectors[] = {
    {"startpos", 636, 39},
    {"lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", -970, -60},
    {"l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", 2373, 148},
    {"6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1", -11990, -749},
    {"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124", -14619, -913},
    {"ln2gs+Rgl/1s2k4/p1pppp2p/2r3pN1/B8/8P/P1GPPPP2/6S2/L+b2KG1NL b Psn4p 41", -23147, -1446},
    {"ln2g1knl/1r3sgb1/3ppp1p1/p1s5p/2p3P2/PBRP1P2P/1P2PS1P1/4G1SK1/LN3G1NL b 2Pp 51", 377, 23},
    {"l3gk2l/5sg2/1r2pp1pp/p1pPs4/6P1P/1PP1Ps3/Pp1S1BR2/2G1G4/LN3K2L b B2N3Pnp 61", 6839, 427},
    {"ln1kg3l/1s3ss+R1/2p1pp2p/p2p2p2/9/3G4P/P2P1PP2/2BB+s1K2/L6NL b R2P2g2n4p 71", -17030, -1064},
    {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", -14650, -915},
    {"+P+PK1+R+B3/+P+S+S+P5/+P+P7/9/9/9/7+p+p/5+p+s+s+p/3+b+r1k+p+p b 2G3L2N3P2gl2n3p 1", 30638, 1914},
    {"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 102266, 6391},
};

class PublicNet : public testing::Test {
protected:
    void SetUp() override {
        path_ = test::shared_data("nets/suisho-petite.nn.bin");
        if (path_.empty()) GTEST_SKIP() << "the public net is not beside the checkout";
        auto file = base::MappedFile::open(path_);
        ASSERT_TRUE(file) << file.error().message;
        auto net = eval::nnue::read_net_file(file->bytes());
        ASSERT_TRUE(net) << net.error().message;
        net_ = std::move(*net);
    }

    // Evaluates from scratch with every kernel of this machine.
    void expect_raw(const std::string& sfen, int raw) {
        const shogi::Position position = test::position_of(sfen);
        for (const auto* kernel : eval::nnue::usable_kernels(base::Cpu::detect())) {
            auto& evaluation = evaluations_[kernel];
            if (!evaluation) {
                evaluators_.push_back(*eval::nnue::make_evaluator(net_.parameters, 0, *kernel));
                evaluation = evaluators_.back()->start_net();
            }
            evaluation->reset(position);
            EXPECT_EQ(evaluation->raw(position), raw) << kernel->name << ' ' << sfen;
        }
    }

    std::filesystem::path path_;
    eval::nnue::NetFile net_;
    std::vector<std::shared_ptr<const eval::nnue::NetEvaluator>> evaluators_;
    std::map<const eval::nnue::Kernel*, std::unique_ptr<eval::nnue::NetEvaluation>> evaluations_;
};

TEST_F(PublicNet, IsRecognisedByEveryPieceOfEvidence) {
    EXPECT_EQ(net_.parameters.architecture.name(), "K-P 256x2-32-32");
    EXPECT_EQ(net_.header.evidence.size(), 7U);
}

TEST_F(PublicNet, GivesThePublishedOutputs) {
    for (const Vector& each : vectors)
        expect_raw(each.sfen, each.raw);
}

TEST_F(PublicNet, GivesEveryOutputOfTheIndependentTable) {
    const auto rows = test::read_table(test::shared_data("nets/suisho-petite.evals.tsv"));
    ASSERT_GT(rows.size(), 200U);
    for (const auto& row : rows)
        expect_raw(row[0], std::stoi(row[1]));
}

TEST_F(PublicNet, ScalesTowardsZero) {
    const auto evaluator = eval::load_net(path_);
    ASSERT_TRUE(evaluator) << evaluator.error().message;
    const auto evaluation = (*evaluator)->start();
    for (const Vector& each : vectors) {
        const shogi::Position position = test::position_of(each.sfen);
        evaluation->reset(position);
        EXPECT_EQ(evaluation->evaluate(position), each.score) << each.sfen;
    }
}

TEST_F(PublicNet, IsWrittenBackByteForByte) {
    EXPECT_EQ(eval::nnue::net_file_bytes(net_.parameters), test::read_file(path_));
}

}  // namespace
}  // namespace tsumugi
