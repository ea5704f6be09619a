// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "eval/nnue/calibration.hpp"
#include "learn/data/distinct_count.hpp"
#include "learn/data/flow.hpp"

namespace tsumugi::learn::data {

// What a body of training data amounts to.
class Statistics {
public:
    base::Result<void> add(const Item& item);
    // After the last item: what the files said of themselves.
    void finish(std::uint64_t bytes, std::uint64_t damaged_bytes) {
        bytes_ = bytes;
        damaged_bytes_ = damaged_bytes;
    }

    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string json() const;

    [[nodiscard]] std::uint64_t games() const { return games_; }
    [[nodiscard]] std::uint64_t positions() const { return positions_; }
    // What scores were worth: the fit of results to scores of less than 3000. Fails when the data say nothing of it.
    [[nodiscard]] base::Result<eval::nnue::ResultFit> win_rate() const;
    [[nodiscard]] double distinct() const { return distinct_.estimate(); }

private:
    static constexpr std::size_t longest = 1024;  // plies counted one by one
    static constexpr int score_slots = 1 << 16;

    // A position with a score, and the result for its side to move.
    void add_position(const shogi::Position& position, shogi::Move best, int score, int result);
    // The score, or ply, below which this share of the positions lies.
    [[nodiscard]] int score_quantile(double share) const;
    [[nodiscard]] std::size_t ply_quantile(double share) const;
    [[nodiscard]] std::uint64_t scores_within(int low, int high) const;  // low <= |score| < high
    [[nodiscard]] std::uint64_t plies_within(std::size_t low, std::size_t high) const;
    [[nodiscard]] std::string game_text() const;
    [[nodiscard]] std::string position_text() const;

    std::uint64_t bytes_ = 0;
    std::uint64_t damaged_bytes_ = 0;
    std::vector<std::string> provenances_;

    std::uint64_t games_ = 0;
    std::array<std::uint64_t, 3> game_results_{};  // draw, Black, White
    std::array<std::uint64_t, record::archived_ends> ends_{};
    std::uint64_t other_starts_ = 0;  // games that do not begin like an even one
    std::uint64_t moves_ = 0;         // of games, with and without a score
    std::size_t shortest_game_ = 0;
    std::size_t longest_game_ = 0;

    std::uint64_t positions_ = 0;
    std::array<std::uint64_t, 3> position_results_{};
    std::uint64_t in_check_ = 0;
    std::uint64_t loud_ = 0;  // the best move captures or promotes
    std::vector<std::uint64_t> scores_ = std::vector<std::uint64_t>(score_slots);
    std::vector<std::uint64_t> half_points_ = std::vector<std::uint64_t>(score_slots);  // scored with each of them
    std::vector<std::uint64_t> plies_ = std::vector<std::uint64_t>(longest + 1);        // the last is for all beyond
    DistinctCount distinct_;
};

base::Result<Statistics> gather_statistics(const std::vector<std::filesystem::path>& inputs, const Monitor& monitor);

}  // namespace tsumugi::learn::data
