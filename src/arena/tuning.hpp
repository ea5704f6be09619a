// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>

#include "arena/match_config.hpp"
#include "arena/spsa.hpp"
#include "base/descriptor.hpp"
#include "report/chart.hpp"
#include "report/table.hpp"
#include "store/sqlite.hpp"

namespace tsumugi::arena {

struct TuneConfig {
    EngineSpec engine;
    SpsaSettings spsa;
    OpeningSettings openings;
    PoolSettings pool;
    std::filesystem::path folder;

    [[nodiscard]] base::Result<void> check() const;
    [[nodiscard]] base::Result<nlohmann::ordered_json> description() const;
};

// "NAME" for a number of our own search, with "start=", "min=", "max=", "step=", "rate=" to say otherwise or for an
// option of another program. Without a step, a twentieth of the range is taken.
base::Result<TuneParameter> parse_tune_parameter(const std::vector<std::string>& words);

// Tunes numbers of an engine by games of it against itself: pairs of games from one opening between two opposite
// trials. The state after every pair is kept in an SQLite file; opening the same configuration again goes on.
class Tuning : public TaskSource {
public:
    using Listener = std::function<void(const Tuning&)>;

    static base::Result<std::unique_ptr<Tuning>> open(const TuneConfig& config);

    void on_iteration(Listener listener) { listener_ = std::move(listener); }
    base::Result<void> run(std::stop_token stop);

    [[nodiscard]] std::uint64_t done() const { return done_.size(); }
    [[nodiscard]] const Spsa& spsa() const { return spsa_; }
    // Name, value now, start and range of every parameter.
    [[nodiscard]] report::Table table() const;
    // The table with charts of how the values moved, as a page complete in itself.
    [[nodiscard]] base::Result<std::string> to_html();

    std::optional<Task> next() override;
    base::Result<void> finished(const Task& task, const PlayedGame& game) override;
    base::Result<void> annulled(const Task& task, const PlayedGame& game) override;

private:
    // A trial whose pair of games is being played.
    struct Open {
        Spsa::Trial trial;
        int games = 0;
        int half_points = 0;  // of the plus side
    };

    Tuning(TuneConfig config, base::Descriptor lock, OpeningSuite openings, store::Database database);
    base::Result<void> load(const nlohmann::ordered_json& description);
    [[nodiscard]] OptionValues values(const std::vector<int>& numbers) const;
    base::Result<void> store_iteration(const Open& open);
    // Of each parameter, in its steps from the start, over the pairs of games.
    base::Result<std::vector<report::Series>> courses();

    TuneConfig config_;
    base::Descriptor lock_;
    OpeningSuite openings_;
    store::Database database_;
    Spsa spsa_;
    std::set<std::uint64_t> done_;
    std::uint64_t next_ = 0;
    std::map<std::uint64_t, Open> open_;
    std::deque<Task> second_games_;
    Listener listener_;
};

}  // namespace tsumugi::arena
