// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/deliberation.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "protocol/usi_text.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"
#include "think/win_rate.hpp"

namespace tsumugi::ensemble {
namespace {

using base::Clock;
using think::Milliseconds;

// How often lines are passed on while nothing else happens.
constexpr Milliseconds line_interval{100};

std::string percent(double win_rate) { return fmt::format("{:.1f} %", 100 * win_rate); }

}  // namespace

Deliberation::Deliberation(std::span<const std::unique_ptr<Member>> members, const Rule& rule, const TimeRules& time,
                           const Request& request, base::Random& random)
    : members_(members), rule_(rule), time_(time), request_(request), random_(random) {
    poll_.players = members.size();
    poll_.move_number = request.position.move_number();
    if (!request.limits.ponder)
        frame_ = time_frame(request.limits, request.limits.clock, request.position.side_to_move(),
                            poll_.move_number - 1, time_, request.begin);
}

Deliberation::~Deliberation() { stop_all(); }

think::Answer Deliberation::run() {
    const std::stop_callback on_stop(request_.stop, [this] { bell_->ring(); });
    std::optional<std::stop_callback<std::function<void()>>> on_hit;
    if (request_.limits.ponder_signal)
        on_hit.emplace(request_.limits.ponder_signal->token(), [this] { bell_->ring(); });
    for (int round = 0;; ++round) {
        const auto questions = rule_.questions(round, poll_);
        if (questions.empty()) break;
        if (round > 0 && request_.stop.stop_requested()) break;
        if (round > 0 && frame_.due && *frame_.due - Clock::now() < shortest_round) break;
        ask(questions, round);
        wait();
        collect();
    }
    return conclude();
}

void Deliberation::ask(std::span<const Question> questions, int round) {
    asked_.clear();
    stopped_ = false;
    lines_shown_ = 0;
    share_ = rule_.share(round, poll_);
    round_ = frame_.part(Clock::now(), share_);
    for (const Question& question : questions) {
        if (!question.about) ++wanted_votes_;
        asked_.push_back({question, make_inquiry(question, round)});
        members_[question.player]->ask(asked_.back().inquiry);
    }
}

std::shared_ptr<Inquiry> Deliberation::make_inquiry(const Question& question, int round) const {
    think::Limits limits = request_.limits;
    limits.clock.reset();
    limits.move_time.reset();
    limits.start.reset();
    limits.ponder = request_.limits.ponder && round == 0;
    limits.ponder_signal = limits.ponder ? std::make_shared<think::PonderSignal>() : nullptr;
    shogi::Position position = request_.position;
    if (question.about) {
        // The score after the move is the same question, and one that every engine understands.
        position.do_move(*question.about);
        limits.root_moves.clear();
    }
    auto inquiry = std::make_shared<Inquiry>(std::move(position), std::move(limits), bell_);
    if (round_.due) {
        inquiry->set_due(*round_.due);
    } else if (request_.limits.ponder && round == 0 && request_.limits.clock) {
        const auto now = Clock::now();
        const TimeFrame frame = time_frame(request_.limits, request_.limits.clock, request_.position.side_to_move(),
                                           poll_.move_number - 1, time_, now)
                                    .part(now, share_);
        inquiry->set_allotted(std::chrono::duration_cast<Milliseconds>(*frame.due - now));
    }
    return inquiry;
}

bool Deliberation::is_held() const { return request_.limits.infinite || (request_.limits.ponder && !hit_); }

void Deliberation::wait() {
    for (;;) {
        notice_hit();
        show_line();
        const auto now = Clock::now();
        if (request_.stop.stop_requested() && !last_moment_) {
            stop_all();
            last_moment_ = now + answer_patience;
        }
        if (round_.nudge && now >= *round_.nudge && !stopped_) stop_all();
        const bool all =
            std::all_of(asked_.begin(), asked_.end(), [](const Asked& each) { return each.inquiry->is_finished(); });
        if (all && (!is_held() || last_moment_)) return;
        if (last_moment_ && now >= *last_moment_) return;
        if (round_.end && now >= *round_.end) return;
        bell_->wait_until(next_look(now));
    }
}

Clock::time_point Deliberation::next_look(Clock::time_point now) const {
    Clock::time_point next = now + line_interval;
    for (const auto& moment : {last_moment_, stopped_ ? std::nullopt : round_.nudge, round_.end})
        if (moment) next = std::min(next, *moment);
    return next;
}

// From here on our own clock runs, and the players learn how long they have.
void Deliberation::notice_hit() {
    const auto& signal = request_.limits.ponder_signal;
    if (!request_.limits.ponder || hit_ || !signal || !signal->is_hit()) return;
    hit_ = true;
    const auto clock = signal->clock() ? signal->clock() : request_.limits.clock;
    frame_ = time_frame(request_.limits, clock, request_.position.side_to_move(), poll_.move_number - 1, time_,
                        signal->when());
    round_ = frame_.part(signal->when(), share_);
    std::optional<Milliseconds> allotted;
    if (signal->clock() && round_.due)
        allotted = std::chrono::duration_cast<Milliseconds>(*round_.due - signal->when());
    for (const Asked& each : asked_)
        each.inquiry->hit(allotted);
}

// The lines of the first player that was asked; those of all would jump from score to score.
void Deliberation::show_line() {
    if (asked_.empty() || asked_.front().question.about) return;
    const Inquiry::State state = asked_.front().inquiry->state();
    if (!state.line || state.lines == lines_shown_) return;
    lines_shown_ = state.lines;
    request_.observer.on_line(*state.line);
}

void Deliberation::stop_all() {
    stopped_ = true;
    for (const Asked& each : asked_)
        each.inquiry->stop();
}

void Deliberation::collect() {
    stop_all();
    for (const Asked& each : asked_) {
        const Inquiry::State state = each.inquiry->state();
        if (!state.finished) {
            unanswered_.push_back(each);
            if (!last_moment_) request_.observer.on_text(fmt::format("{}: no answer in time", name_of(each)));
        } else if (!state.trouble.empty()) {
            request_.observer.on_text(
                fmt::format("{}: {}, does not count", name_of(each), protocol::quote(state.trouble)));
        } else if (each.question.about) {
            take_opinion(each, state);
        } else {
            take_vote(each, state);
        }
    }
    std::stable_sort(votes_.begin(), votes_.end(),
                     [](const Vote& a, const Vote& b) { return a.ballot.player < b.ballot.player; });
    poll_.ballots.clear();
    for (const Vote& each : votes_)
        poll_.ballots.push_back(each.ballot);
}

void Deliberation::take_vote(const Asked& asked, const Inquiry::State& state) {
    switch (state.answer.kind) {
        case think::Answer::Kind::resign:
            ++resignations_;
            return request_.observer.on_text(name_of(asked) + ": resigns");
        case think::Answer::Kind::declare_win:
            // Not left to the players: by the group's own count it is possible before they are asked, or not at all.
            return request_.observer.on_text(name_of(asked) + ": declares a win, does not count");
        case think::Answer::Kind::move: return add_vote(asked.question.player, state.answer, state);
    }
}

void Deliberation::add_vote(std::size_t player, const think::Answer& answer, const Inquiry::State& state) {
    const MemberConfig& config = members_[player]->config();
    if (!request_.position.is_legal(answer.move))
        return request_.observer.on_text(config.name + ": an illegal move, does not count");
    Vote vote{{player, answer.move, 0.5, config.weight}, answer, state.line};
    if (state.line) vote.answer.score = state.line->score;
    vote.ballot.win_rate = think::win_rate(vote.answer.score, config.scale);
    request_.observer.on_text(fmt::format("{}: {}, win rate {}, {}{}", config.name, record::to_usi(answer.move),
                                          percent(vote.ballot.win_rate), protocol::to_text(vote.answer.score),
                                          state.line ? fmt::format(", depth {}", state.line->depth) : ""));
    votes_.push_back(std::move(vote));
}

void Deliberation::take_opinion(const Asked& asked, const Inquiry::State& state) {
    think::Score score = state.line ? state.line->score : state.answer.score;
    // Whoever has no move left is mated, or as good as that.
    if (state.answer.kind == think::Answer::Kind::resign)
        score = {think::Score::Kind::mate, -1, think::Score::Bound::exact};
    const MemberConfig& config = members_[asked.question.player]->config();
    const double theirs = think::win_rate(score, config.scale);
    poll_.opinions.push_back({asked.question.player, *asked.question.about, 1 - theirs});
    request_.observer.on_text(
        fmt::format("{} on {}: win rate {}", config.name, record::to_usi(*asked.question.about), percent(1 - theirs)));
}

// The last lines of those who were interrupted.
void Deliberation::add_unfinished_votes() {
    for (const Asked& each : unanswered_) {
        const Inquiry::State state = each.inquiry->state();
        if (each.question.about || !state.line) continue;
        think::Answer answer;
        answer.kind = think::Answer::Kind::move;
        answer.move = state.line->moves.front();
        if (state.line->moves.size() > 1) answer.ponder = state.line->moves[1];
        add_vote(each.question.player, answer, state);
    }
    for (const Vote& each : votes_)
        if (std::none_of(poll_.ballots.begin(), poll_.ballots.end(),
                         [&](const Ballot& ballot) { return ballot.player == each.ballot.player; }))
            poll_.ballots.push_back(each.ballot);
}

std::string Deliberation::name_of(const Asked& asked) const { return members_[asked.question.player]->config().name; }

think::Answer Deliberation::conclude() {
    // Who was told to stop had no chance to answer; who is late has had it, and counts only where nobody else does.
    if (last_moment_ || poll_.ballots.empty()) add_unfinished_votes();
    if (2 * resignations_ > wanted_votes_) return {};
    if (poll_.ballots.empty()) {
        request_.observer.on_text("no player answered: any legal move");
        shogi::MoveList moves;
        shogi::legal_moves(request_.position, moves);
        think::Answer answer;
        answer.kind = think::Answer::Kind::move;
        answer.move = moves[0];
        return answer;
    }
    return answer_with(rule_.decide(poll_, random_));
}

think::Answer Deliberation::answer_with(shogi::Move move) const {
    std::size_t voters = 0;
    const Vote* chosen = nullptr;
    for (const Vote& each : votes_) {
        if (each.ballot.move != move) continue;
        ++voters;
        if (chosen == nullptr || (chosen->answer.ponder.is_none() && !each.answer.ponder.is_none())) chosen = &each;
    }
    request_.observer.on_text(
        fmt::format("decided: {}, {} of {} votes", record::to_usi(move), voters, poll_.ballots.size()));
    if (chosen->line) request_.observer.on_line(*chosen->line);
    return chosen->answer;
}

}  // namespace tsumugi::ensemble
