// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/tool/statistics.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tsumugi::book::tool {

using base::Result;

namespace {

double share(double part, std::uint64_t whole) { return whole == 0 ? 0 : part / static_cast<double>(whole); }

double average_ply(const Statistics& statistics) {
    double sum = 0;
    for (const auto& [ply, count] : statistics.by_ply)
        sum += ply * static_cast<double>(count);
    return share(sum, statistics.positions);
}

}  // namespace

void Statistics::add(const Entry& entry) {
    ++positions;
    ++by_side[shogi::index(entry.position.side_to_move)];
    ++by_ply[entry.position.move_number];
    ++by_choices[entry.moves.size()];
    moves += entry.moves.size();
    for (const StoredMove& each : entry.moves) {
        with_reply += each.reply.is_none() ? 0U : 1U;
        if (each.value) {
            ++with_value;
            lowest_value = std::min(lowest_value.value_or(*each.value), *each.value);
            highest_value = std::max(highest_value.value_or(*each.value), *each.value);
        }
        with_depth += each.depth ? 1U : 0U;
        depth_sum += each.depth.value_or(0);
        with_count += each.count ? 1U : 0U;
        count_sum += each.count.value_or(0);
    }
}

std::string Statistics::text() const {
    std::string text;
    text += fmt::format("positions        {} (Black to move {}, White {})\n", positions, by_side[0], by_side[1]);
    text +=
        fmt::format("moves            {} ({:.2f} a position)\n", moves, share(static_cast<double>(moves), positions));
    if (!by_ply.empty())
        text += fmt::format("plies            {} to {}, average {:.1f}\n", by_ply.begin()->first,
                            by_ply.rbegin()->first, average_ply(*this));
    text += fmt::format("with a value     {}", with_value);
    text += lowest_value ? fmt::format(" ({} to {})\n", *lowest_value, *highest_value) : "\n";
    text += fmt::format("with a depth     {} (average {:.1f})\n", with_depth,
                        share(static_cast<double>(depth_sum), with_depth));
    text += fmt::format("with a count     {} (sum {})\n", with_count, count_sum);
    text += fmt::format("with a reply     {}\n", with_reply);
    text += "moves a position:";
    for (const auto& [choices, count] : by_choices)
        text += fmt::format(" {}:{}", choices, count);
    return text + "\n";
}

std::string Statistics::json() const {
    nlohmann::ordered_json plies = nlohmann::ordered_json::object();
    for (const auto& [ply, count] : by_ply)
        plies[std::to_string(ply)] = count;
    nlohmann::ordered_json choices = nlohmann::ordered_json::object();
    for (const auto& [number, count] : by_choices)
        choices[std::to_string(number)] = count;
    nlohmann::ordered_json json{
        {"positions", positions},   {"black_to_move", by_side[0]}, {"white_to_move", by_side[1]},
        {"moves", moves},           {"with_value", with_value},    {"with_depth", with_depth},
        {"with_count", with_count}, {"with_reply", with_reply},    {"count_sum", count_sum},
        {"plies", plies},           {"choices", choices}};
    if (lowest_value) {
        json["lowest_value"] = *lowest_value;
        json["highest_value"] = *highest_value;
    }
    return json.dump(2) + "\n";
}

Result<Statistics> gather(const std::filesystem::path& file, const Advance& advance) {
    auto source = open_source(file);
    if (!source) return source.error();
    Statistics statistics;
    statistics.omission = (*source)->omission();
    Entry entry;
    for (;;) {
        const auto more = (*source)->next(entry);
        if (!more) return more.error();
        if (!*more) return statistics;
        statistics.add(entry);
        advance((*source)->done(), (*source)->size());
    }
}

}  // namespace tsumugi::book::tool
