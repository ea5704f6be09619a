// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/usi_client.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "record/sfen.hpp"
#include "think/time_policy.hpp"

namespace tsumugi::protocol {
namespace {

using base::Deadline;
using base::Error;
using base::Result;
using std::chrono::milliseconds;

// An engine that does not read this long is as good as dead.
constexpr auto writing_patience = std::chrono::seconds(5);
// How often a silent engine is looked after.
constexpr auto slice = milliseconds(50);

// The words of a line after its first one, if that is `word`.
std::optional<std::string_view> after(std::string_view line, std::string_view word) {
    const std::string_view text = base::trim(line);
    if (text.substr(0, word.size()) != word) return std::nullopt;
    if (text.size() > word.size() && text[word.size()] != ' ') return std::nullopt;
    return base::trim(text.substr(word.size()));
}

}  // namespace

Result<std::unique_ptr<UsiClient>> UsiClient::start(Settings settings) {
    std::unique_ptr<UsiClient> client(new UsiClient(std::move(settings)));
    if (const auto started = client->restart(); !started) return started.error();
    return client;
}

UsiClient::~UsiClient() {
    if (!channel_) return;
    send("quit");
    if (channel_) channel_->finish(std::chrono::seconds(1));
}

Result<void> UsiClient::restart() {
    channel_.reset();
    failure_.reset();
    const std::string program = settings_.command.words.empty() ? "" : settings_.command.words[0];
    auto channel = settings_.connect ? settings_.connect() : open_process_channel(settings_.command);
    if (!channel) return channel.error();
    channel_ = *std::move(channel);
    sent_.clear();
    send("usi");
    if (!wait_for("usiok", settings_.handshake, false, [this](std::string_view line) { introduce(line); }))
        return Error{Error::Code::io, fmt::format("'{}' does not introduce itself as a USI engine: {}", program,
                                                  failure_ ? failure_->text : "no usiok")};
    if (name_.empty()) name_ = program;
    return {};
}

void UsiClient::introduce(std::string_view line) {
    if (const auto text = after(line, "id name")) name_ = *text;
    if (const auto text = after(line, "id author")) author_ = *text;
    const auto words = after(line, "option");
    if (!words) return;
    auto option = parse_option(*words);
    if (!option) return;  // an engine with an odd option may still play
    sent_[option->name] = option->initial;
    if (options_.find(option->name) != nullptr) return;
    if (option->type == think::Option::Type::button)
        options_.add_button(
            option->name, [this, name = option->name] { ++pressed_[name]; }, "");
    else
        options_.add(*std::move(option));
}

void UsiClient::send(std::string_view line) {
    const std::lock_guard lock(writing_);
    if (!channel_) return;
    if (settings_.log) settings_.log('>', line);
    // A failure to write shows as the end of its output, or as silence.
    static_cast<void>(channel_->write(std::string(line) + '\n', Deadline::after(writing_patience)));
}

UsiClient::Heard UsiClient::read(std::string& line, Deadline deadline) {
    for (;;) {
        // Asked first: lines that come faster than they are read would never let the deadline be noticed.
        if (deadline.passed()) return Heard::nothing;
        base::Process::Line heard = channel_->read_line(deadline);
        if (heard.kind == base::Process::Line::Kind::timeout) return Heard::nothing;
        if (heard.kind == base::Process::Line::Kind::end) return Heard::end;
        if (heard.stream == base::Process::Stream::errors) continue;
        if (settings_.log) settings_.log('<', heard.text);
        line = std::move(heard.text);
        return Heard::line;
    }
}

void UsiClient::fail(Failure::Kind kind, std::string text) {
    if (kind != Failure::Kind::illegal_move && channel_) {
        if (kind == Failure::Kind::timeout) channel_->kill();
        const std::string ending = channel_->finish(std::chrono::seconds(1));
        if (kind == Failure::Kind::crash) text += ", " + ending;
        const std::lock_guard lock(writing_);
        channel_.reset();
    }
    failure_ = Failure{kind, std::move(text), std::nullopt};
}

bool UsiClient::wait_for(std::string_view word, milliseconds time, bool patient,
                         const std::function<void(std::string_view)>& use) {
    Deadline deadline = Deadline::after(time);
    for (std::string line;;) {
        switch (read(line, deadline)) {
            case Heard::nothing:
                fail(Failure::Kind::timeout, fmt::format("no {} within {} ms", word, time.count()));
                return false;
            case Heard::end: fail(Failure::Kind::crash, fmt::format("ended before {}", word)); return false;
            case Heard::line: break;
        }
        if (base::trim(line) == word) return true;
        if (patient) deadline = Deadline::after(time);
        use(line);
    }
}

void UsiClient::send_options() {
    for (const think::Option& option : options_.all()) {
        const auto presses = pressed_.find(option.name);
        if (presses != pressed_.end())
            for (; presses->second > 0; --presses->second)
                send("setoption name " + option.name);
        if (option.type == think::Option::Type::button || sent_[option.name] == option.value) continue;
        sent_[option.name] = option.value;
        send(fmt::format("setoption name {} value {}", option.name, option.value.empty() ? "<empty>" : option.value));
    }
}

Result<void> UsiClient::prepare() {
    failure_.reset();
    if (!channel_) return Error{Error::Code::io, name_ + " is not running"};
    send_options();
    send("isready");
    if (wait_for("readyok", settings_.loading, true, [](std::string_view) {})) return {};
    return Error{Error::Code::io, name_ + ": " + failure_->text};
}

void UsiClient::new_game() { send("usinewgame"); }

void UsiClient::game_over(think::GameResult result) {
    switch (result) {
        case think::GameResult::win: return send("gameover win");
        case think::GameResult::loss: return send("gameover lose");
        case think::GameResult::draw: return send("gameover draw");
    }
}

think::Answer UsiClient::think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                               std::stop_token stop) {
    failure_.reset();
    if (!channel_) {
        failure_ = Failure{Failure::Kind::crash, "not running", std::nullopt};
        return {};
    }
    send_options();
    send(to_position_command(position));
    send(to_go_command(limits));
    // From here on, so that the engine hears of them after `go`.
    const std::stop_callback on_stop(stop, [this] { send("stop"); });
    std::optional<std::stop_callback<std::function<void()>>> on_hit;
    if (limits.ponder_signal)
        on_hit.emplace(limits.ponder_signal->token(), [this, signal = limits.ponder_signal] {
            const auto clock = signal->clock();
            send(clock ? "ponderhit " + to_text(*clock) : "ponderhit");
        });
    return listen(position, limits, observer, stop);
}

