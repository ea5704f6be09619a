// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/text/utf8.hpp"

#include <array>

namespace tsumugi::record::text {
namespace {

constexpr char32_t unknown = 0xFFFD;

// Length and smallest code of each form; a code below the smallest was written in an overlong form.
struct Form {
    unsigned char lead_mask;
    unsigned char lead;
    std::size_t bytes;
    char32_t smallest;
};
constexpr std::array<Form, 3> long_forms{{{0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}}};

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

std::optional<Character> decode_long(std::string_view text, std::size_t at, const Form& form) {
    if (text.size() - at < form.bytes) return std::nullopt;
    char32_t code = byte_at(text, at) & static_cast<unsigned char>(~form.lead_mask);
    for (std::size_t i = 1; i < form.bytes; ++i) {
        const unsigned char byte = byte_at(text, at + i);
        if ((byte & 0xC0) != 0x80) return std::nullopt;
        code = code << 6 | (byte & 0x3FU);
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < form.smallest || code > 0x10FFFF || surrogate) return std::nullopt;
    return Character{code, form.bytes};
}

std::optional<Character> decode(std::string_view text, std::size_t at) {
    const unsigned char lead = byte_at(text, at);
    if (lead < 0x80) return Character{lead, 1};
    for (const Form& form : long_forms)
        if ((lead & form.lead_mask) == form.lead) return decode_long(text, at, form);
    return std::nullopt;
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
    if (at >= text.size()) return {};
    return decode(text, at).value_or(Character{unknown, 1});
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto character = decode(text, at);
        if (!character) return at;
        at += character->bytes;
    }
    return std::nullopt;
}

std::size_t character_count(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); at += character_at(text, at).bytes)
        ++count;
    return count;
}

void append(std::string& text, char32_t code) {
    const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0 | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xE0 | code >> 12);
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xF0 | code >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

std::optional<int> digit_value(char32_t code) {
    constexpr std::u32string_view kanji = U"一二三四五六七八九";
    if (code >= U'1' && code <= U'9') return static_cast<int>(code - U'0');
    if (code >= U'１' && code <= U'９') return static_cast<int>(code - U'０');
    if (const auto at = kanji.find(code); at != kanji.npos) return static_cast<int>(at) + 1;
    return std::nullopt;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        width += character.code < 0x80 ? 1 : 2;
        at += character.bytes;
    }
    return width;
}

}  // namespace tsumugi::record::text
