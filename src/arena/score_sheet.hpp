// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "report/elo.hpp"
#include "report/sprt.hpp"
#include "shogi/color.hpp"

namespace tsumugi::arena {

// The games between two engines, seen from the first of them.
class ScoreSheet {
public:
    // Games with the same pair number were played from the same opening with colours reversed.
    void add(std::uint64_t pair, shogi::Color first_played, int half_points);

    [[nodiscard]] report::WinDrawLoss total() const;
    [[nodiscard]] const report::WinDrawLoss& as(shogi::Color color) const { return by_color_[shogi::index(color)]; }
    // Pairs of which both games are finished.
    [[nodiscard]] const report::Pentanomial& pairs() const { return pairs_; }
    // What strength is estimated from: the pairs once there are any, before that the games.
    [[nodiscard]] std::optional<report::ScoreSample> sample() const;

    // "A 12-3-9 (56.3 %) Elo +43.2 [-77.0, +165.1] LOS 76 %": for a line of progress.
    [[nodiscard]] std::string summary() const;

private:
    std::array<report::WinDrawLoss, 2> by_color_;
    report::Pentanomial pairs_;
    std::map<std::uint64_t, int> half_done_;  // half points of the pairs with one game
};

}  // namespace tsumugi::arena
