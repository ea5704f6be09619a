// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/score_sheet.hpp"
#include "report/sprt.hpp"

namespace tsumugi::arena {

// What a finished game means for the standings.
struct Outcome {
    std::uint64_t pair = 0;
    std::array<std::size_t, 2> engine{};  // by colour
    int black_half_points = 0;
};

// Where a match stands. Results must come in the order in which the games ended: the sequential test is decided when
// its ratio first leaves the limits, and games that were still running then do not change that.
class Standing {
public:
    using Pairing = std::pair<std::size_t, std::size_t>;

    explicit Standing(std::optional<report::Sprt> sprt) : sprt_(std::move(sprt)) {}

    void add(const Outcome& outcome);

    // By pairing, the engine of the smaller number first and its view of the games.
    [[nodiscard]] const std::map<Pairing, ScoreSheet>& sheets() const { return sheets_; }
    [[nodiscard]] std::uint64_t games() const { return games_; }

    [[nodiscard]] const std::optional<report::Sprt>& sprt() const { return sprt_; }
    [[nodiscard]] report::Sprt::State decision() const { return decision_; }
    // After each game that ended.
    [[nodiscard]] const std::vector<double>& llr_course() const { return llr_course_; }

    // For a line of progress.
    [[nodiscard]] std::string summary() const;

private:
    std::optional<report::Sprt> sprt_;
    std::map<Pairing, ScoreSheet> sheets_;
    std::uint64_t games_ = 0;
    report::Sprt::State decision_ = report::Sprt::State::undecided;
    std::vector<double> llr_course_;
};

// "H0 accepted", …
std::string describe(report::Sprt::State state);

}  // namespace tsumugi::arena
