// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/multi_ponder.hpp"

#include <utility>

#include "ensemble/watch.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::ensemble {
namespace {

using base::Result;

// How long the players go on without a question. GUIs ask the next one at once; whoever stops for good has to wait
// this long for his processors.
constexpr std::chrono::milliseconds grace{2000};

}  // namespace

Result<std::unique_ptr<MultiPonder>> MultiPonder::create(Config config) {
    auto rule = make_rule(config.rule, config.rule_settings, config.members.size());
    if (!rule) return rule.error();
    return std::unique_ptr<MultiPonder>(new MultiPonder(std::move(config), *std::move(rule)));
}

MultiPonder::MultiPonder(Config config, std::unique_ptr<Rule> rule)
    : Group(std::move(config), "Tsumugi multi-ponder"),
      rule_(std::move(rule)),
      random_(this->config().seed),
      predictor_(this->config().prediction, members().size(),
                 [this] {
                     return open_seat(this->config().prediction.player, this->config().longest_think, nullptr,
                                      remote());
                 }),
      team_(members(), bell_) {
    add_assistant(predictor_.member());
}

MultiPonder::~MultiPonder() { rest(); }

void MultiPonder::rest() {
    curfew_.cancel();
    team_.dismiss();
    predictor_.stop();
}

Result<void> MultiPonder::prepare() {
    rest();
    return Group::prepare();
}

void MultiPonder::new_game() {
    rest();
    Group::new_game();
}

void MultiPonder::game_over(think::GameResult result) {
    rest();
    Group::game_over(result);
}

think::Answer MultiPonder::think(const shogi::Position& position, const think::Limits& limits,
                                 think::Observer& observer, std::stop_token stop) {
    curfew_.cancel();
    const search::Settings settings = this->settings();
    const think::Answer given = answer(position, limits, observer, stop, settings);
    predictor_.stop();
    if (!settings.ponder_enabled && !limits.ponder) team_.dismiss();
    if (team_.size() > 0) curfew_.begin(grace, [this] { team_.dismiss(); });
    return given;
}

think::Answer MultiPonder::answer(const shogi::Position& position, const think::Limits& limits,
                                  think::Observer& observer, const std::stop_token& stop,
                                  const search::Settings& settings) {
    const Request request{position, limits, observer, stop, limits.start.value_or(base::Clock::now())};
    const TimeRules time = time_rules(settings);
    if (!shogi::has_legal_move(position)) {
        team_.dismiss();
        return {};
    }
    // Who analyses asks about this position only; without a last move there is no reply to guess.
    if (limits.infinite || (limits.ponder && position.history() == 0)) {
        team_.dismiss();
        return Deliberation(members(), *rule_, time, request, random_).run();
    }
    think::SilentObserver silent;
    Knowledge knowledge;
    knowledge.answer = known_answer(position, limits, settings.entering_king, observer);
    knowledge.is_known = [&](const shogi::Position& other) {
        return known_answer(other, limits, settings.entering_king, silent).has_value();
    };
    knowledge.moves = [&](const shogi::Position& other) {
        std::vector<shogi::Move> moves;
        for (const book::Candidate& candidate : ask_book(other, limits).candidates)
            moves.push_back(candidate.stored.move);
        return moves;
    };
    const PonderDesk desk{members(), *rule_, random_, bell_, team_, predictor_, statistic_};
    return Watch(desk, time, request, std::move(knowledge)).run();
}

}  // namespace tsumugi::ensemble
