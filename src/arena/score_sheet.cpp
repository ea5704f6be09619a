// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/score_sheet.hpp"

#include <fmt/format.h>

namespace tsumugi::arena {

void ScoreSheet::add(std::uint64_t pair, shogi::Color first_played, int half_points) {
    report::WinDrawLoss& results = by_color_[shogi::index(first_played)];
    ++(half_points == 2 ? results.wins : half_points == 1 ? results.draws : results.losses);
    if (const auto other = half_done_.find(pair); other != half_done_.end()) {
        ++pairs_.pairs[static_cast<std::size_t>(other->second + half_points)];
        half_done_.erase(other);
    } else {
        half_done_.emplace(pair, half_points);
    }
}

report::WinDrawLoss ScoreSheet::total() const {
    return {by_color_[0].wins + by_color_[1].wins, by_color_[0].draws + by_color_[1].draws,
            by_color_[0].losses + by_color_[1].losses};
}

std::optional<report::ScoreSample> ScoreSheet::sample() const {
    if (pairs_.count() > 0) return report::ScoreSample(pairs_);
    const report::WinDrawLoss games = total();
    if (games.games() > 0) return report::ScoreSample(games);
    return std::nullopt;
}

std::string ScoreSheet::summary() const {
    const report::WinDrawLoss games = total();
    std::string text = fmt::format("{}-{}-{}", games.wins, games.draws, games.losses);
    if (const auto results = sample()) {
        const report::EloEstimate estimate = report::estimate_elo(*results);
        text += fmt::format(" Elo {:+.1f} [{:+.1f}, {:+.1f}] LOS {:.1f} %", estimate.elo, estimate.elo_interval.low,
                            estimate.elo_interval.high, 100 * estimate.superiority);
    }
    return text;
}

}  // namespace tsumugi::arena
