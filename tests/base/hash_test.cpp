// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hash.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace tsumugi::base {
namespace {

TEST(Sha256, GivesTheDigestsOfTheStandard) {
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheMessageIsCut) {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        std::string message(random.below(300), '\0');
        for (char& c : message)
            c = static_cast<char>(random());
        Sha256 hash;
        for (std::string_view rest = message; !rest.empty();) {
            const std::size_t count = 1 + random.below(rest.size());
            hash.update(rest.substr(0, count));
            rest.remove_prefix(count);
        }
        EXPECT_EQ(to_hex(hash.finish()), sha256_hex(message)) << message.size();
    }
}

TEST(Crc32c, GivesTheChecksumsOfRfc3720) {
    EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
    EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
    std::string ascending;
    for (int i = 0; i < 32; ++i)
        ascending += static_cast<char>(i);
    EXPECT_EQ(crc32c(ascending), 0x46DD794EU);
    EXPECT_EQ(crc32c(std::string(ascending.rbegin(), ascending.rend())), 0x113FDB5CU);
    EXPECT_EQ(crc32c(""), 0U);
}

TEST(Crc32c, ContinuesOverParts) {
    Random random(2);
    std::string message(1000, '\0');
    for (char& c : message)
        c = static_cast<char>(random());
    for (std::size_t cut = 0; cut <= message.size(); cut += 13) {
        const std::string_view view = message;
        EXPECT_EQ(crc32c(view.substr(cut), crc32c(view.substr(0, cut))), crc32c(view));
    }
}

TEST(Crc32c, FindsEveryBurstOf32WrongBits) {
    Random random(3);
    std::string message(100, '\0');
    for (char& c : message)
        c = static_cast<char>(random());
    const std::uint32_t right = crc32c(message);
    for (int round = 0; round < 20000; ++round) {
        std::string damaged = message;
        const std::size_t start = random.below(message.size() * 8 - 32);
        std::uint32_t burst = static_cast<std::uint32_t>(random());
        if (burst == 0) burst = 1;
        for (std::size_t bit = 0; bit < 32; ++bit)
            if ((burst >> bit) & 1) {
                char& c = damaged[(start + bit) / 8];
                c = static_cast<char>(c ^ (1 << ((start + bit) % 8)));
            }
        ASSERT_NE(crc32c(damaged), right);
    }
}

TEST(Xxhash64, GivesThePublishedHashes) {
    EXPECT_EQ(xxhash64(""), 0xEF46DB3751D8E999U);
    EXPECT_EQ(xxhash64("a"), 0xD24EC4F1A98C6E5BU);
    EXPECT_EQ(xxhash64("abc"), 0x44BC2CF5AD770999U);
}

}  // namespace
}  // namespace tsumugi::base
