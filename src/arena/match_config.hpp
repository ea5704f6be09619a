// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/pool.hpp"
#include "arena/schedule.hpp"
#include "record/format.hpp"
#include "report/sprt.hpp"

namespace tsumugi::arena {

struct OpeningSettings {
    std::filesystem::path file;  // empty: the even game
    std::size_t plies = std::numeric_limits<std::size_t>::max();
    bool shuffle = false;
    std::uint64_t seed = 1;

    [[nodiscard]] base::Result<OpeningSuite> load() const;
    // Names the content too, so that a changed file is another one.
    [[nodiscard]] base::Result<nlohmann::ordered_json> description() const;
};

// Everything that a match is.
struct MatchConfig {
    std::vector<EngineSpec> engines;
    Tournament tournament = Tournament::round_robin;
    std::uint64_t games = 100;  // of each pairing
    OpeningSettings openings;
    PoolSettings pool;
    std::optional<report::Sprt::Bounds> sprt;  // of two engines
    std::filesystem::path folder;              // of the results; empty: chosen by name and fingerprint
    std::vector<record::Format> records;       // files to write for every game

    // Complete and consistent?
    [[nodiscard]] base::Result<void> check() const;
    // What decides the games: the same description is the same match, and can be continued. The number of games, the
    // test that ends it and the number of games at once may change in between.
    [[nodiscard]] base::Result<nlohmann::ordered_json> description() const;
};

// What makes an engine this one and no other: program, options, limits, and the contents of the files.
base::Result<nlohmann::ordered_json> describe(const EngineSpec& engine);
// Rules, adjudication and margins.
nlohmann::ordered_json describe(const PlaySettings& settings);

// "elo0=0", "elo1=10", "alpha=0.05", "beta=0.05", "model=normalized|logistic", or a preset: "gain" [0, 2], "keep"
// [-1.75, 0.25] and "large" [0, 10].
base::Result<report::Sprt::Bounds> parse_sprt(const std::vector<std::string>& words);
// "cp=3000 moves=3"; "cp=10 moves=20 from=160"; "moves=1".
base::Result<AdjudicationSettings::Resign> parse_resign(const std::vector<std::string>& words);
base::Result<AdjudicationSettings::Draw> parse_draw(const std::vector<std::string>& words);
base::Result<AdjudicationSettings::Mate> parse_mate(const std::vector<std::string>& words);

}  // namespace tsumugi::arena
