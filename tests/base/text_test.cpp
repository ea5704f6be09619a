// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/random.hpp"

namespace tsumugi::base {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Split, KeepsEmptyPieces) {
    EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
    EXPECT_THAT(split("", ','), ElementsAre(""));
    EXPECT_THAT(split(",", ','), ElementsAre("", ""));
}

TEST(Split, IsUndoneByJoin) {
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        std::string text;
        for (std::uint64_t n = random.below(12); n > 0; --n)
            text += "ab,"[random.below(3)];
        std::vector<std::string> parts;
        for (const auto piece : split(text, ','))
            parts.emplace_back(piece);
        EXPECT_EQ(join(parts, ","), text);
    }
}

TEST(SplitWords, IgnoresAnyRunOfSpaces) {
    EXPECT_THAT(split_words("  go \tbtime\r\n 1 "), ElementsAre("go", "btime", "1"));
    EXPECT_THAT(split_words(" \n"), IsEmpty());
    EXPECT_THAT(split_words(""), IsEmpty());
}

TEST(SplitCommand, KnowsTheQuotesOfAShell) {
    EXPECT_THAT(*split_command("engine --threads 2"), ElementsAre("engine", "--threads", "2"));
    EXPECT_THAT(*split_command("'my engine'  \"a b\" c\\ d ''"), ElementsAre("my engine", "a b", "c d", ""));
    EXPECT_THAT(*split_command("  "), IsEmpty());
    EXPECT_FALSE(split_command("engine 'open").ok());
}

TEST(SplitLines, AcceptsBothLineEndsAndAMissingLastOne) {
    EXPECT_THAT(split_lines("a\r\n\nb"), ElementsAre("a", "", "b"));
    EXPECT_THAT(split_lines("a\n"), ElementsAre("a"));
    EXPECT_THAT(split_lines(""), IsEmpty());
}

TEST(Trim, RemovesSpacesOnlyAtTheEnds) {
    EXPECT_EQ(trim(" \ta b\n"), "a b");
    EXPECT_EQ(trim("a"), "a");
    EXPECT_EQ(trim(" \r\n"), "");
}

TEST(ToLower, LeavesEverythingButAsciiLettersAlone) { EXPECT_EQ(to_lower("AZaz09[@歩"), "azaz09[@歩"); }

TEST(Shorten, CutsBetweenCharacters) {
    EXPECT_EQ(shorten("abcdef", 6), "abcdef");
    EXPECT_EQ(shorten("abcdefg", 6), "abc...");
    EXPECT_EQ(shorten("歩香桂銀金", 10), "歩香...");
    EXPECT_EQ(shorten("歩香桂銀金", 11), "歩香...");
    EXPECT_EQ(shorten("abcdef", 2), "..");
}

TEST(DisplayWidth, CountsWideCharactersTwice) {
    EXPECT_EQ(display_width("abc"), 3U);
    EXPECT_EQ(display_width("☗7六歩"), 6U);
    EXPECT_EQ(display_width("アマ２段"), 8U);
    EXPECT_EQ(display_width("é"), 1U);
    EXPECT_EQ(display_width("e\u0301"), 1U);
    EXPECT_EQ(display_width(""), 0U);
    EXPECT_EQ(display_width("\xE6\xAD"), 1U) << "a broken character is one replacement sign";
}

TEST(ParseNumber, AcceptsExactlyTheWholeText) {
    EXPECT_EQ(*parse_number<int>("-42"), -42);
    EXPECT_EQ(*parse_number<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_DOUBLE_EQ(*parse_number<double>("2.5e-3"), 0.0025);
    for (const char* bad : {"", " 1", "1 ", "+1", "1x", "x", "0x10", "1.5"}) {
        const auto number = parse_number<int>(bad);
        ASSERT_FALSE(number) << bad;
        EXPECT_EQ(number.error().code, Error::Code::syntax) << bad;
        EXPECT_THAT(number.error().message, HasSubstr(std::string("'") + bad + "'"));
    }
}

TEST(ParseNumber, TellsNumbersThatDoNotFitFromNonsense) {
    EXPECT_EQ(parse_number<std::int8_t>("128").error().code, Error::Code::range);
    EXPECT_EQ(parse_number<int>("99999999999").error().code, Error::Code::range);
    EXPECT_FALSE(parse_number<unsigned>("-1").ok());
}

TEST(ParseNumber, NamesTheLimits) {
    EXPECT_EQ(*parse_number<int>("5", 1, 5), 5);
    for (const char* bad : {"0", "6", "99999999999999"})
        EXPECT_THAT(parse_number<int>(bad, 1, 5).error().message, HasSubstr("from 1 to 5")) << bad;
    EXPECT_EQ(parse_number<int>("five", 1, 5).error().code, Error::Code::syntax);
}

TEST(HumanCount, KeepsThreeDigits) {
    EXPECT_EQ(human_count(0), "0");
    EXPECT_EQ(human_count(999), "999");
    EXPECT_EQ(human_count(1000), "1.00k");
    EXPECT_EQ(human_count(1234567), "1.23M");
    EXPECT_EQ(human_count(12345678), "12.3M");
    EXPECT_EQ(human_count(999400), "999k");
    EXPECT_EQ(human_count(999600), "1.00M");
    EXPECT_EQ(human_count(2.5), "2.50");
    EXPECT_EQ(human_count(-1500), "-1.50k");
}

TEST(HumanBytes, CountsInPowersOf1024) {
    EXPECT_EQ(human_bytes(0), "0 B");
    EXPECT_EQ(human_bytes(1023), "1023 B");
    EXPECT_EQ(human_bytes(1536), "1.50 KiB");
    EXPECT_EQ(human_bytes(std::uint64_t{1} << 40), "1.00 TiB");
    EXPECT_EQ(human_bytes((std::uint64_t{1} << 30) - 1), "1.00 GiB");
}

TEST(HumanDuration, ChoosesAFormByLength) {
    EXPECT_EQ(human_duration(0.0123), "12.3ms");
    EXPECT_EQ(human_duration(42), "42.0s");
    EXPECT_EQ(human_duration(59.97), "1:00");
    EXPECT_EQ(human_duration(3725), "1:02:05");
    EXPECT_EQ(human_duration(200000), "2d 07:33:20");
    EXPECT_EQ(human_duration(std::numeric_limits<double>::infinity()), "?");
}

}  // namespace
}  // namespace tsumugi::base
