// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/bookmaking/analyst.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "base/thread.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::learn::bookmaking {
namespace {

using base::Result;
using book::StoredMove;

bool names(const std::vector<StoredMove>& moves, shogi::Move move) {
    return std::any_of(moves.begin(), moves.end(), [&](const StoredMove& each) { return each.move == move; });
}

std::string effort_text(const Effort& effort) {
    return effort.depth ? fmt::format("depth {}", *effort.depth) : fmt::format("{} nodes", effort.nodes);
}

}  // namespace

int book_value(const think::Score& score) {
    if (score.kind == think::Score::Kind::centipawns)
        return std::clamp(score.value, -book::mate_value + 1000, book::mate_value - 1000);
    const int plies = std::min(std::abs(score.value), 999);
    return score.value > 0 ? book::mate_value - plies : plies - book::mate_value;
}

Analyst::Analyst(std::shared_ptr<const eval::Evaluator> evaluator, const Effort& effort) : effort_(effort) {
    search::Settings settings;
    settings.table.kibibytes = static_cast<std::size_t>(effort.table_mib) * 1024;
    settings.multi_pv = effort.lines;
    searcher_.configure(settings);
    searcher_.set_evaluator(std::move(evaluator));
}

std::vector<StoredMove> Analyst::think(const shogi::Position& position, const std::vector<shogi::Move>& root_moves,
                                       const std::stop_token& stop) {
    think::Limits limits;
    if (effort_.depth)
        limits.depth = effort_.depth;
    else
        limits.soft_nodes = effort_.nodes;
    limits.root_moves = root_moves;
    searcher_.clear();
    think::SilentObserver silence;
    const search::Outcome outcome = searcher_.search(position, limits, silence, stop);
    std::vector<StoredMove> moves;
    if (stop.stop_requested()) return moves;
    for (const think::Line& line : outcome.lines) {
        if (line.moves.empty()) continue;
        StoredMove move;
        move.move = line.moves[0];
        if (line.moves.size() > 1) move.reply = line.moves[1];
        move.value = book_value(line.score);
        move.depth = line.depth;
        moves.push_back(std::move(move));
    }
    return moves;
}

std::vector<StoredMove> rejoining_moves(const Workspace& workspace, const shogi::Position& position,
                                        const std::vector<StoredMove>& known) {
    std::vector<StoredMove> moves;
    shogi::MoveList legal;
    shogi::legal_moves(position, legal, shogi::Promotion::sensible);
    shogi::Position next = position;
    for (const shogi::Move move : legal) {
        if (names(known, move)) continue;
        next.do_move(move);
        if (workspace.find(next.setup()) != nullptr) {
            StoredMove joining;
            joining.move = move;
            moves.push_back(joining);
        }
        next.undo_move();
    }
    return moves;
}

std::vector<shogi::Position> next_leaves(const Workspace& workspace, const ThinkSettings& settings, std::size_t count) {
    const Outlook black(workspace, settings.draw_black);
    std::optional<Outlook> white;  // where a draw is worth something else to White
    if (settings.draw_white != -settings.draw_black) white.emplace(workspace, -settings.draw_white);
    const auto leaves_for = [&](shogi::Color user, std::size_t most) {
        LeafRule rule = settings.rule;
        rule.user = user;
        return find_leaves(user == shogi::Color::white && white ? *white : black, rule, most);
    };
    if (!settings.both) return leaves_for(settings.rule.user, count);
    auto leaves = leaves_for(shogi::Color::black, (count + 1) / 2);
    for (shogi::Position& each : leaves_for(shogi::Color::white, count)) {
        if (leaves.size() == count) break;
        const bool chosen = std::any_of(leaves.begin(), leaves.end(),
                                        [&](const shogi::Position& other) { return other.key() == each.key(); });
        if (!chosen) leaves.push_back(std::move(each));
    }
    return leaves;
}

Result<std::size_t> store_analysis(Workspace& workspace, const ThinkSettings& settings, const shogi::Position& position,
                                   const std::vector<StoredMove>& found) {
    // What a game has shown is not overruled.
    const book::Entry* const entry = workspace.find(position.setup());
    std::vector<StoredMove> known = entry != nullptr ? entry->moves : std::vector<StoredMove>();
    std::vector<Change> changes;
    for (const StoredMove& move : found) {
        const auto before =
            std::find_if(known.begin(), known.end(), [&](const StoredMove& each) { return each.move == move.move; });
        if (before != known.end() && before->value) continue;
        if (before == known.end()) known.push_back(move);
        changes.push_back({position.setup(), move, "analysed with " + effort_text(settings.effort)});
    }
    const auto joining = settings.rejoin ? rejoining_moves(workspace, position, known) : std::vector<StoredMove>();
    for (const StoredMove& move : joining)
        changes.push_back({position.setup(), move, "rejoins a line of the book"});
    if (const auto stored = workspace.add_analysis(position.setup(), changes); !stored) return stored.error();
    return joining.size();
}

Result<ThinkReport> think_on(Workspace& workspace, const ThinkSettings& settings,
                             const std::shared_ptr<const eval::Evaluator>& evaluator,
                             const std::function<void()>& advance, const std::stop_token& stop) {
    std::vector<std::unique_ptr<Analyst>> analysts;
    for (int i = 0; i < settings.workers; ++i)
        analysts.push_back(std::make_unique<Analyst>(evaluator, settings.effort));
    ThinkReport report;
    while (report.positions < settings.positions && !stop.stop_requested()) {
        // A round of a few positions for each worker: values change with every one, and so does what is likely.
        const std::size_t round =
            std::min(settings.positions - report.positions, 4 * static_cast<std::size_t>(settings.workers));
        const auto leaves = next_leaves(workspace, settings, round);
        if (leaves.empty()) break;
        std::mutex mutex;
        Result<void> stored;
        base::parallel_for(leaves.size(), settings.workers, [&](std::size_t i, int worker) {
            const auto moves = analysts[static_cast<std::size_t>(worker)]->think(leaves[i], {}, stop);
            const std::lock_guard lock(mutex);
            if (moves.empty() || !stored) return;
            const auto joining = store_analysis(workspace, settings, leaves[i], moves);
            if (!joining) {
                stored = joining.error();
                return;
            }
            ++report.positions;
            report.moves += moves.size();
            report.rejoining += *joining;
            advance();
        });
        if (!stored) return stored.error();
    }
    return report;
}

Result<std::size_t> positions_left(Workspace& workspace, std::uint64_t round, std::size_t positions) {
    const std::string beginning = "begin";
    const auto begun = workspace.step_numbers(beginning);
    if (!begun) return begun.error();
    if (!begun->contains(round)) {
        if (const auto added = workspace.add_step(beginning, fmt::format("round {}", round), {}, round); !added)
            return added.error();
        return positions;
    }
    const auto done = workspace.steps_after("think", beginning, round);
    if (!done) return done.error();
    return positions - std::min<std::size_t>(positions, *done);
}

}  // namespace tsumugi::learn::bookmaking
