// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ensemble/deliberation.hpp"
#include "ensemble/ponder_statistic.hpp"
#include "ensemble/ponder_team.hpp"
#include "ensemble/predictor.hpp"

namespace tsumugi::ensemble {

// What a group that ponders several replies keeps from one request to the next.
struct PonderDesk {
    std::span<const std::unique_ptr<Member>> members;
    const Rule& rule;  // decides when nobody had pondered the reply
    base::Random& random;
    std::shared_ptr<Bell> bell;
    PonderTeam& team;
    Predictor& predictor;
    PonderStatistic& statistic;
};

// What the group knows about positions without thinking.
struct Knowledge {
    std::optional<think::Answer> answer;                                    // to the request's own position
    std::function<bool(const shogi::Position&)> is_known;                   // will need no thought either
    std::function<std::vector<shogi::Move>(const shogi::Position&)> moves;  // that the book has, the best first
};

// One request: from the moment the opponent thinks, or our clock starts, to our answer. Players that are left thinking
// at its end are in the team of the desk. Like a deliberation it answers in time whatever the players do.
class Watch {
public:
    Watch(const PonderDesk& desk, const TimeRules& time, const Request& request, Knowledge knowledge);

    // There is a legal move.
    think::Answer run();

private:
    using Post = PonderTeam::Post;

    [[nodiscard]] bool is_hit() const {
        return request_.limits.ponder_signal && request_.limits.ponder_signal->is_hit();
    }
    [[nodiscard]] TimeFrame frame_from(base::Clock::time_point begin) const;
    [[nodiscard]] PonderOrder order() const;

    // While the opponent thinks.
    void await_reply();
    // Guesses what follows `before`, in which the opponent is to move.
    void guess(const shogi::Position& before, shogi::Move likeliest);
    void aim(std::optional<std::size_t> busy);
    void look_after_team(std::optional<std::size_t> busy);
    void announce();

    // When it is our turn.
    think::Answer reply();
    think::Answer go_on(const Post& post);
    // Until the player has answered or time is up.
    void wait_for(const Post& post, const TimeFrame& frame);
    void look_ahead(const Post& post);
    [[nodiscard]] std::optional<think::Answer> usable_answer(const Post& post) const;
    // What a player thought last, or any legal move.
    [[nodiscard]] think::Answer last_thought(const Post* post) const;
    think::Answer deliberate();
    void show(const Inquiry& inquiry);

    PonderDesk desk_;
    const TimeRules& time_;
    const Request& request_;
    Knowledge knowledge_;

    base::Clock::time_point begin_;           // of our clock
    std::optional<think::ClockState> clock_;  // that counts
    std::optional<shogi::Position> before_;   // whose replies are guessed
    shogi::Move likeliest_;                   // of them
    bool predicted_ = false;                  // the predictor's guesses are known
    shogi::Move ahead_;                       // our move whose replies are guessed while we think
    std::size_t lines_shown_ = 0;
    std::string announced_;
};

}  // namespace tsumugi::ensemble
