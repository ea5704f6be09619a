// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cluster/connection.hpp"
#include "ensemble/rule.hpp"
#include "think/limits.hpp"
#include "think/option.hpp"
#include "think/win_rate.hpp"

namespace tsumugi::ensemble {

using think::OptionValues;

// A player as the user describes it.
struct MemberConfig {
    std::string name = {};
    std::vector<std::string> command = {};  // empty: our own engine, inside this process
    std::filesystem::path folder = {};      // where the command runs; empty: here
    std::string engine = {};  // of a cluster, by the name under which agents offer it; instead of a command
    std::string agent = {};   // that offers it; empty: whoever has room
    OptionValues options = {};
    double weight = 1;
    // Centipawns that are a win rate of 73 %: scores of different programs compare only as win rates.
    double scale = think::own_win_rate_scale;

    [[nodiscard]] bool is_own() const { return command.empty() && engine.empty(); }
};

// Who guesses what the opponent will reply, for players that ponder several replies at once.
struct PredictionConfig {
    MemberConfig player = {.name = "prediction"};
    think::Milliseconds time{200};  // for each guess
};

// A group of players and how it decides.
struct Config {
    std::string name;  // empty: what kind of group it is
    std::string rule = "majority";
    RuleSettings rule_settings;
    std::uint64_t seed = 1;  // of decisions at random
    // One transposition table for all copies of our engine with the same net, instead of one for each.
    bool shares_tables = false;
    std::size_t shared_mib = 256;  // of each such table
    // A player that is bound by nodes or depth alone has failed after this time.
    think::Milliseconds longest_think = std::chrono::minutes(10);
    std::vector<MemberConfig> members;
    PredictionConfig prediction;
    cluster::ConnectionSettings cluster;  // for players of a cluster

    // From the text of a TOML file. Relative folders count from `folder`.
    static base::Result<Config> parse(std::string_view text, const std::filesystem::path& folder);
    static base::Result<Config> load(const std::filesystem::path& file);
};

}  // namespace tsumugi::ensemble
