// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "base/result.hpp"
#include "ensemble/ballot.hpp"

namespace tsumugi::ensemble {

// Something to ask one player: its move, or what it thinks of a move.
struct Question {
    std::size_t player = 0;
    std::optional<shogi::Move> about;

    bool operator==(const Question&) const = default;
};

// How a group of players comes to a decision. Rules know nothing of clocks and processes: they see who voted for what.
// Most ask everybody once; some ask again in the light of the first answers.
class Rule {
public:
    virtual ~Rule() = default;

    // Whom to ask at the beginning (round 0) and after the answers to the round before. Nobody: it is time to decide.
    [[nodiscard]] virtual std::vector<Question> questions(int round, const Poll& poll) const;
    // The part of the remaining time that the round may take.
    [[nodiscard]] virtual double share(int /*round*/, const Poll& /*poll*/) const { return 1; }
    // The move to play. There is at least one ballot, but anybody's may be missing.
    [[nodiscard]] virtual shogi::Move decide(const Poll& poll, base::Random& random) const = 0;
};

// Everybody's move.
std::vector<Question> ask_everybody(const Poll& poll);

// The numbers that some of the rules need.
struct RuleSettings {
    int switch_every = 10;      // plies
    int middle_game_from = 51;  // move numbers
    int endgame_from = 101;
};

// A rule by its name in files.
struct RuleEntry {
    std::string_view name;
    std::string_view summary;
    std::size_t fewest_players = 1;
    std::unique_ptr<Rule> (*make)(const RuleSettings& settings) = nullptr;
};
std::span<const RuleEntry> all_rules();

base::Result<std::unique_ptr<Rule>> make_rule(std::string_view name, const RuleSettings& settings, std::size_t players);

}  // namespace tsumugi::ensemble
