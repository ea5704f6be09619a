// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "shogi/setup.hpp"

namespace tsumugi::record {

// A customary start of a game: the even game or one of the handicaps, under the names formats give it.
struct Handicap {
    std::string_view kif;  // 手合割 of KIF and KI2, e.g. 二枚落ち
    std::string_view jkf;  // initial.preset of JKF, e.g. "2"
    std::string_view sfen;

    [[nodiscard]] shogi::Setup setup() const;
};

// The value of 手合割 for a start that is none of the customary ones; JKF says "OTHER".
constexpr std::string_view other_handicap_kif = "その他";
constexpr std::string_view other_handicap_jkf = "OTHER";

std::span<const Handicap> all_handicaps();

// Null when there is no such handicap.
const Handicap* find_handicap_by_kif(std::string_view name);
const Handicap* find_handicap_by_jkf(std::string_view preset);
const Handicap* find_handicap(const shogi::Setup& start);

}  // namespace tsumugi::record
