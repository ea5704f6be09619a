// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/engine_spec.hpp"
#include "ensemble/ballot.hpp"
#include "ensemble/member.hpp"
#include "ensemble/rule.hpp"

namespace tsumugi::experiment {

// Who decides, and how.
struct CouncilConfig {
    std::vector<arena::EngineSpec> members;  // each with the allowance for its own move
    std::string rule = "majority";
    std::uint64_t seed = 1;      // of decisions at random
    std::size_t shared_kib = 0;  // of one table for all members inside this process; 0: each has its own
};

// The decisions of a consultation without its clocks and threads: the members think one after the other on the thread
// of whoever asks, each as much as it is allowed. A game takes one processor, and with members inside this process it
// is the same game whenever it is played.
class Council : public think::Player {
public:
    static base::Result<std::unique_ptr<Council>> create(const CouncilConfig& config, const arena::Rules& rules);

    [[nodiscard]] std::string name() const override { return "Tsumugi council"; }
    [[nodiscard]] std::string author() const override { return "the Tsumugi authors"; }
    think::OptionSet& options() override { return options_; }

    // Starts members that are not running.
    base::Result<void> prepare() override;
    void new_game() override;
    // What a member is allowed counts, not `limits`. One that fails has no vote until the next game.
    think::Answer think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                        std::stop_token stop) override;
    void game_over(think::GameResult result) override;

    // Of the last decision.
    [[nodiscard]] const ensemble::Poll& poll() const { return poll_; }

private:
    // What a member said, with the last line that it showed.
    struct Vote {
        think::Answer answer;
        think::Line line;
    };

    Council(CouncilConfig config, std::unique_ptr<ensemble::Rule> rule, const arena::Rules& rules);
    base::Result<ensemble::Seat> open(const arena::EngineSpec& member) const;
    void ask(std::size_t member, const shogi::Position& position, const std::stop_token& stop);
    [[nodiscard]] think::Answer conclude(const shogi::Position& position, think::Observer& observer) const;

    CouncilConfig config_;
    std::unique_ptr<ensemble::Rule> rule_;
    arena::Rules rules_;
    think::OptionSet options_;
    std::shared_ptr<search::SharedTable> table_;  // nothing when each has its own
    std::vector<std::optional<ensemble::Seat>> seats_;

    ensemble::Poll poll_;
    std::vector<std::optional<Vote>> votes_;  // by member
    std::size_t asked_ = 0;
    std::size_t resignations_ = 0;
};

// A council as a player of a match.
base::Result<arena::EngineSpec> council_player(std::string name, CouncilConfig config);

}  // namespace tsumugi::experiment
