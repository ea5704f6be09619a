// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/watch.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::ensemble {
namespace {

using base::Clock;
using think::Milliseconds;

// How often the players are looked after while nothing happens.
constexpr Milliseconds look_interval{100};

bool is_child(const shogi::Position& position, const shogi::Position& parent) {
    return position.history() == parent.history() + 1 && position.state(1).board_key == parent.board_key() &&
           position.state(1).hand_key == parent.hand_key();
}

Milliseconds in_milliseconds(Clock::duration time) { return std::chrono::duration_cast<Milliseconds>(time); }

}  // namespace

Watch::Watch(const PonderDesk& desk, const TimeRules& time, const Request& request, Knowledge knowledge)
    : desk_(desk),
      time_(time),
      request_(request),
      knowledge_(std::move(knowledge)),
      begin_(request.begin),
      clock_(request.limits.clock) {}

think::Answer Watch::run() {
    const std::stop_callback on_stop(request_.stop, [this] { desk_.bell->ring(); });
    std::optional<std::stop_callback<std::function<void()>>> on_hit;
    if (request_.limits.ponder_signal)
        on_hit.emplace(request_.limits.ponder_signal->token(), [this] { desk_.bell->ring(); });
    desk_.team.forgive();
    if (request_.limits.ponder) {
        await_reply();
        // Nobody will play this: the one who asked has changed his mind, or the opponent played something else.
        if (!is_hit()) return knowledge_.answer ? *knowledge_.answer : last_thought(desk_.team.find(request_.position));
        begin_ = request_.limits.ponder_signal->when();
        if (const auto clock = request_.limits.ponder_signal->clock()) clock_ = clock;
    }
    if (knowledge_.answer) {
        desk_.team.dismiss();
        return *knowledge_.answer;
    }
    return reply();
}

TimeFrame Watch::frame_from(Clock::time_point begin) const {
    return time_frame(request_.limits, clock_, request_.position.side_to_move(), request_.position.move_number() - 1,
                      time_, begin);
}

PonderOrder Watch::order() const {
    const auto now = Clock::now();
    const TimeFrame frame = frame_from(now);
    PonderOrder order{request_.limits, std::nullopt};
    if (frame.due) order.allotted = in_milliseconds(*frame.nudge - now);
    return order;
}

void Watch::await_reply() {
    shogi::Position before = request_.position;
    const shogi::Move expected = before.state().move;
    before.undo_move();
    guess(before, expected);
    aim(std::nullopt);
    while (!request_.stop.stop_requested() && !is_hit()) {
        look_after_team(std::nullopt);
        if (const Post* post = desk_.team.find(request_.position)) show(*post->inquiry);
        desk_.bell->wait_until(Clock::now() + look_interval);
    }
}

void Watch::guess(const shogi::Position& before, shogi::Move likeliest) {
    before_ = before;
    likeliest_ = likeliest;
    predicted_ = false;
    desk_.predictor.ask(before, desk_.bell);
}

// The likeliest reply as our players see it, then what the book has, then what the predictor found, then what somebody
// ponders already.
void Watch::aim(std::optional<std::size_t> busy) {
    std::vector<shogi::Move> moves{likeliest_};
    const auto add = [&](const std::vector<shogi::Move>& more) { moves.insert(moves.end(), more.begin(), more.end()); };
    add(knowledge_.moves(*before_));
    if (predicted_) add(desk_.predictor.replies());
    for (const shogi::Position& position : desk_.team.positions())
        if (is_child(position, *before_)) moves.push_back(position.state().move);
    std::vector<shogi::Position> positions;
    std::vector<shogi::Move> seen;
    for (const shogi::Move move : moves) {
        if (positions.size() >= desk_.members.size()) break;
        if (!before_->is_legal(move) || std::find(seen.begin(), seen.end(), move) != seen.end()) continue;
        seen.push_back(move);
        shogi::Position next = *before_;
        next.do_move(move);
        if (shogi::has_legal_move(next) && !knowledge_.is_known(next)) positions.push_back(std::move(next));
    }
    desk_.team.aim(positions, order(), busy);
    announce();
}

void Watch::announce() {
    std::vector<std::string> moves;
    for (const shogi::Position& position : desk_.team.positions())
        moves.push_back(record::to_usi(position.state().move));
    const std::string text = "pondering " + base::join(moves, ", ");
    if (!moves.empty() && text != announced_) request_.observer.on_text(text);
    announced_ = text;
}

void Watch::look_after_team(std::optional<std::size_t> busy) {
    const auto failed = desk_.team.take_failed();
    for (const Post& post : failed) {
        const std::string trouble = post.inquiry->state().trouble;
        request_.observer.on_text(fmt::format("{}: {}, ponders no more", desk_.members[post.player]->config().name,
                                              trouble.empty() ? "answered before its time" : protocol::quote(trouble)));
    }
    const bool news = desk_.predictor.has_news();
    predicted_ = predicted_ || news;
    if (before_ && (news || !failed.empty())) aim(busy);
}

think::Answer Watch::last_thought(const Post* post) const {
    think::Answer answer;
    answer.kind = think::Answer::Kind::move;
    const auto line = post == nullptr ? std::nullopt : post->inquiry->state().line;
    if (line && request_.position.is_legal(line->moves.front())) {
        answer.move = line->moves.front();
        if (line->moves.size() > 1) answer.ponder = line->moves[1];
        answer.score = line->score;
        return answer;
    }
    shogi::MoveList moves;
    shogi::legal_moves(request_.position, moves);
    answer.move = moves[0];
    return answer;
}

