// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/group.hpp"

#include <array>
#include <future>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "engine/setting.hpp"
#include "shogi/declaration.hpp"

namespace tsumugi::ensemble {
namespace {

using base::Error;
using base::Result;

// The options of the engine that mean the same for a group. Those of the players are in its file.
constexpr std::array<std::string_view, 8> shared_options{"USI_Ponder",          "MaxMovesToDraw",      "NetworkDelay",
                                                         "NetworkDelay2",       "MinimumThinkingTime", "SlowMover",
                                                         "RoundUpToFullSecond", "EnteringKingRule"};

// Those of them that the players have to know as well.
constexpr std::array<std::string_view, 3> rules_for_all{"USI_Ponder", "MaxMovesToDraw", "EnteringKingRule"};

// A player is told what it may use of this move's time, so it need not hold anything back. The group asks the book.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> values_for_players{{
    {"NetworkDelay", "0"},
    {"NetworkDelay2", "0"},
    {"MinimumThinkingTime", "0"},
    {"RoundUpToFullSecond", "false"},
    {"USI_OwnBook", "false"},
}};

}  // namespace

void wait_for_reply(const think::PonderSignal& reply, const std::stop_token& stop) {
    std::promise<void> over;
    std::once_flag once;
    const auto end = [&] { std::call_once(once, [&] { over.set_value(); }); };
    const std::stop_callback on_stop(stop, end);
    const std::stop_callback on_hit(reply.token(), end);
    over.get_future().wait();
}

Group::Group(Config config, const std::string& kind)
    : config_(std::move(config)), remote_(std::make_shared<RemoteEngines>(config_.cluster)) {
    if (config_.name.empty()) config_.name = kind;
    think::OptionSet known;
    engine::declare_options(known);
    for (const std::string_view name : shared_options)
        options_.add(*known.find(name));
    engine::declare_book_options(options_);
    for (const MemberConfig& member : config_.members) {
        const auto table = config_.shares_tables ? tables_.table_of(member, config_.shared_mib) : nullptr;
        members_.push_back(std::make_unique<Member>(
            member, [this, member, table] { return open_seat(member, config_.longest_think, table, remote_); }));
    }
}

search::Settings Group::settings() const {
    think::OptionSet all;
    engine::declare_options(all);
    for (const std::string_view name : shared_options)
        static_cast<void>(all.set(name, options_.find(name)->value));
    return engine::search_settings(all);
}

TimeRules Group::time_rules(const search::Settings& settings) const {
    return {settings.time, settings.max_moves_to_draw, settings.ponder_enabled, config_.longest_think};
}

OptionValues Group::offers() const {
    OptionValues offers(values_for_players.begin(), values_for_players.end());
    for (const std::string_view name : rules_for_all)
        offers.emplace_back(name, options_.find(name)->value);
    return offers;
}

Result<void> Group::prepare() {
    std::vector<Member*> all = assistants_;
    for (const auto& member : members_)
        all.push_back(member.get());
    std::vector<std::string> problems;
    std::vector<std::future<Result<void>>> results;
    for (Member* member : all)
        results.push_back(member->prepare(offers()));
    if (const auto books = book_.prepare(options_); !books) problems.push_back(books.error().message);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (const auto result = results[i].get(); !result)
            problems.push_back(all[i]->config().name + ": " + result.error().message);
    if (problems.empty()) return {};
    return Error{Error::Code::io, base::join(problems, "\n")};
}

void Group::new_game() {
    ++games_;
    tables_.clear();
    for (Member* assistant : assistants_)
        assistant->new_game();
    for (const auto& member : members_)
        member->new_game();
}

void Group::game_over(think::GameResult result) {
    for (const auto& member : members_)
        member->game_over(result);
}

std::optional<think::Answer> Group::known_answer(const shogi::Position& position, const think::Limits& limits,
                                                 shogi::EnteringKingRule rule, think::Observer& observer) const {
    think::Answer answer;
    if (shogi::can_declare_win(position, position.in_check(), rule)) {
        answer.kind = think::Answer::Kind::declare_win;
        return answer;
    }
    const shogi::Move step =
        rule == shogi::EnteringKingRule::try_rule ? shogi::try_move(position) : shogi::Move::none();
    if (!step.is_none()) {
        answer.kind = think::Answer::Kind::move;
        answer.move = step;
        return answer;
    }
    const book::ProbeResult found = ask_book(position, limits);
    engine::announce(found, observer);
    if (found.chosen) return engine::book_answer(found);
    return std::nullopt;
}

}  // namespace tsumugi::ensemble
