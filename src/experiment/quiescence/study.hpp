// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "base/result.hpp"
#include "eval/evaluation.hpp"
#include "search/quiescence_policy.hpp"
#include "shogi/position.hpp"

namespace tsumugi::experiment::quiescence {

// By their names, as in search::quiescence_policies but in any case.
base::Result<std::vector<search::QuiescencePolicy>> find_policies(const std::vector<std::string>& names);
std::string_view name_of(search::QuiescencePolicy policy);

// Searches of positions by every policy, beside full width.
struct Study {
    std::vector<search::QuiescencePolicy> policies;
    int deepest = 4;
    std::shared_ptr<const eval::Evaluator> evaluator;
    std::uint64_t seed = 1;  // of the games of random moves that teach how moves are rated
    int threads = 1;
};

struct Measurement {
    int value = 0;
    std::uint64_t nodes = 0;

    bool operator==(const Measurement&) const = default;
};

// Of one position. Measurements are by depth, from 1.
struct Finding {
    int progress = 0;
    std::vector<std::string> categories;  // that the best move of the deepest full-width search belongs to
    std::vector<Measurement> full_width;
    std::vector<std::vector<Measurement>> policies;  // in the order of the study

    bool operator==(const Finding&) const = default;
};

// A line of the log.
nlohmann::json to_json(const Finding& finding, const Study& study);
// Nothing if it is no complete finding of this study.
std::optional<Finding> from_json(const nlohmann::json& json, const Study& study);

// The findings so far, in a file of one JSON text a line; the first says what they are findings of. A run that was
// interrupted goes on with it.
class Log {
public:
    // Refuses a file of another study. Without a path nothing is kept.
    static base::Result<Log> open(const std::filesystem::path& path, const Study& study, const nlohmann::json& facts,
                                  std::size_t positions);

    [[nodiscard]] const std::vector<std::optional<Finding>>& findings() const { return findings_; }
    base::Result<void> add(std::size_t position, Finding finding, const Study& study);

private:
    std::filesystem::path path_;
    std::vector<std::optional<Finding>> findings_;
};

// Completes the log; progress counts positions.
base::Result<std::vector<Finding>> study_positions(const Study& study, std::span<const shogi::Position> positions,
                                                   Log& log, base::Progress& progress, const std::stop_token& stop);

// The simple categories that a move belongs to.
std::vector<std::string> categories_of(shogi::Position& position, shogi::Move move);

}  // namespace tsumugi::experiment::quiescence
