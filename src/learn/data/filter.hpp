// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "learn/data/flow.hpp"
#include "learn/data/quiescence.hpp"

namespace tsumugi::learn::data {

// What stays. Everything, as it is.
struct FilterRules {
    // Positions. Plies are those of the game before the position; a file of positions may not tell them, and then
    // these limits do not apply.
    int min_ply = 0;
    int max_ply = std::numeric_limits<int>::max();
    int min_score = 0;  // of either sign
    int max_score = std::numeric_limits<int>::max();
    bool in_check = true;             // may the side to move be in check?
    bool loud_move = true;            // may the best move capture or promote?
    std::optional<int> quiet_margin;  // by which captures may change the evaluation; in check nothing is quiet
    // Games
    std::size_t shortest = 0;
    std::size_t longest = std::numeric_limits<std::size_t>::max();
    bool draws = true;

    // For provenance, with the identity of the net that judges what is quiet.
    [[nodiscard]] std::string json(const std::string& net) const;
};

class Filter {
public:
    // The evaluator is needed for a quiet margin only.
    Filter(const FilterRules& rules, std::shared_ptr<const eval::Evaluator> evaluator);

    // `position` is restored.
    bool keeps(shogi::Position& position, shogi::Move best, int score);
    // Takes the scores of the positions that go away, so that the game can still be replayed. False when nothing of it
    // is left.
    base::Result<bool> keeps(Item& item);

private:
    base::Result<bool> keeps(record::ArchivedGame& game);

    FilterRules rules_;
    std::optional<Quiescence> quiescence_;
};

struct FilterSettings {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    bool overwrite = false;
    FilterRules rules;
    std::string net;  // for the quiet margin; empty for the built-in one
    int fv_scale = 0;
    int workers = 1;  // what is kept does not depend on them
};

struct FilterReport {
    FlowReport read;
    FlowReport kept;
};

base::Result<FilterReport> filter(const FilterSettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
