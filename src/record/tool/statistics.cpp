// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/tool/statistics.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "record/csa_name.hpp"
#include "record/ending.hpp"
#include "record/format.hpp"
#include "record/tool/file_list.hpp"

namespace tsumugi::record::tool {
namespace {

using base::Result;
using shogi::Color;

std::string player(const Game& game, std::string_view name, std::string_view handicap_name) {
    const std::string* value = game.header(name);
    if (value == nullptr) value = game.header(handicap_name);
    return value == nullptr ? std::string() : *value;
}

}  // namespace

void GameStatistics::add(const Game& game) {
    const std::size_t length = game.main_moves().size();
    shortest = games == 0 ? length : std::min(shortest, length);
    longest = std::max(longest, length);
    ++games;
    moves += length;
    const Color to_move = length % 2 == 0 ? game.start.side_to_move : ~game.start.side_to_move;
    const auto ending = game.main_ending();
    ++endings[ending ? std::string(csa_ending(*ending, to_move)) : "none"];
    const auto won_by = ending ? winner_of(*ending, to_move) : std::nullopt;
    if (!won_by)
        ++undecided;
    else
        ++(*won_by == Color::black ? black_wins : white_wins);
    for (const Color color : shogi::both_colors) {
        const std::string name = color == Color::black ? player(game, "先手", "下手") : player(game, "後手", "上手");
        if (name.empty()) continue;
        PlayerCount& count = players[name];
        ++count.games;
        if (won_by) ++(*won_by == color ? count.wins : count.losses);
    }
}

double GameStatistics::average_length() const {
    return games == 0 ? 0 : static_cast<double>(moves) / static_cast<double>(games);
}

std::string GameStatistics::json() const {
    nlohmann::ordered_json json{
        {"files", files},
        {"malformed", malformed},
        {"games", games},
        {"moves", moves},
        {"length", {{"average", average_length()}, {"shortest", shortest}, {"longest", longest}}},
        {"results", {{"black", black_wins}, {"white", white_wins}, {"undecided", undecided}}}};
    json["endings"] = nlohmann::ordered_json::object();
    for (const auto& [name, count] : endings)
        json["endings"][name] = count;
    json["players"] = nlohmann::ordered_json::object();
    for (const auto& [name, count] : players)
        json["players"][name] = {{"games", count.games}, {"wins", count.wins}, {"losses", count.losses}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string GameStatistics::text() const {
    std::string out =
        fmt::format("files    {}\nbroken   {}\ngames    {}\nmoves    {}\nlength   {:.1f} on average, {} to {}\n", files,
                    malformed, games, moves, average_length(), shortest, longest);
    out +=
        fmt::format("results  Black won {}, White won {}, undecided {}\nendings\n", black_wins, white_wins, undecided);
    for (const auto& [name, count] : endings)
        out += fmt::format("  {:<18}{:>8}\n", name, count);
    out += "players (games, wins, losses)\n";
    for (const auto& [name, count] : players)
        out += fmt::format("  {:>6} {:>6} {:>6}  {}\n", count.games, count.wins, count.losses, name);
    return out;
}

Result<GameStatistics> gather(const std::vector<std::string>& inputs, const std::function<void(std::size_t)>& advance) {
    const auto files = list_files(inputs);
    if (!files) return files.error();
    GameStatistics statistics;
    for (const InputFile& input : *files) {
        ++statistics.files;
        advance(files->size());
        const auto bytes = base::read_file(input.path);
        if (!bytes) {
            ++statistics.malformed;
            continue;
        }
        const GameFile file = read_games(*bytes, format_of_name(input.path));
        statistics.malformed += file.problems.size();
        for (const Game& game : file.games)
            statistics.add(game);
    }
    return statistics;
}

}  // namespace tsumugi::record::tool
