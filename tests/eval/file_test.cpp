// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "eval/net.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/leb128.hpp"
#include "random_net.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi {
namespace {

using eval::nnue::Architecture;
using eval::nnue::Feature;
using testing::HasSubstr;

std::string net_bytes(Feature feature = Feature::kp) {
    Architecture a;
    a.feature = feature;
    a.width = feature == Feature::kp ? 256 : 8;
    return eval::nnue::net_file_bytes(test::random_net(a, 3));
}

// Changes the text of the header without touching anything else.
std::string with_text(const std::string& file, const std::string& text) {
    std::uint32_t length = 0;
    std::memcpy(&length, file.data() + 8, sizeof length);
    std::string result = file.substr(0, 8);
    const auto new_length = static_cast<std::uint32_t>(text.size());
    result.append(reinterpret_cast<const char*>(&new_length), sizeof new_length);
    return result + text + file.substr(12 + length);
}

base::Result<eval::nnue::NetFile> read(const std::string& file, std::string_view feature = {}) {
    return eval::nnue::read_net_file(std::as_bytes(std::span(file)), feature);
}

std::string refusal(const std::string& file) {
    const auto result = read(file);
    return result ? "accepted as " + result->parameters.architecture.name() : result.error().message;
}

TEST(NetFile, ThatIsCutShortSaysHowMuchIsMissing) {
    std::string file = net_bytes();
    file.resize(file.size() - 1000);
    EXPECT_THAT(refusal(file),
                HasSubstr("truncated: K-P 256x2-32-32 needs 893740 bytes after the header, 1000 are missing"));
}

TEST(NetFile, ThatIsTooLongSaysByHowMuch) {
    EXPECT_THAT(refusal(net_bytes() + "xyz"), HasSubstr("3 bytes too many for K-P 256x2-32-32"));
}

TEST(NetFile, WithoutATextIsStillKnownByItsSizeAndHashes) {
    const auto net = read(with_text(net_bytes(), ""));
    ASSERT_TRUE(net) << net.error().message;
    EXPECT_EQ(net->parameters.architecture.name(), "K-P 256x2-32-32");
}

TEST(NetFile, WithAWrongTextIsKnownByItsSizeAndHashes) {
    Architecture half_kp;
    half_kp.feature = Feature::half_kp;
    const auto net = read(with_text(net_bytes(), half_kp.header_string()));
    ASSERT_TRUE(net) << net.error().message;
    EXPECT_EQ(net->parameters.architecture.name(), "K-P 256x2-32-32");
}

TEST(NetFile, WithoutSectionHashesIsRead) {
    const std::string file = net_bytes();
    const Architecture a;
    const std::size_t head = 12 + a.header_string().size();
    const std::string bare = file.substr(0, head) + file.substr(head + 4, a.transformer_bytes()) +
                             file.substr(head + 8 + a.transformer_bytes());
    const auto net = read(bare);
    ASSERT_TRUE(net) << net.error().message;
    EXPECT_FALSE(net->header.section_hashes);
    EXPECT_EQ(net->parameters, read(file)->parameters);
}

TEST(NetFile, WithAWrongHashInEveryPlaceIsKnownByItsText) {
    std::string file = net_bytes();
    const Architecture a;
    const std::size_t head = 12 + a.header_string().size();
    for (const std::size_t at : {std::size_t{4}, head, head + 4 + a.transformer_bytes()})
        file[at] = static_cast<char>(file[at] ^ 0x55);
    const auto net = read(file);
    ASSERT_TRUE(net) << net.error().message;
    EXPECT_EQ(net->parameters.architecture, a);
}

TEST(NetFile, ThatFitsSeveralFeatureSetsNamesThem) {
    // The same size and the same hash: only the text told them apart.
    const std::string file = with_text(net_bytes(Feature::half_kpk_file), "");
    EXPECT_THAT(refusal(file),
                testing::AllOf(HasSubstr("ambiguous"), HasSubstr("HalfKPKfile"), HasSubstr("HalfKPKrank")));
    const auto settled = read(file, "HalfKPKrank");
    ASSERT_TRUE(settled) << settled.error().message;
    EXPECT_EQ(settled->parameters.architecture.feature, Feature::half_kpk_rank);
}

TEST(NetFile, OfAnUnknownShapeNamesTheNearest) {
    std::string file = with_text(net_bytes(), "");
    std::memset(file.data() + 4, 0, 4);
    std::memset(file.data() + 12, 0, 4);
    file += std::string(13, 'x');
    EXPECT_THAT(refusal(file),
                testing::AllOf(HasSubstr("unknown shape: 893753 bytes"), HasSubstr("K-P 256x2-32-32 with 893740")));
}

TEST(NetFile, ThatIsNoNetIsRefused) {
    EXPECT_THAT(refusal(""), HasSubstr("too few"));
    EXPECT_THAT(refusal("lnsgkgsnl/1r5b1/ppppppppp"), HasSubstr("not an nn.bin"));
    std::string file = net_bytes();
    std::memset(file.data() + 8, 0x7f, 4);
    EXPECT_THAT(refusal(file), HasSubstr("the header announces a text"));
}

TEST(NetFile, WithLayerStacksSaysWhereItIsDamaged) {
    Architecture a;
    a.feature = Feature::kp;
    a.shape = eval::nnue::Shape::product;
    a.width = 64;
    a.first = 7;
    a.stacks = eval::nnue::LayerStacks::from_name("k3k3");
    const std::string file = eval::nnue::net_file_bytes(test::random_net(a, 4));
    EXPECT_THAT(refusal(file.substr(0, file.size() - 7)), HasSubstr("9 layer stacks"));
    EXPECT_THAT(refusal(file.substr(0, 20000)), HasSubstr("weights of the feature transformer: truncated"));
    // Without a name for the layers, their sizes follow from the place of the hashes.
    const auto net = read(with_text(file, "{LayerStack=9}"));
    ASSERT_TRUE(net) << net.error().message;
    EXPECT_EQ(net->parameters.architecture.first, 7);
    EXPECT_EQ(net->parameters.architecture.second, 32);
}

TEST(NetFile, NeverReadsBeyondADamagedFile) {
    Architecture sfnn;
    sfnn.shape = eval::nnue::Shape::product;
    sfnn.width = 16;
    sfnn.first = 7;
    sfnn.second = 8;
    for (const std::string& whole : {net_bytes(), eval::nnue::net_file_bytes(test::random_net(sfnn, 4))})
        for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
            EXPECT_FALSE(read(whole.substr(0, size))) << size;
            std::string changed = whole;
            changed[size] = static_cast<char>(changed[size] ^ 0x80);
            if (const auto result = read(changed); result) {
                EXPECT_EQ(result->parameters.stacks.size(), 1U);
            }
        }
}

