// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::test {

// The position of an SFEN that must be good; a bad one in a test is a mistake of the test.
inline shogi::Position position(std::string_view sfen) {
    const auto setup = record::parse_sfen(sfen);
    if (!setup) throw std::runtime_error(std::string(sfen) + ": " + setup.error().message);
    auto result = shogi::Position::from(*setup);
    if (!result) throw std::runtime_error(std::string(sfen) + ": " + result.error().message);
    return *std::move(result);
}

inline shogi::Move usi(std::string_view text) { return *record::parse_usi_move(text); }

}  // namespace tsumugi::test
