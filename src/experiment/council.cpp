// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/council.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "arena/match_config.hpp"
#include "base/random.hpp"
#include "shogi/declaration.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::experiment {
namespace {

using base::Error;
using base::Result;

// After so long a member bound by nodes or depth has failed.
constexpr auto longest_think = std::chrono::minutes(5);

// Keeps the last of the best lines.
class Recorder : public think::Observer {
public:
    void on_line(const think::Line& line) override {
        if (line.rank == 1) last = line;
    }
    void on_text(const std::string& /*text*/) override {}

    think::Line last;
};

think::Limits limits_of(const arena::EngineSpec& member, shogi::Color side) {
    return arena::GameClock({member.allowance, member.allowance}).limits(side);
}

}  // namespace

Result<std::unique_ptr<Council>> Council::create(const CouncilConfig& config, const arena::Rules& rules) {
    auto rule = ensemble::make_rule(config.rule, {}, config.members.size());
    if (!rule) return rule.error();
    if (config.rule == "exchange")
        return Error{Error::Code::unsupported, "members that think one after the other do not judge moves of others"};
    return std::unique_ptr<Council>(new Council(config, *std::move(rule), rules));
}

Council::Council(CouncilConfig config, std::unique_ptr<ensemble::Rule> rule, const arena::Rules& rules)
    : config_(std::move(config)), rule_(std::move(rule)), rules_(rules), seats_(config_.members.size()) {
    if (config_.shared_kib == 0) return;
    search::TableSettings settings;
    settings.kibibytes = config_.shared_kib;
    table_ = std::make_shared<search::SharedTable>(settings);
}

Result<ensemble::Seat> Council::open(const arena::EngineSpec& member) const {
    ensemble::MemberConfig described;
    described.name = member.name;
    described.command = member.command;
    described.folder = member.folder;
    auto seat = ensemble::open_seat(described, longest_think, table_);
    if (!seat) return seat.error();
    think::OptionSet& options = seat->player->options();
    const arena::OptionValues usual{{"USI_Hash", "16"},
                                    {"USI_OwnBook", "false"},
                                    {"MaxMovesToDraw", std::to_string(rules_.max_moves)},
                                    {"EnteringKingRule", std::string(arena::option_value(rules_.declaration))}};
    for (const auto& [name, value] : usual)
        if (options.find(name) != nullptr) static_cast<void>(options.set(name, value));
    for (const auto& [name, value] : member.options)
        if (const auto set = options.set(name, value); !set) return set.error();
    return seat;
}

Result<void> Council::prepare() {
    for (std::size_t i = 0; i < seats_.size(); ++i) {
        const arena::EngineSpec& member = config_.members[i];
        if (!seats_[i]) {
            auto seat = open(member);
            if (!seat) return seat.error().in(member.name);
            seats_[i].emplace(*std::move(seat));
        }
        if (const auto ready = seats_[i]->player->prepare(); !ready) return ready.error().in(member.name);
    }
    return {};
}

void Council::new_game() {
    if (table_) table_->clear();
    for (auto& seat : seats_)
        if (seat) seat->player->new_game();
}

void Council::game_over(think::GameResult result) {
    for (auto& seat : seats_)
        if (seat) seat->player->game_over(result);
}

think::Answer Council::think(const shogi::Position& position, const think::Limits& /*limits*/,
                             think::Observer& observer, std::stop_token stop) {
    poll_ = {};
    poll_.players = seats_.size();
    poll_.move_number = position.move_number();
    votes_.assign(seats_.size(), std::nullopt);
    asked_ = resignations_ = 0;
    if (!shogi::has_legal_move(position)) return {};
    if (shogi::can_declare_win(position, position.in_check(), rules_.declaration)) {
        think::Answer win;
        win.kind = think::Answer::Kind::declare_win;
        return win;
    }
    // One search, as the table counts them, although the members come one by one.
    const auto visit = table_ ? std::make_unique<search::SharedTable::Visit>(*table_) : nullptr;
    for (int round = 0;; ++round) {
        const auto questions = rule_->questions(round, poll_);
        if (questions.empty()) break;
        for (const ensemble::Question& question : questions)
            ask(question.player, position, stop);
    }
    return conclude(position, observer);
}

void Council::ask(std::size_t member, const shogi::Position& position, const std::stop_token& stop) {
    auto& seat = seats_[member];
    if (!seat) return;
    Recorder recorder;
    ++asked_;
    const think::Answer answer =
        seat->player->think(position, limits_of(config_.members[member], position.side_to_move()), recorder, stop);
    if (seat->failure()) {
        seat.reset();
        return;
    }
    if (answer.kind == think::Answer::Kind::resign) ++resignations_;
    if (answer.kind != think::Answer::Kind::move || !position.is_legal(answer.move)) return;
    poll_.ballots.push_back({member, answer.move});
    votes_[member] = Vote{answer, recorder.last};
}

think::Answer Council::conclude(const shogi::Position& position, think::Observer& observer) const {
    if (poll_.ballots.empty() || 2 * resignations_ > asked_) return {};
    // From the position alone: what was played before an interruption must not matter.
    base::Random random(config_.seed ^ position.key());
    const shogi::Move move = rule_->decide(poll_, random);
    const Vote* chosen = nullptr;
    think::Line line;
    for (const auto& vote : votes_) {
        if (!vote) continue;
        line.nodes += vote->line.nodes;
        if (chosen == nullptr && vote->answer.move == move) chosen = &*vote;
    }
    line.depth = chosen->line.depth;
    line.score = chosen->line.score;
    line.moves = {move};
    observer.on_line(line);
    return chosen->answer;
}

Result<arena::EngineSpec> council_player(std::string name, CouncilConfig config) {
    nlohmann::ordered_json description;
    description["rule"] = config.rule;
    description["seed"] = config.seed;
    description["shared_kib"] = config.shared_kib;
    for (const arena::EngineSpec& member : config.members) {
        auto described = arena::describe(member);
        if (!described) return described.error();
        description["members"].push_back(*std::move(described));
    }
    arena::EngineSpec player;
    player.name = std::move(name);
    player.allowance = config.members.front().allowance;
    player.guest =
        arena::Guest{description.dump(),
                     [config = std::move(config)](const arena::Rules& rules) -> Result<std::unique_ptr<think::Player>> {
                         auto council = Council::create(config, rules);
                         if (!council) return council.error();
                         return std::unique_ptr<think::Player>(*std::move(council));
                     }};
    return player;
}

}  // namespace tsumugi::experiment
