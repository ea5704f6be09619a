// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "engine/opening_book.hpp"
#include "ensemble/config.hpp"
#include "ensemble/member.hpp"
#include "ensemble/rule.hpp"
#include "ensemble/table_share.hpp"
#include "search/settings.hpp"
#include "shogi/declaration.hpp"

namespace tsumugi::ensemble {

// Several players as one: all think about the same position, and a rule decides between their moves. The group owns the
// clock, the book and the declaration of a win; its players are told how long they may think about this move.
class Consultation : public think::Player {
public:
    static base::Result<std::unique_ptr<Consultation>> create(Config config);

    [[nodiscard]] std::string name() const override { return config_.name; }
    [[nodiscard]] std::string author() const override { return "the Tsumugi authors"; }
    think::OptionSet& options() override { return options_; }

    // The error names the players that cannot be used; the others play.
    base::Result<void> prepare() override;
    void new_game() override;
    think::Answer think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                        std::stop_token stop) override;
    void game_over(think::GameResult result) override;

private:
    Consultation(Config config, std::unique_ptr<Rule> rule);

    // What our options say, in the words of the engine's settings.
    [[nodiscard]] search::Settings settings() const;
    [[nodiscard]] OptionValues offers() const;
    [[nodiscard]] std::optional<think::Answer> known_answer(const shogi::Position& position,
                                                            const think::Limits& limits, shogi::EnteringKingRule rule,
                                                            think::Observer& observer) const;

    Config config_;
    std::unique_ptr<Rule> rule_;
    think::OptionSet options_;
    engine::OpeningBook book_;
    TableShare tables_;
    std::vector<std::unique_ptr<Member>> members_;
    base::Random random_;
    std::uint64_t games_ = 0;
};

}  // namespace tsumugi::ensemble
