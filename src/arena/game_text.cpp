// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/game_text.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "record/sfen.hpp"

namespace tsumugi::arena {
namespace {

void add_thought(const nlohmann::json& row, PlayedMove& move) {
    using Kind = think::Score::Kind;
    const auto is_number = [&](std::size_t i) { return row[i].is_number_integer(); };
    if (!row.is_array() || row.size() != 5 || !is_number(2) || !is_number(3) || !is_number(4)) return;
    if (is_number(0)) move.score = {Kind::centipawns, row[0].get<int>(), think::Score::Bound::exact};
    if (is_number(1)) move.score = {Kind::mate, row[1].get<int>(), think::Score::Bound::exact};
    move.depth = row[2].get<int>();
    move.nodes = row[3].get<std::uint64_t>();
    move.time = Microseconds(row[4].get<std::int64_t>());
}

}  // namespace

std::string move_text(const std::vector<PlayedMove>& moves) {
    std::string text;
    for (const PlayedMove& each : moves)
        text.append(text.empty() ? "" : " ").append(record::to_usi(each.move));
    return text;
}

std::string thought_text(const std::vector<PlayedMove>& moves) {
    nlohmann::json rows = nlohmann::json::array();
    for (const PlayedMove& each : moves) {
        const bool is_mate = each.score && each.score->kind == think::Score::Kind::mate;
        const nlohmann::json value = each.score ? nlohmann::json(each.score->value) : nlohmann::json();
        rows.push_back({is_mate ? nlohmann::json() : value, is_mate ? value : nlohmann::json(), each.depth, each.nodes,
                        each.time.count()});
    }
    return rows.dump();
}

std::vector<PlayedMove> parse_moves(std::string_view moves, std::string_view thoughts) {
    std::vector<PlayedMove> played;
    const nlohmann::json rows = nlohmann::json::parse(thoughts, nullptr, false);
    for (const std::string_view word : base::split_words(moves)) {
        const auto move = record::parse_usi_move(word);
        if (!move) break;
        PlayedMove each;
        each.move = *move;
        if (rows.is_array() && played.size() < rows.size()) add_thought(rows[played.size()], each);
        played.push_back(each);
    }
    return played;
}

}  // namespace tsumugi::arena