think::Answer Watch::reply() {
    const std::size_t guesses = desk_.team.size();
    const auto post = desk_.team.take(request_.position);
    const shogi::Move move = request_.position.history() == 0 ? shogi::Move::none() : request_.position.state().move;
    // A player that has not said anything yet has nothing to go on with, and may well be hanging.
    if (post && !post->inquiry->is_finished() && post->inquiry->state().line) {
        const auto pondered = in_milliseconds(begin_ - post->began);
        desk_.statistic.note_hit(post->rank, std::max(pondered, Milliseconds{0}));
        request_.observer.on_text(fmt::format("hit: {} was guess {} of {}, {} pondered it for {} ms",
                                              record::to_usi(move), post->rank, guesses,
                                              desk_.members[post->player]->config().name, pondered.count()));
        request_.observer.on_text(desk_.statistic.summary());
        return go_on(*post);
    }
    if (post) post->inquiry->stop();
    if (guesses > 0) {
        desk_.statistic.note_miss();
        request_.observer.on_text(fmt::format("miss: {} was not pondered", record::to_usi(move)));
        request_.observer.on_text(desk_.statistic.summary());
    }
    return deliberate();
}

think::Answer Watch::go_on(const Post& post) {
    TimeFrame frame = frame_from(begin_);
    // There is a line to play already, so nothing need be kept for a player that answers late.
    if (frame.due) frame.due = frame.nudge;
    std::optional<Milliseconds> allotted;
    if (frame.due) allotted = std::max(in_milliseconds(*frame.due - Clock::now()), Milliseconds{1});
    // Our clock stood still while the opponent thought, so the player mostly knows already. Not every program
    // understands times after `ponderhit`.
    const bool knows = allotted && post.allotted && std::chrono::abs(*allotted - *post.allotted) <= Milliseconds{10};
    post.inquiry->hit(knows ? std::nullopt : allotted);
    wait_for(post, frame);
    auto answer = usable_answer(post);
    const bool in_time = !request_.stop.stop_requested() && (!frame.due || *frame.due - Clock::now() > shortest_round);
    const bool failed = !answer && post.inquiry->is_finished();
    post.inquiry->stop();
    if (failed && in_time) return deliberate();
    if (!answer) answer = last_thought(&post);
    if (answer->kind != think::Answer::Kind::move || answer->move != ahead_)
        desk_.team.dismiss();
    else if (answer->ponder.is_none())
        answer->ponder = likeliest_;
    return *answer;
}

void Watch::wait_for(const Post& post, const TimeFrame& frame) {
    std::optional<Clock::time_point> last_moment;
    bool stopped = false;
    for (;;) {
        show(*post.inquiry);
        if (time_.ponder_enabled) look_ahead(post);
        if (post.inquiry->is_finished()) return;
        const auto now = Clock::now();
        if (request_.stop.stop_requested() && !last_moment) last_moment = now + answer_patience;
        if (!stopped && (last_moment || (frame.nudge && now >= *frame.nudge))) {
            post.inquiry->stop();
            stopped = true;
        }
        if ((last_moment && now >= *last_moment) || (frame.end && now >= *frame.end)) return;
        Clock::time_point next = now + look_interval;
        for (const auto& moment : {last_moment, stopped ? std::nullopt : frame.nudge, frame.end})
            if (moment) next = std::min(next, *moment);
        desk_.bell->wait_until(next);
    }
}

// The others ponder what may follow the move that we are likely to play.
void Watch::look_ahead(const Post& post) {
    const auto line = post.inquiry->state().line;
    if (line && line->moves.front() != ahead_ && line->moves.size() > 1 &&
        request_.position.is_legal(line->moves.front())) {
        ahead_ = line->moves.front();
        shogi::Position before = request_.position;
        before.do_move(ahead_);
        guess(before, line->moves[1]);
        aim(post.player);
    }
    look_after_team(post.player);
}

// Not left to a player: a declaration is possible by the group's own count before it is asked, or not at all.
std::optional<think::Answer> Watch::usable_answer(const Post& post) const {
    const Inquiry::State state = post.inquiry->state();
    const std::string& name = desk_.members[post.player]->config().name;
    const auto complain = [&](const std::string& what) {
        request_.observer.on_text(fmt::format("{}: {}", name, what));
        return std::nullopt;
    };
    if (!state.finished) {
        if (!request_.stop.stop_requested()) request_.observer.on_text(name + ": no answer in time");
        return std::nullopt;
    }
    if (!state.trouble.empty()) return complain(protocol::quote(state.trouble));
    if (state.answer.kind == think::Answer::Kind::declare_win) return complain("declares a win, does not count");
    think::Answer answer = state.answer;
    if (answer.kind == think::Answer::Kind::move && !request_.position.is_legal(answer.move))
        return complain("an illegal move, does not count");
    if (state.line) answer.score = state.line->score;
    return answer;
}

think::Answer Watch::deliberate() {
    desk_.team.dismiss();
    desk_.predictor.stop();
    think::Limits limits = request_.limits;
    limits.ponder = false;
    limits.ponder_signal = nullptr;
    limits.clock = clock_;
    const Request request{request_.position, limits, request_.observer, request_.stop, begin_};
    return Deliberation(desk_.members, desk_.rule, time_, request, desk_.random).run();
}

void Watch::show(const Inquiry& inquiry) {
    const Inquiry::State state = inquiry.state();
    if (!state.line || state.lines == lines_shown_) return;
    lines_shown_ = state.lines;
    request_.observer.on_line(*state.line);
}

}  // namespace tsumugi::ensemble
