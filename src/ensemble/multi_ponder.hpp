// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "base/random.hpp"
#include "ensemble/curfew.hpp"
#include "ensemble/group.hpp"
#include "ensemble/ponder_statistic.hpp"
#include "ensemble/ponder_team.hpp"
#include "ensemble/predictor.hpp"
#include "ensemble/rule.hpp"

namespace tsumugi::ensemble {

// Several players as one: while the opponent thinks, each of them ponders another reply. Whoever guessed right goes on
// with his thoughts when it is our turn, and the others begin to ponder what comes next; when nobody did, all consult.
//
// A GUI lets an engine ponder one reply, and says `stop` when the opponent played another one. The players therefore go
// on for a moment after a stop: the question that follows may be the one that one of them has been thinking about.
class MultiPonder : public Group {
public:
    static base::Result<std::unique_ptr<MultiPonder>> create(Config config);
    ~MultiPonder() override;

    base::Result<void> prepare() override;
    void new_game() override;
    think::Answer think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                        std::stop_token stop) override;
    void game_over(think::GameResult result) override;

    // Of all games so far.
    [[nodiscard]] const PonderStatistic& statistic() const { return statistic_; }

private:
    MultiPonder(Config config, std::unique_ptr<Rule> rule);

    void rest();
    think::Answer answer(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                         const std::stop_token& stop, const search::Settings& settings);

    std::unique_ptr<Rule> rule_;
    base::Random random_;
    std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
    Predictor predictor_;
    PonderTeam team_;
    PonderStatistic statistic_;
    Curfew curfew_;
};

}  // namespace tsumugi::ensemble
