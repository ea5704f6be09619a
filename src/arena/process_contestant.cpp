// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/process_contestant.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace tsumugi::arena {
namespace {

using base::Result;
using protocol::UsiClient;

// Some programs load gigabytes before they are ready.
constexpr auto loading_patience = std::chrono::minutes(5);

}  // namespace

Result<void> ProcessContestant::start() {
    UsiClient::Settings settings;
    settings.command.words = spec_.command;
    settings.command.folder = spec_.folder;
    settings.command.errors = base::Command::Errors::discard;
    settings.loading = loading_patience;
    settings.stopping = settings_.stop_patience;
    settings.overtime = settings_.time_margin;
    settings.longest_think = settings_.longest_think;
    auto client = UsiClient::start(std::move(settings));
    if (!client) return client.error();
    client_ = *std::move(client);
    return set_options();
}

Result<void> ProcessContestant::set_options() {
    think::OptionSet& options = client_->options();
    const auto is_given = [&](std::string_view name) {
        return std::any_of(spec_.options.begin(), spec_.options.end(),
                           [&](const auto& each) { return base::to_lower(each.first) == base::to_lower(name); });
    };
    // Programs that know other rules by other names are the user's to configure.
    const auto offer = [&](std::string_view name, std::string_view value) {
        if (options.find(name) != nullptr && !is_given(name)) static_cast<void>(options.set(name, value));
    };
    offer("MaxMovesToDraw", std::to_string(settings_.rules.max_moves));
    offer("EnteringKingRule", option_value(settings_.rules.declaration));
    offer("USI_Ponder", spec_.ponder ? "true" : "false");
    for (const auto& [name, value] : spec_.lasting_options())
        if (const auto set = options.set(name, value); !set) return set;
    return {};
}

Result<void> ProcessContestant::new_game(const OptionValues& values) {
    if (!client_) {
        if (const auto started = start(); !started) return started;
    } else if (!client_->is_running()) {
        if (const auto started = client_->restart(); !started) return started;
    }
    for (const auto& [name, value] : values)
        if (const auto set = client_->options().set(name, value); !set) return set;
    // Asked before every game, because it is where many programs clear their tables.
    if (const auto ready = client_->prepare(); !ready) return ready;
    client_->new_game();
    return {};
}

void ProcessContestant::complete(Reply& reply) const {
    if (!client_->failure()) return;
    const UsiClient::Failure& failure = *client_->failure();
    reply.text = failure.text;
    reply.kind = Reply::Kind::failure;
    switch (failure.kind) {
        case UsiClient::Failure::Kind::crash: reply.failure = Reason::crash; return;
        case UsiClient::Failure::Kind::timeout: reply.failure = Reason::hang; return;
        case UsiClient::Failure::Kind::illegal_move: reply.failure = Reason::garbage; break;
    }
    if (!failure.move) return;
    reply.kind = Reply::Kind::move;
    reply.move = *failure.move;
}

}  // namespace tsumugi::arena
