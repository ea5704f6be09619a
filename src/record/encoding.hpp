// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tsumugi::record {

// How the characters of a record file are stored. Inside the program text is always UTF-8 without a mark.
enum class Encoding {
    utf8,
    utf8_bom,  // UTF-8 that starts with the byte order mark EF BB BF
    cp932,     // Shift_JIS as Windows has it: the usual encoding of .kif, .ki2 and old .csa files
    utf16_le,  // with byte order mark FF FE
    utf16_be,  // with byte order mark FE FF
};

std::string_view name(Encoding encoding);

// Decides by content alone, in this order, so the same bytes always give the same answer:
//   1. a byte order mark: UTF-8, UTF-16 LE or UTF-16 BE;
//   2. well-formed UTF-8 (which pure ASCII is too): UTF-8 without mark. Japanese text in CP932 is practically never
//      well-formed UTF-8, as kana start with 82 or 83 there, which no UTF-8 character does;
//   3. well-formed CP932: CP932;
//   4. neither: whichever of UTF-8 and CP932 goes farther before its first invalid byte, CP932 on a tie. decode()
//      then names that byte.
// A line such as "#KIF version=2.0 encoding=UTF-8" is not consulted: converted files often keep the old one.
Encoding detect_encoding(std::string_view bytes);

// UTF-8 text without byte order mark. Bytes that are invalid in the encoding give an error naming their offset.
base::Result<std::string> decode(std::string_view bytes, Encoding encoding);

// decode() with the detected encoding, which the caller gets too in order to write the file back as it was.
struct Decoded {
    std::string text;
    Encoding encoding = Encoding::utf8;
};
base::Result<Decoded> decode(std::string_view bytes);

// The bytes to store, with a byte order mark where the encoding asks for one. A character that CP932 lacks gives an
// error naming its offset.
base::Result<std::string> encode(std::string_view text, Encoding encoding);

}  // namespace tsumugi::record
