// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ensemble/member.hpp"
#include "ensemble/rule.hpp"
#include "ensemble/time_frame.hpp"

namespace tsumugi::ensemble {

// What a decision is about.
struct Request {
    const shogi::Position& position;
    const think::Limits& limits;
    think::Observer& observer;
    std::stop_token stop;
    base::Clock::time_point begin;  // when the clock started to run
};

// How a group comes to one move. Whatever the players do, run() answers with a legal move (or resigns for them) before
// the clock calls the loss, and soon after a stop.
class Deliberation {
public:
    Deliberation(std::span<const std::unique_ptr<Member>> members, const Rule& rule, const TimeRules& time,
                 const Request& request, base::Random& random);
    // Gives up whoever still thinks.
    ~Deliberation();
    Deliberation(const Deliberation&) = delete;
    Deliberation& operator=(const Deliberation&) = delete;

    // There is a legal move.
    think::Answer run();

private:
    struct Asked {
        Question question;
        std::shared_ptr<Inquiry> inquiry;
    };
    // A vote with what was said besides.
    struct Vote {
        Ballot ballot;
        think::Answer answer;
        std::optional<think::Line> line;
    };

    void ask(std::span<const Question> questions, int round);
    [[nodiscard]] std::shared_ptr<Inquiry> make_inquiry(const Question& question, int round) const;
    void wait();
    void notice_hit();
    void show_line();
    void stop_all();
    [[nodiscard]] bool is_held() const;
    [[nodiscard]] base::Clock::time_point next_look(base::Clock::time_point now) const;

    void collect();
    void take_vote(const Asked& asked, const Inquiry::State& state);
    void take_opinion(const Asked& asked, const Inquiry::State& state);
    void add_vote(std::size_t player, const think::Answer& answer, const Inquiry::State& state);
    void add_unfinished_votes();
    [[nodiscard]] std::string name_of(const Asked& asked) const;
    [[nodiscard]] think::Answer conclude();
    [[nodiscard]] think::Answer answer_with(shogi::Move move) const;

    std::span<const std::unique_ptr<Member>> members_;
    const Rule& rule_;
    const TimeRules& time_;
    const Request& request_;
    base::Random& random_;

    std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
    TimeFrame frame_;   // of the whole decision
    TimeFrame round_;   // of this round
    double share_ = 1;  // of this round
    bool hit_ = false;
    bool stopped_ = false;                                // the players of this round were told to
    std::optional<base::Clock::time_point> last_moment_;  // after a stop from outside
    std::vector<Asked> asked_;                            // in this round
    std::vector<Asked> unanswered_;                       // in all rounds
    std::size_t lines_shown_ = 0;

    Poll poll_;
    std::vector<Vote> votes_;
    std::size_t wanted_votes_ = 0;
    std::size_t resignations_ = 0;
};

}  // namespace tsumugi::ensemble
