// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/player_contestant.hpp"

#include <utility>

namespace tsumugi::arena {

PlayerContestant::~PlayerContestant() { end_pondering(); }

Reply PlayerContestant::to_reply(const think::Answer& answer, const std::optional<think::Line>& thought,
                                 base::Clock::time_point asked) const {
    Reply reply;
    reply.time = base::Clock::now() - asked;
    switch (answer.kind) {
        case think::Answer::Kind::move: reply.kind = Reply::Kind::move; break;
        case think::Answer::Kind::resign: reply.kind = Reply::Kind::resign; break;
        case think::Answer::Kind::declare_win: reply.kind = Reply::Kind::declare_win; break;
    }
    reply.move = answer.move;
    reply.ponder = answer.ponder;
    reply.thought = thought;
    complete(reply);
    return reply;
}

Reply PlayerContestant::ask(const shogi::Position& position, const think::Limits& limits, std::stop_token stop) {
    const auto asked = base::Clock::now();
    recorder_.last.reset();
    think::Answer answer;
    if (think::Player* const running = player()) {
        think::Limits timed = limits;
        timed.start = asked;
        answer = running->think(position, timed, recorder_, std::move(stop));
    }
    return to_reply(answer, recorder_.last, asked);
}

void PlayerContestant::start_pondering(const shogi::Position& position, const think::Limits& limits) {
    think::Player* const running = player();
    if (running == nullptr) return;
    signal_ = std::make_shared<think::PonderSignal>();
    stop_pondering_ = std::stop_source();
    recorder_.last.reset();
    think::Limits ponder = limits;
    ponder.ponder = true;
    ponder.ponder_signal = signal_;
    ponderer_ = std::jthread([this, running, position, ponder] {
        pondered_ = running->think(position, ponder, recorder_, stop_pondering_.get_token());
    });
}

Reply PlayerContestant::ponder_hit(const std::optional<think::ClockState>& clock, std::stop_token stop) {
    const auto asked = base::Clock::now();
    if (!ponderer_.joinable()) return to_reply({}, std::nullopt, asked);
    const std::stop_callback forward(stop, [this] { stop_pondering_.request_stop(); });
    signal_->hit(clock);
    ponderer_.join();
    return to_reply(pondered_, recorder_.last, asked);
}

void PlayerContestant::end_pondering() {
    if (!ponderer_.joinable()) return;
    stop_pondering_.request_stop();
    ponderer_.join();
}

void PlayerContestant::ponder_miss() { end_pondering(); }

void PlayerContestant::game_over(think::GameResult result) {
    if (think::Player* const running = player()) running->game_over(result);
}

}  // namespace tsumugi::arena
