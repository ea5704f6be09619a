// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "learn/selfplay_settings.hpp"
#include "learn/train/run.hpp"
#include "report/elo.hpp"

// Generations of nets: the best one so far plays games, a new one learns from them and must beat it.

namespace tsumugi::learn {

struct LineageSettings {
    std::filesystem::path folder;  // of everything; may be given again to go on
    std::string start = "material";
    // A net of an earlier run: plays the first games and passes on its weights. Strength is measured against the
    // start all the same.
    std::string ancestor;
    std::uint64_t generations = 0;  // to stop after; 0 goes on until the time is up
    SelfplaySettings selfplay;      // of each generation; archive, net and seed are filled in
    TrainSettings train;            // likewise folder and seed
    SampleFilter filter;
    double foresight = 0;            // by how much later scores of a game count (learn/data/foresight.hpp)
    int quiet_margin = 60;           // what captures may change in a position to learn from
    int beside = 1;                  // positions beside each one of the games (learn/data/branch.hpp)
    std::uint64_t beside_nodes = 0;  // of a search that scores them; 0 for their evaluation
    std::size_t remembered = 4;      // generations whose games are learned from
    // A net begins with the weights of the player, if that is a net of the lineage, or with those of one that has
    // learned to count as the player does.
    bool inherits = true;
    double heir_rate = 1e-3;    // the learning rate of such a net, at its highest
    std::uint64_t games = 400;  // of each match
    std::uint64_t match_nodes = 2000;
    int threads = 1;  // games at a time, and threads of training
};

// The result of a match of a new net.
struct MatchResult {
    report::WinDrawLoss games;
    report::EloEstimate estimate;
};

// What came out of a generation.
struct Generation {
    std::uint64_t number = 0;  // from 1
    std::string player;        // who played its games: the name of the start, or the number of a generation
    std::string net_sha256;
    std::uint64_t new_positions = 0;
    std::uint64_t learned_positions = 0;
    double validation_loss = 0;  // 0, like the accuracy, when too few games were there to hold some out
    double accuracy = 0;
    MatchResult against_player;
    std::optional<MatchResult> against_start;  // nothing when the player was the start
    bool kept = false;                         // it is the player of the next one
    double seconds = 0;                        // since it was last continued

    [[nodiscard]] nlohmann::ordered_json to_json() const;
    static base::Result<Generation> from_json(const nlohmann::ordered_json& json);
};

// Told what is going on, one call at a time.
class LineageObserver {
public:
    virtual ~LineageObserver() = default;
    // A stage begins, of which a part may be done already.
    virtual void on_stage(std::uint64_t generation, const std::string& stage, std::uint64_t total,
                          std::uint64_t done) = 0;
    virtual void on_progress(std::uint64_t count, const std::string& note) = 0;
    virtual void on_generation(const Generation& generation) = 0;
};

// A lineage in its folder: 001/games.tsa, 001/train/, 001/match/ … and lineage.json, which lists the finished
// generations. Every stage can be killed at any moment and goes on when the lineage is run again.
class Lineage {
public:
    static base::Result<Lineage> open(const LineageSettings& settings);

    // Until enough generations are finished or a stop is requested.
    base::Result<void> run(LineageObserver& observer, const std::stop_token& stop);

    [[nodiscard]] const std::vector<Generation>& generations() const { return generations_; }
    // The net of the best generation; the start when none was kept.
    [[nodiscard]] std::string best_net() const;
    [[nodiscard]] std::string to_text() const;
    // With a chart of the strength over the start: by direct matches, and summed up over the steps.
    [[nodiscard]] std::string to_html() const;

private:
    explicit Lineage(const LineageSettings& settings) : settings_(settings) {}

    [[nodiscard]] std::filesystem::path folder(std::uint64_t generation) const;
    [[nodiscard]] std::filesystem::path net(std::uint64_t generation) const;
    [[nodiscard]] std::filesystem::path archive(std::uint64_t generation) const;
    // What is learned from: the quiet positions of the games, scored by what came later, and those beside.
    [[nodiscard]] std::filesystem::path foreseen(std::uint64_t generation) const;
    [[nodiscard]] std::filesystem::path quiet_games(std::uint64_t generation) const;
    [[nodiscard]] std::filesystem::path beside(std::uint64_t generation) const;
    [[nodiscard]] std::filesystem::path beside_unsearched(std::uint64_t generation) const;
    [[nodiscard]] std::filesystem::path counter() const { return settings_.folder / "counter"; }
    [[nodiscard]] std::filesystem::path openings() const { return settings_.folder / "openings.usi"; }
    [[nodiscard]] const Generation* player() const;
    // Who plays the games of the next generation: the start, the ancestor's file, or a generation's number.
    [[nodiscard]] std::string player_name() const;
    [[nodiscard]] const std::string& first_player() const {
        return settings_.ancestor.empty() ? settings_.start : settings_.ancestor;
    }

    // Each does its part, or what is left of it, and says what it found out in `next`; false when it was stopped.
    base::Result<bool> generate(Generation& next, LineageObserver& observer, const std::stop_token& stop) const;
    base::Result<bool> prepare(Generation& next, LineageObserver& observer, const std::stop_token& stop) const;
    base::Result<bool> learn_to_count(Generation& next, LineageObserver& observer, const std::stop_token& stop) const;
    base::Result<bool> train(Generation& next, LineageObserver& observer, const std::stop_token& stop) const;
    base::Result<bool> judge(Generation& next, LineageObserver& observer, const std::stop_token& stop) const;
    base::Result<void> choose_openings() const;
    // False when it was stopped.
    base::Result<bool> make_positions_beside(const Generation& next, LineageObserver& observer,
                                             const std::stop_token& stop) const;
    // Nothing when it was stopped.
    base::Result<std::optional<EpochReport>> run_training(const TrainSettings& settings, const SampleSet& samples,
                                                          const Generation& next, const std::string& stage,
                                                          LineageObserver& observer, const std::stop_token& stop) const;
    base::Result<std::optional<MatchResult>> play(const Generation& next, const std::string& opponent,
                                                  const std::string& net, LineageObserver& observer,
                                                  const std::stop_token& stop) const;
    base::Result<void> finish(Generation next, LineageObserver& observer);

    LineageSettings settings_;
    std::vector<Generation> generations_;
};

}  // namespace tsumugi::learn
