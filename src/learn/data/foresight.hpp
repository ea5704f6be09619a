// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "learn/data/flow.hpp"

namespace tsumugi::learn::data {

struct ForesightSettings {
    std::vector<std::filesystem::path> inputs;  // of games
    std::filesystem::path output;
    bool overwrite = false;
    double decay = 0.9;        // what the next ply's verdict counts beside the present one; 0 keeps the scores
    double score_scale = 600;  // centipawns for which the odds are e to 1
};

// Gives every scored position what the rest of its game thought of it: the mean of its own score and all later ones, as
// win probabilities with weights that fall by `decay` a ply, and at the end the result. A weak player's score knows
// little and the result of his game is mostly luck; what he sees some moves later lies between the two.
void foresee(record::ArchivedGame& game, double decay, double score_scale);

base::Result<FlowReport> foresee(const ForesightSettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
