// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/own_contestant.hpp"

#include <utility>

namespace tsumugi::arena {
namespace {

using base::Result;

class Silence : public think::Observer {
    void on_line(const think::Line&) override {}
    void on_text(const std::string&) override {}
};

}  // namespace

OwnContestant::~OwnContestant() { stop_pondering_.request_stop(); }

Result<void> OwnContestant::set_options(const OptionValues& options) {
    for (const auto& [name, value] : options)
        if (const auto set = engine_.options().set(name, value); !set) return set;
    return {};
}

Result<void> OwnContestant::new_game(const OptionValues& options) {
    if (!configured_) {
        const OptionValues usual{{"USI_Hash", "16"},
                                 {"MaxMovesToDraw", std::to_string(rules_.max_moves)},
                                 {"EnteringKingRule", std::string(option_value(rules_.declaration))},
                                 {"NetworkDelay", "0"},
                                 {"NetworkDelay2", "0"},
                                 {"MinimumThinkingTime", "0"},
                                 {"RoundUpToFullSecond", "false"},
                                 {"USI_Ponder", spec_.ponder ? "true" : "false"}};
        if (const auto set = set_options(usual); !set) return set;
        if (const auto set = set_options(spec_.options); !set) return set;
        configured_ = true;
    }
    if (const auto set = set_options(options); !set) return set;
    if (const auto ready = engine_.prepare(); !ready) return ready;
    engine_.new_game();
    return {};
}

Reply OwnContestant::reply(const think::Answer& answer, base::Clock::time_point asked) const {
    Reply reply;
    reply.time = base::Clock::now() - asked;
    switch (answer.kind) {
        case think::Answer::Kind::move: reply.kind = Reply::Kind::move; break;
        case think::Answer::Kind::resign: reply.kind = Reply::Kind::resign; break;
        case think::Answer::Kind::declare_win: reply.kind = Reply::Kind::declare_win; break;
    }
    reply.move = answer.move;
    reply.ponder = answer.ponder;
    const search::Outcome& outcome = engine_.outcome();
    if (!outcome.best.is_none()) {
        think::Line& thought = reply.thought.emplace();
        thought.score = outcome.score;
        thought.depth = outcome.depth;
        thought.nodes = outcome.nodes;
    }
    return reply;
}

Reply OwnContestant::ask(const shogi::Position& position, const think::Limits& limits, Milliseconds,
                         std::stop_token stop) {
    const auto asked = base::Clock::now();
    Silence silence;
    return reply(engine_.think(position, limits, silence, std::move(stop)), asked);
}

void OwnContestant::start_pondering(const shogi::Position& position, const think::Limits& limits) {
    signal_ = std::make_shared<think::PonderSignal>();
    stop_pondering_ = std::stop_source();
    think::Limits ponder = limits;
    ponder.ponder = true;
    ponder.ponder_signal = signal_;
    ponderer_ = std::jthread([this, position, ponder] {
        Silence silence;
        pondered_ = engine_.think(position, ponder, silence, stop_pondering_.get_token());
    });
}

Reply OwnContestant::ponder_hit(const std::optional<think::ClockState>& clock, Milliseconds, std::stop_token stop) {
    const auto asked = base::Clock::now();
    const std::stop_callback forward(stop, [this] { stop_pondering_.request_stop(); });
    signal_->hit(clock);
    ponderer_.join();
    return reply(pondered_, asked);
}

void OwnContestant::ponder_miss() {
    stop_pondering_.request_stop();
    ponderer_.join();
}

}  // namespace tsumugi::arena
