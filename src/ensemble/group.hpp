// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/opening_book.hpp"
#include "ensemble/config.hpp"
#include "ensemble/member.hpp"
#include "ensemble/table_share.hpp"
#include "ensemble/time_frame.hpp"
#include "search/settings.hpp"

namespace tsumugi::ensemble {

// What all groups of players have in common. The group owns the clock, the book and the declaration of a win; its
// players are told how long they may think about this move.
class Group : public think::Player {
public:
    [[nodiscard]] std::string name() const override { return config_.name; }
    [[nodiscard]] std::string author() const override { return "the Tsumugi authors"; }
    think::OptionSet& options() override { return options_; }

    // The error names the players that cannot be used; the others play.
    base::Result<void> prepare() override;
    void new_game() override;
    void game_over(think::GameResult result) override;

protected:
    // A group without a name of its own is called by its kind.
    Group(Config config, const std::string& kind);

    [[nodiscard]] const Config& config() const { return config_; }
    [[nodiscard]] std::span<const std::unique_ptr<Member>> members() const { return members_; }
    [[nodiscard]] const std::shared_ptr<RemoteEngines>& remote() const { return remote_; }
    // Prepared and told of games like the players, but without a vote.
    void add_assistant(Member& assistant) { assistants_.push_back(&assistant); }

    // What our options say, in the words of the engine's settings.
    [[nodiscard]] search::Settings settings() const;
    [[nodiscard]] TimeRules time_rules(const search::Settings& settings) const;
    [[nodiscard]] book::ProbeResult ask_book(const shogi::Position& position, const think::Limits& limits) const {
        return book_.ask(position, limits, options_, games_);
    }
    // What needs no thought: a win by the rules, or a move of the book.
    [[nodiscard]] std::optional<think::Answer> known_answer(const shogi::Position& position,
                                                            const think::Limits& limits, shogi::EnteringKingRule rule,
                                                            think::Observer& observer) const;

private:
    [[nodiscard]] OptionValues offers() const;

    Config config_;
    std::shared_ptr<RemoteEngines> remote_;
    think::OptionSet options_;
    engine::OpeningBook book_;
    TableShare tables_;
    std::vector<std::unique_ptr<Member>> members_;
    std::vector<Member*> assistants_;
    std::uint64_t games_ = 0;
};

// Who ponders must not answer before the opponent has moved.
void wait_for_reply(const think::PonderSignal& reply, const std::stop_token& stop);

}  // namespace tsumugi::ensemble
