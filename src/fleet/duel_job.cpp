// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/duel_job.hpp"

#include <array>
#include <exception>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eval/net.hpp"
#include "fleet/book_json.hpp"
#include "record/sfen.hpp"

namespace tsumugi::fleet {
namespace {

using base::Error;
using base::Result;
using learn::bookmaking::DuelResult;
using learn::bookmaking::DuelSettings;
using learn::bookmaking::FollowedMove;
using nlohmann::json;
using Ending = DuelResult::Ending;

constexpr std::array<std::pair<Ending, const char*>, 3> endings{{{Ending::no_trouble, "no trouble"},
                                                                 {Ending::alternative, "alternative"},
                                                                 {Ending::no_alternative, "no alternative"}}};

Ending ending_from(const std::string& name) {
    for (const auto& [ending, text] : endings)
        if (name == text) return ending;
    throw std::invalid_argument("an unknown ending");
}

const char* ending_name(Ending ending) { return endings[static_cast<std::size_t>(ending)].second; }

// Calls `visit` with the name and the place of every number of the settings.
template <typename Settings, typename Visit>
void for_each_setting(Settings& settings, Visit&& visit) {
    visit("maker_nodes", settings.maker_nodes);
    visit("opponent_nodes", settings.opponent_nodes);
    visit("margin", settings.margin);
    visit("again_factor", settings.again_factor);
    visit("most_steps_back", settings.most_steps_back);
    visit("plies", settings.plies);
    visit("won", settings.won);
    visit("max_moves", settings.max_moves);
    visit("varied_plies", settings.varied_plies);
    visit("varied_lines", settings.varied_lines);
    visit("varied_margin", settings.varied_margin);
    visit("opponent_sigma", settings.opponent_sigma);
    visit("table_mib", settings.table_mib);
    visit("seed", settings.seed);
}

// [key, move, reply, value, depth]: there are thousands of them, so nothing is named.
json followed_to_json(const FollowedMove& each) {
    return {each.position, each.move.move.bits(), each.move.reply.bits(), each.move.value.value_or(0),
            each.move.depth.value_or(0)};
}

FollowedMove followed_from(const json& value) {
    FollowedMove each;
    value.at(0).get_to(each.position);
    each.move.move = shogi::Move::from_bits(value.at(1).get<std::uint16_t>());
    each.move.reply = shogi::Move::from_bits(value.at(2).get<std::uint16_t>());
    each.move.value = value.at(3).get<int>();
    each.move.depth = value.at(4).get<int>();
    return each;
}

json change_to_json(const learn::bookmaking::Change& change) {
    return {{"position", record::to_sfen(change.position)},
            {"move", stored_move_to_json(change.move)},
            {"reason", change.reason}};
}

learn::bookmaking::Change change_from(const json& value) {
    const auto setup = value_or_throw(record::parse_sfen(value.at("position").get<std::string>()));
    const auto position = value_or_throw(shogi::Position::from(setup));
    return {setup, stored_move_from(value.at("move"), position), value.at("reason").get<std::string>()};
}

Result<std::shared_ptr<const eval::Evaluator>> evaluator_of(const std::string& name, const NetFiles& nets) {
    const auto net = local_net(name, nets);
    if (!net) return net.error();
    return eval::choose_evaluator(*net, {});
}

}  // namespace

std::string DuelJob::to_text() const {
    json value{{"number", number}, {"net", net}, {"opponents", json::array()}, {"book", json::array()}};
    for_each_setting(settings, [&](const char* name, const auto& each) { value["settings"][name] = each; });
    for (const Net& opponent : opponents)
        value["opponents"].push_back({{"name", opponent.name}, {"net", opponent.net}});
    for (const FollowedMove& each : book)
        value["book"].push_back(followed_to_json(each));
    return value.dump();
}

Result<DuelJob> DuelJob::parse(std::string_view text) {
    try {
        const json value = json::parse(text);
        DuelJob job;
        value.at("number").get_to(job.number);
        value.at("net").get_to(job.net);
        for_each_setting(job.settings,
                         [&](const char* name, auto& each) { value.at("settings").at(name).get_to(each); });
        for (const json& opponent : value.at("opponents"))
            job.opponents.push_back({opponent.at("name").get<std::string>(), opponent.at("net").get<std::string>()});
        if (job.opponents.empty()) throw std::invalid_argument("no opponents");
        for (const json& each : value.at("book"))
            job.book.push_back(followed_from(each));
        return job;
    } catch (const std::exception& problem) {
        return Error{Error::Code::syntax, fmt::format("a duel that cannot be read: {}", problem.what())};
    }
}

std::string duel_result_text(const DuelResult& result) {
    json changes = json::array();
    for (const auto& change : result.changes)
        changes.push_back(change_to_json(change));
    return json{{"number", result.number},
                {"ending", ending_name(result.ending)},
                {"text", result.text},
                {"changes", std::move(changes)}}
        .dump();
}

Result<DuelResult> parse_duel_result(std::string_view text) {
    try {
        const json value = json::parse(text);
        DuelResult result;
        value.at("number").get_to(result.number);
        result.ending = ending_from(value.at("ending").get<std::string>());
        value.at("text").get_to(result.text);
        for (const json& each : value.at("changes"))
            result.changes.push_back(change_from(each));
        return result;
    } catch (const std::exception& problem) {
        return Error{Error::Code::syntax, fmt::format("a result of a duel that cannot be read: {}", problem.what())};
    }
}

Result<DuelResult> play(const DuelJob& job, const NetFiles& nets, const std::stop_token& stop) {
    auto maker = evaluator_of(job.net, nets);
    if (!maker) return maker.error();
    std::vector<learn::bookmaking::Opponent> opponents;
    for (const DuelJob::Net& each : job.opponents) {
        auto evaluator = evaluator_of(each.net, nets);
        if (!evaluator) return evaluator.error();
        opponents.push_back({each.name, *std::move(evaluator)});
    }
    std::unordered_map<shogi::Key, book::StoredMove> book;
    for (const FollowedMove& each : job.book)
        book.emplace(each.position, each.move);
    const auto ask = [&](const shogi::Position& position) -> std::optional<book::StoredMove> {
        const auto found = book.find(position.key());
        if (found == book.end() || !position.is_legal(found->second.move)) return std::nullopt;
        return found->second;
    };
    learn::bookmaking::Duellist duellist(*std::move(maker), std::move(opponents), job.settings);
    auto result = duellist.play(job.number, shogi::Position::even(), ask, stop);
    if (!result) return Error{Error::Code::io, "interrupted"};
    return *std::move(result);
}

}  // namespace tsumugi::fleet
