// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/line.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_set>

#include "shogi/movegen.hpp"

namespace tsumugi::book {
namespace {

using base::Result;

// One step of a way through the book; the ways share their beginnings.
struct Step {
    std::size_t before;
    shogi::Move move;
};

constexpr std::size_t start = 0;

Moves moves_to(const std::vector<Step>& steps, std::size_t step) {
    Moves moves;
    for (; step != start; step = steps[step].before)
        moves.push_back(steps[step].move);
    std::reverse(moves.begin(), moves.end());
    return moves;
}

// Goes through the book breadth first. Ways are kept as steps, positions as keys.
class Exploration {
public:
    explicit Exploration(const Book& book) : book_(book), steps_(1), level_(1, start) {
        known_.insert(shogi::Position::even().key());
    }

    [[nodiscard]] bool done() const { return level_.empty(); }
    [[nodiscard]] const std::vector<std::size_t>& level() const { return level_; }
    [[nodiscard]] Moves way(std::size_t step) const { return moves_to(steps_, step); }

    // One ply farther. choose(entry) says which moves to follow; reached(step, position) is told of every position met
    // for the first time, ended(step) of every one from which no move went on.
    template <typename Choose, typename Reached, typename Ended>
    Result<void> next_level(Choose&& choose, Reached&& reached, Ended&& ended) {
        std::vector<std::size_t> next;
        for (const std::size_t step : level_) {
            shogi::Position position = shogi::Position::even();
            for (const shogi::Move move : way(step))
                position.do_move(move);
            auto entry = book_.find(position.setup(), Book::Ply::any);
            if (!entry) return entry.error();
            bool goes_on = false;
            if (*entry)
                for (const shogi::Move move : choose(**entry)) {
                    if (!position.is_legal(move)) continue;
                    goes_on = true;
                    position.do_move(move);
                    if (known_.insert(position.key()).second) {
                        steps_.push_back({step, move});
                        next.push_back(steps_.size() - 1);
                        reached(steps_.size() - 1, position);
                    }
                    position.undo_move();
                }
            if (!goes_on) ended(step);
        }
        level_ = std::move(next);
        return {};
    }

private:
    const Book& book_;
    std::vector<Step> steps_;
    std::vector<std::size_t> level_;
    std::unordered_set<shogi::Key> known_;
};

std::vector<shogi::Move> followed(Entry& entry, const LineOptions& options) {
    sort_best_first(entry.moves);
    std::vector<shogi::Move> moves;
    for (const StoredMove& each : entry.moves) {
        if (each.mark == Mark::bad || each.mark == Mark::blunder) continue;
        if (each.value && options.value_limit && std::abs(*each.value) > *options.value_limit) continue;
        const auto best = entry.moves.front().value;
        if (each.value && best && options.value_diff && *best - *each.value > *options.value_diff) continue;
        moves.push_back(each.move);
    }
    return moves;
}

}  // namespace

Result<std::vector<Moves>> lines(const Book& book, const LineOptions& options) {
    Exploration exploration(book);
    std::vector<Moves> found;
    const auto add = [&](std::size_t step) {
        Moves way = exploration.way(step);
        if (way.size() >= options.shortest && found.size() < options.most) found.push_back(std::move(way));
    };
    for (std::size_t ply = 0; ply < options.plies && !exploration.done(); ++ply) {
        const auto done = exploration.next_level([&](Entry& entry) { return followed(entry, options); },
                                                 [](std::size_t, const shogi::Position&) {}, add);
        if (!done) return done.error();
    }
    for (const std::size_t step : exploration.level())
        add(step);
    return found;
}

Result<std::optional<Moves>> shortest_path(const Book& book, const shogi::Setup& target, std::size_t most_plies) {
    const auto goal = shogi::Position::from(target);
    if (!goal) return goal.error();
    if (goal->key() == shogi::Position::even().key()) return std::optional<Moves>(Moves{});
    Exploration exploration(book);
    std::optional<std::size_t> arrived;
    for (std::size_t ply = 0; ply < most_plies && !exploration.done() && !arrived; ++ply) {
        const auto done = exploration.next_level([](Entry& entry) { return followed(entry, {}); },
                                                 [&](std::size_t step, const shogi::Position& position) {
                                                     if (!arrived && position.key() == goal->key()) arrived = step;
                                                 },
                                                 [](std::size_t) {});
        if (!done) return done.error();
    }
    if (!arrived) return std::optional<Moves>();
    return std::optional<Moves>(exploration.way(*arrived));
}

}  // namespace tsumugi::book