think::Answer UsiClient::listen(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                                const std::stop_token& stop) {
    // When the engine should have answered, as far as that is known, and by when it must after being told to stop.
    const auto due = [&]() -> std::optional<base::Clock::time_point> {
        const bool hit = limits.ponder_signal && limits.ponder_signal->is_hit();
        if (limits.infinite || (limits.ponder && !hit)) return std::nullopt;
        const auto hit_clock = hit ? limits.ponder_signal->clock() : std::nullopt;
        const auto clock = hit_clock ? hit_clock : limits.clock;
        const auto begin = hit ? limits.ponder_signal->when() : limits.start.value_or(base::Clock::now());
        if (limits.move_time) return begin + *limits.move_time + settings_.overtime;
        if (clock) return begin + think::time_allowed(*clock, position.side_to_move()) + settings_.overtime;
        if (settings_.longest_think) return begin + *settings_.longest_think;
        return std::nullopt;
    };
    std::optional<base::Clock::time_point> deadline = due();
    std::optional<base::Clock::time_point> last_moment;
    for (std::string line;;) {
        const Heard heard = read(line, Deadline::after(slice));
        const auto now = base::Clock::now();
        if (heard == Heard::end) {
            fail(Failure::Kind::crash, "ended while thinking");
            return {};
        }
        if (heard == Heard::line) {
            if (after(line, "bestmove") || after(line, "checkmate")) return accept(line, position);
            if (const auto text = after(line, "info string"))
                observer.on_text(std::string(*text));
            else if (const auto words = after(line, "info"))
                if (const auto thought = parse_info(*words, position)) observer.on_line(*thought);
        }
        if (!deadline) deadline = due();
        const bool overdue = deadline && now > *deadline;
        if (!last_moment && (stop.stop_requested() || overdue)) {
            if (overdue) send("stop");
            last_moment = now + settings_.stopping;
        }
        if (last_moment && now > *last_moment) {
            fail(Failure::Kind::timeout, "no answer to stop");
            return {};
        }
    }
}

think::Answer UsiClient::accept(std::string_view line, const shogi::Position& position) {
    const auto mate = after(line, "checkmate");
    const std::string_view words = mate ? *mate : *after(line, "bestmove");
    // What an engine says that has not found a mate.
    if (mate && (words == "nomate" || words == "timeout" || words == "notimplemented")) return {};
    const auto answer = parse_bestmove(words, position);
    if (answer) return *answer;
    fail(Failure::Kind::illegal_move, answer.error().message);
    const auto said = base::split_words(words);
    if (const auto move = record::parse_usi_move(said.empty() ? "" : said[0])) failure_->move = *move;
    return {};
}

}  // namespace tsumugi::protocol
