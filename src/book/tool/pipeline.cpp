// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/tool/pipeline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "shogi/movegen.hpp"

namespace tsumugi::book::tool {

using base::Error;
using base::Result;

std::vector<shogi::Move> illegal_moves(const Entry& entry) {
    const auto position = shogi::Position::from(entry.position);
    std::vector<shogi::Move> illegal;
    for (const StoredMove& each : entry.moves)
        if (!position || !position->is_legal(each.move)) illegal.push_back(each.move);
    return illegal;
}

bool Filter::apply(Entry& entry) const {
    const int ply = entry.position.move_number;
    if ((first_ply && ply < *first_ply) || (last_ply && ply > *last_ply)) return false;
    if (side && entry.position.side_to_move != *side) return false;
    std::vector<shogi::Move> illegal;
    if (legal_only) illegal = illegal_moves(entry);
    std::optional<int> best_value;
    for (const StoredMove& each : entry.moves)
        if (each.value && (!best_value || *each.value > *best_value)) best_value = each.value;
    const auto goes = [&](const StoredMove& each) {
        return (each.depth && least_depth && *each.depth < *least_depth) ||
               (each.count && least_count && *each.count < *least_count) ||
               (each.value && least_value && *each.value < *least_value) ||
               (each.value && greatest_value && *each.value > *greatest_value) ||
               (each.value && value_diff && *best_value - *each.value > *value_diff) ||
               std::find(illegal.begin(), illegal.end(), each.move) != illegal.end();
    };
    entry.moves.erase(std::remove_if(entry.moves.begin(), entry.moves.end(), goes), entry.moves.end());
    if (best) {
        sort_best_first(entry.moves);
        if (entry.moves.size() > *best) entry.moves.resize(*best);
    }
    if (no_comments) {
        entry.comment.clear();
        for (StoredMove& each : entry.moves)
            each.comment.clear();
    }
    return !entry.moves.empty();
}

Result<PipelineReport> run(const Pipeline& pipeline, const Advance& advance) {
    if (!pipeline.overwrite && std::filesystem::exists(pipeline.output))
        return Error{Error::Code::io,
                     fmt::format("{}: exists already; use --force to replace it", pipeline.output.string())};
    auto output = Output::create(pipeline.output, pipeline.options);
    if (!output) return output.error();
    PipelineReport report;
    for (const std::filesystem::path& input : pipeline.inputs) {
        auto source = open_source(input);
        if (!source) return source.error();
        if (auto omission = (*source)->omission(); !omission.empty()) report.omissions.push_back(std::move(omission));
        Entry entry;
        for (;;) {
            const auto more = (*source)->next(entry);
            if (!more) return more.error();
            if (!*more) break;
            ++report.read;
            if (!pipeline.filter.apply(entry))
                ++report.left_out;
            else if (const auto added = output->add(entry); !added)
                return added.error();
            advance((*source)->done(), (*source)->size());
        }
    }
    if (const auto finished = output->finish([] {}); !finished) return finished.error();
    report.written = output->positions();
    return report;
}

}  // namespace tsumugi::book::tool
