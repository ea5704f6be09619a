// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/minimax.hpp"

#include <algorithm>

#include "book/circle_solver.hpp"
#include "book/component.hpp"

namespace tsumugi::book {

Minimax::Minimax(const Graph& graph, const RepetitionRule& rule)
    : graph_(graph),
      rule_(rule),
      value_(graph.size()),
      distance_(graph.size()),
      depth_(graph.size()),
      local_(graph.size()) {}

std::size_t Minimax::bytes() const {
    // The search for components has one number a position of its own.
    return graph_.size() * (sizeof(value_[0]) + sizeof(distance_[0]) + sizeof(depth_[0]) + 2 * sizeof(local_[0]));
}

Worth Minimax::worth(Graph::Edge edge) const {
    if (edge.is_leaf()) return {edge.value(), 1, edge.depth()};
    const Graph::Node child = edge.child();
    const auto one_more = [](int plies) { return std::min(plies + 1, Graph::greatest_depth); };
    return {-value_[child], one_more(distance_[child]), one_more(depth_[child])};
}

bool Minimax::better(const Worth& a, const Worth& b, bool white) const {
    if (a.value != b.value) return a.value > b.value;
    return a.value < draw_for(white) ? a.distance > b.distance : a.distance < b.distance;
}

void Minimax::settle(Graph::Node node, const Worth& worth) {
    value_[node] = static_cast<std::int16_t>(worth.value);
    distance_[node] = static_cast<std::uint16_t>(worth.distance);
    depth_[node] = static_cast<std::uint16_t>(worth.depth);
}

void Minimax::settle_best(Graph::Node node) {
    const auto edges = graph_.edges(node);
    const bool white = graph_.white_to_move(node);
    if (edges.empty()) {
        ++summary_.empty;
        return settle(node, {draw_for(white), 0, 0});
    }
    Worth best = worth(edges.front());
    for (const Graph::Edge edge : edges.subspan(1))
        if (const Worth each = worth(edge); better(each, best, white)) best = each;
    settle(node, best);
}

void Minimax::solve_component(const std::vector<Graph::Node>& nodes) {
    ++summary_.components;
    summary_.largest = std::max<std::uint64_t>(summary_.largest, nodes.size());
    // No move leads back to where it was made, so one position makes no circle.
    if (nodes.size() == 1) return settle_best(nodes.front());
    summary_.circular += nodes.size();
    CircleSolver(*this, nodes).run();
}

void Minimax::solve() {
    summary_ = {};
    for_each_component(graph_, [this](const std::vector<Graph::Node>& nodes) { solve_component(nodes); });
}

}  // namespace tsumugi::book
