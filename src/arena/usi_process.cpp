// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/usi_process.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "protocol/usi_text.hpp"

namespace tsumugi::arena {
namespace {

using base::Clock;
using base::Deadline;
using base::Error;
using base::Result;
using Line = base::Process::Line;

// How long to wait at most before looking whether a stop was requested.
constexpr auto attention = std::chrono::milliseconds(50);
// A program that does not read its input for this long is as good as gone.
constexpr auto longest_write = std::chrono::seconds(5);
constexpr auto quit_patience = std::chrono::milliseconds(500);

// The rest of the line when it begins with the word.
std::optional<std::string_view> after_word(std::string_view line, std::string_view word) {
    if (!line.starts_with(word)) return std::nullopt;
    const std::string_view rest = line.substr(word.size());
    if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t') return std::nullopt;
    return base::trim(rest);
}

}  // namespace

Result<std::unique_ptr<UsiProcess>> UsiProcess::start(base::Command command) {
    command.errors = base::Command::Errors::capture;
    auto process = base::Process::start(command);
    if (!process) return process.error();
    return std::unique_ptr<UsiProcess>(new UsiProcess(*std::move(process)));
}

UsiProcess::~UsiProcess() {
    send("quit");
    process_.finish(quit_patience);
}

bool UsiProcess::send(std::string_view line) {
    return process_.write(std::string(line) + "\n", Deadline::after(longest_write)).ok();
}

UsiProcess::Answer UsiProcess::wait_for(std::string_view word, Deadline deadline, const Listener& other,
                                        const std::stop_token& stop) {
    for (;;) {
        if (stop.stop_requested()) return {Answer::Kind::stopped, ""};
        const auto nap = Deadline::after(attention);
        const bool napping = deadline.is_never() || nap.when() < deadline.when();
        const Line line = process_.read_line(napping ? nap : deadline);
        switch (line.kind) {
            case Line::Kind::end: return {Answer::Kind::ended, ""};
            case Line::Kind::timeout: break;
            case Line::Kind::text:
                if (line.stream == base::Process::Stream::errors)
                    last_error_line_ = line.text;
                else if (const auto rest = after_word(line.text, word))
                    return {Answer::Kind::line, std::string(*rest), Clock::now()};
                else if (other)
                    other(line.text);
                break;
        }
        // Also after a line: a program that never stops talking must not keep us.
        if (deadline.passed()) return {Answer::Kind::timeout, ""};
    }
}

std::string UsiProcess::describe_end() {
    const auto status = process_.wait(Deadline::after(std::chrono::milliseconds(200)));
    std::string text = status ? status->describe() : "closed its output";
    if (!last_error_line_.empty()) text += fmt::format("; it said: {}", protocol::quote(last_error_line_));
    return text;
}

Error UsiProcess::no_answer(const Answer& answer, std::string_view word) {
    if (answer.kind == Answer::Kind::timeout) return {Error::Code::limit, fmt::format("no {} in time", word)};
    return {Error::Code::io, fmt::format("no {}: {}", word, describe_end())};
}

void UsiProcess::read_greeting(std::string_view line) {
    if (const auto id = after_word(line, "id")) {
        if (const auto rest = after_word(*id, "name")) name_ = *rest;
        if (const auto rest = after_word(*id, "author")) author_ = *rest;
    } else if (const auto words = after_word(line, "option")) {
        if (auto option = protocol::parse_option(*words)) options_.add(*std::move(option));
    }
}

Result<void> UsiProcess::greet(Deadline deadline) {
    send("usi");
    const Answer answer = wait_for("usiok", deadline, [this](std::string_view line) { read_greeting(line); });
    if (!answer.ok()) return no_answer(answer, "usiok");
    return {};
}

Result<void> UsiProcess::get_ready(Deadline deadline) {
    send("isready");
    const Answer answer = wait_for("readyok", deadline);
    if (!answer.ok()) return no_answer(answer, "readyok");
    return {};
}

Result<void> UsiProcess::set_option(std::string_view name, std::string_view value) {
    const think::Option* known = options_.find(name);
    if (known == nullptr && name != "USI_Hash" && name != "USI_Ponder")
        return Error{Error::Code::range, fmt::format("it has no option '{}'", name)};
    if (known != nullptr)
        if (const auto allowed = options_.set(name, value); !allowed) return allowed;
    const bool is_button = known != nullptr && known->type == think::Option::Type::button;
    const std::string_view written_value = value.empty() ? "<empty>" : value;
    send(is_button ? fmt::format("setoption name {}", known->name)
                   : fmt::format("setoption name {} value {}", known != nullptr ? std::string_view(known->name) : name,
                                 written_value));
    return {};
}

}  // namespace tsumugi::arena