TEST(NetFile, IsWrittenAndLoadedByName) {
    const test::TempFolder folder;
    const auto path = folder / "nn.bin";
    ASSERT_TRUE(eval::nnue::write_net(path, test::random_net({}, 5)));
    const auto evaluator = eval::load_net(path, {24, {}});
    ASSERT_TRUE(evaluator) << evaluator.error().message;
    EXPECT_THAT((*evaluator)->description(), HasSubstr("K-P 256x2-32-32, FV_SCALE 24"));
    EXPECT_THAT(eval::load_net(folder / "missing").error().message, HasSubstr("missing"));
    EXPECT_FALSE(eval::load_net(path, {-1, {}}));
}

TEST(Leb128, KeepsEveryNumber) {
    std::vector<std::int16_t> all;
    for (int i = INT16_MIN; i <= INT16_MAX; ++i)
        all.push_back(static_cast<std::int16_t>(i));
    std::string block;
    eval::nnue::append_leb128(block, all);
    std::span<const std::byte> bytes = std::as_bytes(std::span(block));
    const auto back = eval::nnue::read_leb128(bytes);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, all);
    EXPECT_TRUE(bytes.empty());
}

TEST(Architecture, HasThePublishedHashes) {
    Architecture a;
    EXPECT_EQ(a.transformer_hash(), 0x3F5715FFU);
    EXPECT_EQ(a.network_hash(), 0x63337156U);
    EXPECT_EQ(a.file_hash(), 0x5C6464A9U);
    a.feature = Feature::half_kp;
    EXPECT_EQ(a.file_hash(), 0x3E5AA6EEU);
    EXPECT_EQ(a.transformer_bytes() + a.stack_bytes(), 64216868U);
    a.width = 512;
    a.first = 8;
    a.second = 96;
    EXPECT_EQ(a.network_hash(), 0x633376B4U);
}

TEST(LayerStacks, CountAndNameAgree) {
    for (const char* name : {"", "k3k3", "hand64z_k13k13z", "hand256_k3k3_progress16", "k9k9z", "hand1024"})
        EXPECT_EQ(eval::nnue::LayerStacks::from_name(name).name(), name);
    EXPECT_EQ(eval::nnue::LayerStacks::from_name("SFNN_HALFKA2_1024_7_64_HAND256_K3K3_PROGRESS16").count(), 36864U);
    EXPECT_EQ(eval::nnue::LayerStacks::from_name("king29_by_king29").count(), 841U);
}

}  // namespace
}  // namespace tsumugi
