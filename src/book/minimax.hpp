// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "book/graph.hpp"

namespace tsumugi::book {

// What a line is worth that goes round in circles until the rule ends it.
struct RepetitionRule {
    int draw_for_black = 0;        // White gets the opposite
    int perpetual_check = 30'000;  // what the other side gains from whoever only gives check
};

// What a position or a move is worth for the side to move: a value, moves until the line leaves the book, and the depth
// of the search behind it (that of the leaf, and the moves to it).
struct Worth {
    int value = 0;
    int distance = 0;
    int depth = 0;

    bool operator==(const Worth&) const = default;
};

// The values of all positions when both sides play for the best from there on.
//
// Lines may run in circles. Seen as a game without end, each side can either force the line out of the book at some
// value, or cannot, and then the circle's own value stands. Positions are taken a strongly connected component at a
// time, those that others lead to first. In a component with circles, for each side, values better for it than a draw
// are spread backwards from the best down: its own positions take the first value that arrives, those of the opponent
// the last one when all their moves have brought one. Between one value and the next, circles in which the opponent
// has nothing left but checks (or what is no better for him) are settled at the present value. What no side can force
// is a draw. Ways to a gain are the shortest, ways to a loss the longest.
class Minimax {
public:
    Minimax(const Graph& graph, const RepetitionRule& rule);

    void solve();

    [[nodiscard]] Worth worth(Graph::Node node) const { return {value_[node], distance_[node], depth_[node]}; }
    // Of a move, for the side that makes it.
    [[nodiscard]] Worth worth(Graph::Edge edge) const;
    // Is `a` the better choice for the side `white` or Black?
    [[nodiscard]] bool better(const Worth& a, const Worth& b, bool white) const;

    struct Summary {
        std::uint64_t components = 0;
        std::uint64_t circular = 0;  // positions in components with circles
        std::uint64_t largest = 0;   // component
        std::uint64_t empty = 0;     // positions without a move, taken as draws
    };
    [[nodiscard]] const Summary& summary() const { return summary_; }
    // Memory held beside the graph, without what single components take for a while.
    [[nodiscard]] std::size_t bytes() const;

private:
    friend class CircleSolver;

    [[nodiscard]] int draw_for(bool white) const { return white ? -rule_.draw_for_black : rule_.draw_for_black; }
    void settle(Graph::Node node, const Worth& worth);
    void settle_best(Graph::Node node);
    void solve_component(const std::vector<Graph::Node>& nodes);

    const Graph& graph_;
    RepetitionRule rule_;
    std::vector<std::int16_t> value_;
    std::vector<std::uint16_t> distance_;
    std::vector<std::uint16_t> depth_;
    std::vector<std::uint32_t> local_;  // number within the component at hand, where it has circles
    Summary summary_;
};

}  // namespace tsumugi::book
