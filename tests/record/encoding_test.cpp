// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/encoding.hpp"

#include <gtest/gtest.h>

#include "record/text/utf8.hpp"

namespace tsumugi::record {
namespace {

constexpr Encoding every_encoding[] = {Encoding::utf8, Encoding::utf8_bom, Encoding::cp932, Encoding::utf16_le,
                                       Encoding::utf16_be};

TEST(Encoding, IsDetectedFromWhatItWrites) {
    const std::string text = "開始日時：2024/01/01\n   1 ７六歩(77)   ( 0:02/00:00:02)\n*～－①髙\n";
    for (const Encoding encoding : every_encoding) {
        const auto bytes = encode(text, encoding);
        ASSERT_TRUE(bytes.ok()) << name(encoding) << ": " << bytes.error().message;
        const auto decoded = decode(*bytes);
        ASSERT_TRUE(decoded.ok()) << name(encoding) << ": " << decoded.error().message;
        EXPECT_EQ(decoded->encoding, encoding) << name(encoding);
        EXPECT_EQ(decoded->text, text) << name(encoding);
    }
}

TEST(Encoding, OfAsciiAndOfNothingIsUtf8) {
    EXPECT_EQ(detect_encoding(""), Encoding::utf8);
    EXPECT_EQ(detect_encoding("V2.2\n+7776FU\n"), Encoding::utf8);
}

TEST(Encoding, TellsShiftJisFromUtf8WithoutTrustingTheHeaderLine) {
    const std::string bytes = "#KIF version=2.0 encoding=UTF-8\n\x90\xE6\x8E\xE8\x81\x46\n";  // 先手： in CP932
    const auto decoded = decode(bytes);
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(decoded->encoding, Encoding::cp932);
    EXPECT_EQ(decoded->text, "#KIF version=2.0 encoding=UTF-8\n先手：\n");
}

TEST(Encoding, NamesTheOffsetOfAnInvalidByte) {
    const auto expect_offset = [](std::string_view bytes, Encoding encoding, std::string_view offset) {
        const auto text = decode(bytes, encoding);
        ASSERT_FALSE(text.ok());
        EXPECT_NE(text.error().message.find(offset), std::string::npos) << text.error().message;
    };
    expect_offset("abc\xFFx", Encoding::utf8, "byte 3 (0xFF)");
    expect_offset(
        "\xEF\xBB\xBF"
        "ab\x80",
        Encoding::utf8_bom, "byte 5 (0x80)");
    expect_offset("ab\x82", Encoding::cp932, "byte 2 (0x82)");
    expect_offset(std::string_view("\xFF\xFE"
                                   "a\0\x00\xDC",
                                   6),
                  Encoding::utf16_le, "byte 4");
    expect_offset(std::string_view("\xFE\xFF\0a\0", 5), Encoding::utf16_be, "byte 4");
}

TEST(Encoding, ReportsTheCharacterThatShiftJisLacks) {
    const auto bytes = encode("ab𠮷", Encoding::cp932);
    ASSERT_FALSE(bytes.ok());
    EXPECT_NE(bytes.error().message.find("'𠮷' (byte 2"), std::string::npos) << bytes.error().message;
}

TEST(Encoding, RefusesToEncodeMalformedText) { EXPECT_FALSE(encode("\xC0\x80", Encoding::utf16_le).ok()); }

TEST(Encoding, DetectionAndDecodingAgreeForEveryPairOfBytes) {
    for (int first = 0; first < 256; ++first)
        for (int second = 0; second < 256; ++second) {
            const std::string bytes{static_cast<char>(first), static_cast<char>(second)};
            const Encoding encoding = detect_encoding(bytes);
            const auto text = decode(bytes);
            if (text.ok()) {
                EXPECT_EQ(text->encoding, encoding);
                EXPECT_FALSE(text::first_invalid_utf8(text->text).has_value());
            } else {
                EXPECT_NE(text.error().message.find("byte "), std::string::npos);
            }
        }
}

TEST(Utf8, KnowsOverlongFormsSurrogatesAndTruncation) {
    for (const std::string_view bad :
         {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE3\x81", "\x80"})
        EXPECT_EQ(text::first_invalid_utf8(bad), 0U);
    EXPECT_FALSE(text::first_invalid_utf8("aé七𠮷").has_value());
    EXPECT_EQ(text::character_count("aé七𠮷\xFF"), 5U);
}

TEST(Utf8, AppendingIsTheInverseOfReading) {
    for (const char32_t code : {U'a', U'é', U'七', U'𠮷'}) {
        std::string text;
        text::append(text, code);
        EXPECT_EQ(text::character_at(text, 0).code, code);
        EXPECT_EQ(text::character_at(text, 0).bytes, text.size());
    }
}

}  // namespace
}  // namespace tsumugi::record
