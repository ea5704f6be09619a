// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/member.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "engine/engine.hpp"
#include "protocol/usi_client.hpp"

namespace tsumugi::ensemble {
namespace {

using base::Error;
using base::Result;
using protocol::UsiClient;

// From `stop` to the answer. By then the group has decided without it.
constexpr auto stop_patience = std::chrono::seconds(1);
// There may be sixteen of them in one process.
constexpr std::string_view own_table_mib = "64";
// No engine has so much to say about one move.
constexpr std::size_t most_messages = 50'000;

// Writes down the lines, and cuts off a player that does not stop talking: reading it all would take the time of
// the others.
class Listener : public think::Observer {
public:
    explicit Listener(Inquiry& inquiry) : inquiry_(inquiry) {}

    void on_line(const think::Line& line) override {
        count();
        if (!line.moves.empty()) inquiry_.note(line);
    }
    void on_text(const std::string& /*text*/) override { count(); }

    [[nodiscard]] bool is_flooded() const { return messages_ > most_messages; }

private:
    void count() {
        if (++messages_ != most_messages + 1) return;
        inquiry_.fail("talks without end");
        inquiry_.stop();
    }

    Inquiry& inquiry_;
    std::size_t messages_ = 0;
};

}  // namespace

Result<Seat> open_seat(const MemberConfig& config, think::Milliseconds longest_think,
                       std::shared_ptr<search::SharedTable> table, const std::shared_ptr<RemoteEngines>& remote) {
    if (config.is_own()) {
        auto own = std::make_unique<engine::Engine>(std::move(table));
        if (const auto set = own->options().set("USI_Hash", own_table_mib); !set) return set.error();
        return Seat{std::move(own), [] { return std::nullopt; }};
    }
    UsiClient::Settings settings;
    settings.command.words = config.command;
    settings.command.folder = config.folder;
    settings.command.errors = base::Command::Errors::discard;
    if (!config.engine.empty() && remote == nullptr)
        return Error{Error::Code::unsupported, "engines of a cluster play in groups only"};
    if (!config.engine.empty())
        settings.connect = [remote, engine = config.engine, agent = config.agent] {
            return remote->open(engine, agent);
        };
    settings.stopping = stop_patience;
    settings.longest_think = longest_think;
    auto client = UsiClient::start(std::move(settings));
    if (!client) return client.error();
    const UsiClient* watched = client->get();
    return Seat{*std::move(client), [watched]() -> std::optional<std::string> {
                    if (!watched->failure()) return std::nullopt;
                    return watched->failure()->text;
                }};
}

std::future<Result<void>> Member::prepare(OptionValues offers) {
    auto done = std::make_shared<std::promise<Result<void>>>();
    jobs_.add([this, done, offers = std::move(offers)]() mutable {
        offers_ = std::move(offers);
        // A player that was started without having failed since is told only what is new.
        done->set_value(seat_ ? set_options() : open());
    });
    return done->get_future();
}

void Member::new_game() {
    jobs_.add([this] {
        if (seat_) seat_->player->new_game();
    });
}

void Member::game_over(think::GameResult result) {
    jobs_.add([this, result] {
        if (seat_) seat_->player->game_over(result);
    });
}

void Member::ask(std::shared_ptr<Inquiry> inquiry) {
    jobs_.add([this, inquiry = std::move(inquiry)] { answer(*inquiry); });
}

Result<void> Member::open() {
    if (closing_) return Error{Error::Code::io, "is being ended"};
    try {
        auto seat = open_();
        if (!seat) return seat.error();
        seat_.emplace(*std::move(seat));
    } catch (const std::exception& problem) {
        return Error{Error::Code::io, problem.what()};
    }
    auto ready = set_options();
    if (ready) seat_->player->new_game();
    return ready;
}

Result<void> Member::set_options() {
    think::OptionSet& options = seat_->player->options();
    const auto is_given = [&](const std::string& name) {
        return std::any_of(config_.options.begin(), config_.options.end(),
                           [&](const auto& each) { return base::to_lower(each.first) == base::to_lower(name); });
    };
    Result<void> result;
    for (const auto& [name, value] : offers_)
        if (options.find(name) != nullptr && !is_given(name)) static_cast<void>(options.set(name, value));
    for (const auto& [name, value] : config_.options)
        if (const auto set = options.set(name, value); !set && result) result = set;
    if (result) result = seat_->player->prepare();
    if (!result) seat_.reset();
    return result;
}

void Member::answer(Inquiry& inquiry) {
    if (inquiry.stop_token().stop_requested()) return inquiry.fail("was not free in time");
    if (!seat_)
        if (const auto opened = open(); !opened) return inquiry.fail(opened.error().message);
    const auto limits = inquiry.limits();
    if (!limits) return inquiry.fail("was not ready in time");
    Listener listener(inquiry);
    std::optional<std::string> trouble;
    think::Answer answer;
    try {
        answer = seat_->player->think(inquiry.position(), *limits, listener, inquiry.stop_token());
        trouble = seat_->failure();
    } catch (const std::exception& problem) {
        trouble = problem.what();
    }
    if (!trouble && !listener.is_flooded()) return inquiry.finish(answer);
    inquiry.fail(trouble.value_or(""));
    seat_.reset();
    // Now rather than with the next question, whose time this would take. What fails here is tried again then.
    static_cast<void>(open());
}

}  // namespace tsumugi::ensemble
