// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/process_contestant.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "record/sfen.hpp"

namespace tsumugi::arena {
namespace {

using base::Clock;
using base::Deadline;
using base::Result;

constexpr auto greeting_patience = std::chrono::seconds(30);
// Some programs load gigabytes here.
constexpr auto ready_patience = std::chrono::minutes(5);
// What a program is given to answer `stop`.
constexpr auto stop_patience = std::chrono::seconds(2);

bool has_choice(const think::Option& option, std::string_view value) {
    return std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end();
}

}  // namespace

Result<void> ProcessContestant::start() {
    base::Command command;
    command.words = spec_.command;
    command.folder = spec_.folder;
    auto process = UsiProcess::start(command);
    if (!process) return process.error();
    process_ = *std::move(process);
    if (const auto greeted = process_->greet(Deadline::after(greeting_patience)); !greeted) return greeted;
    return set_options();
}

Result<void> ProcessContestant::set_options() {
    const auto is_set = [&](std::string_view name) {
        return std::any_of(spec_.options.begin(), spec_.options.end(),
                           [&](const auto& each) { return base::to_lower(each.first) == base::to_lower(name); });
    };
    const think::OptionSet& known = process_->options();
    if (known.find("MaxMovesToDraw") != nullptr && !is_set("MaxMovesToDraw"))
        if (const auto set = process_->set_option("MaxMovesToDraw", std::to_string(rules_.max_moves)); !set) return set;
    const std::string_view rule = option_value(rules_.declaration);
    const think::Option* entering = known.find("EnteringKingRule");
    if (entering != nullptr && !is_set("EnteringKingRule") && has_choice(*entering, rule))
        if (const auto set = process_->set_option("EnteringKingRule", rule); !set) return set;
    if (!is_set("USI_Ponder"))
        if (const auto set = process_->set_option("USI_Ponder", spec_.ponder ? "true" : "false"); !set) return set;
    for (const auto& [name, value] : spec_.options)
        if (const auto set = process_->set_option(name, value); !set) return set;
    return {};
}

Result<void> ProcessContestant::new_game(const OptionValues& options) {
    const auto prepare = [&]() -> Result<void> {
        if (!process_)
            if (const auto started = start(); !started) return started;
        for (const auto& [name, value] : options)
            if (const auto set = process_->set_option(name, value); !set) return set;
        // Asked before every game, because it is where many programs clear their tables.
        return process_->get_ready(Deadline::after(ready_patience));
    };
    const auto ready = prepare();
    if (ready)
        process_->send("usinewgame");
    else
        process_.reset();
    return ready;
}

Reply ProcessContestant::fail(Reply reply, Reason reason, std::string text) {
    reply.kind = Reply::Kind::failure;
    reply.failure = reason;
    reply.text = std::move(text);
    last_failure_ = reply.text;
    if (process_) process_->kill();
    process_.reset();
    return reply;
}

Reply ProcessContestant::understand(std::string_view answer, Reply reply) const {
    if (!last_info_.empty()) reply.thought = protocol::parse_info(last_info_, position_);
    const auto words = base::split_words(answer);
    const std::string_view first = words.empty() ? "" : words[0];
    if (first == "resign" || first == "win") {
        reply.kind = first == "resign" ? Reply::Kind::resign : Reply::Kind::declare_win;
        return reply;
    }
    const auto move = record::parse_usi_move(first);
    if (!move) {
        reply.kind = Reply::Kind::failure;
        reply.failure = Reason::garbage;
        reply.text = fmt::format("bestmove '{}'", protocol::quote(answer));
        return reply;
    }
    reply.kind = Reply::Kind::move;
    reply.move = *move;
    if (words.size() >= 3 && words[1] == "ponder")
        if (const auto ponder = record::parse_usi_move(words[2])) reply.ponder = *ponder;
    return reply;
}

Reply ProcessContestant::wait_for_answer(Clock::time_point asked, Milliseconds patience, const std::stop_token& stop) {
    using Kind = UsiProcess::Answer::Kind;
    const auto listen = [this](std::string_view line) {
        if (line.starts_with("info ") && line.find(" score ") != std::string_view::npos) last_info_ = line;
    };
    auto answer = process_->wait_for("bestmove", Deadline::at(asked + patience), listen, stop);
    Reply reply;
    if (answer.kind == Kind::timeout || answer.kind == Kind::stopped) {
        process_->send("stop");
        answer = process_->wait_for("bestmove", Deadline::after(stop_patience), listen);
    }
    reply.time = (answer.ok() ? answer.arrived : Clock::now()) - asked;
    switch (answer.kind) {
        case Kind::line: break;
        case Kind::ended: return fail(std::move(reply), Reason::crash, process_->describe_end());
        case Kind::timeout:
        case Kind::stopped:
            return fail(std::move(reply), Reason::hang,
                        fmt::format("no answer within {} ms, nor to `stop`", patience.count()));
    }
    reply = understand(answer.text, std::move(reply));
    if (reply.kind == Reply::Kind::failure) return fail(std::move(reply), reply.failure, reply.text);
    return reply;
}

Reply ProcessContestant::ask(const shogi::Position& position, const think::Limits& limits, Milliseconds patience,
                             std::stop_token stop) {
    if (!process_) return fail({}, Reason::crash, last_failure_);
    position_ = position;
    last_info_.clear();
    const std::string question = protocol::to_position_command(position) + "\n" + protocol::to_go_command(limits);
    const auto asked = Clock::now();
    if (!process_->send(question)) return fail({}, Reason::crash, process_->describe_end());
    return wait_for_answer(asked, patience, stop);
}

void ProcessContestant::start_pondering(const shogi::Position& position, const think::Limits& limits) {
    if (!process_) return;
    position_ = position;
    last_info_.clear();
    think::Limits ponder = limits;
    ponder.ponder = true;
    // A failure shows when the answer is fetched.
    process_->send(protocol::to_position_command(position) + "\n" + protocol::to_go_command(ponder));
}

Reply ProcessContestant::ponder_hit(const std::optional<think::ClockState>&, Milliseconds patience,
                                    std::stop_token stop) {
    if (!process_) return fail({}, Reason::crash, last_failure_);
    const auto asked = Clock::now();
    if (!process_->send("ponderhit")) return fail({}, Reason::crash, process_->describe_end());
    return wait_for_answer(asked, patience, stop);
}

void ProcessContestant::ponder_miss() {
    if (!process_) return;
    process_->send("stop");
    const auto answer = process_->wait_for("bestmove", Deadline::after(stop_patience));
    if (answer.ok()) return;
    // The next question is answered with this failure.
    const bool ended = answer.kind == UsiProcess::Answer::Kind::ended;
    last_failure_ = ended ? process_->describe_end() : "no answer to `stop` while pondering";
    process_->kill();
    process_.reset();
}

void ProcessContestant::game_over(think::GameResult result) {
    if (!process_) return;
    switch (result) {
        case think::GameResult::win: process_->send("gameover win"); return;
        case think::GameResult::loss: process_->send("gameover lose"); return;
        case think::GameResult::draw: process_->send("gameover draw"); return;
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace tsumugi::arena
