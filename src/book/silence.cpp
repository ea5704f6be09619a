// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/silence.hpp"

#include <algorithm>

namespace tsumugi::book {

std::vector<bool> find_silent(const Graph& graph, std::vector<bool> valued) {
    std::vector<bool>& speaks = valued;
    std::vector<Graph::Node> waiting;
    for (std::size_t node = 0; node < graph.size(); ++node)
        if (!speaks[node]) waiting.push_back(static_cast<Graph::Node>(node));
    // Positions without values of their own are few or all: either way a few rounds over them settle it.
    for (std::size_t before = waiting.size() + 1; waiting.size() < before;) {
        before = waiting.size();
        std::erase_if(waiting, [&](Graph::Node node) {
            const auto edges = graph.edges(node);
            speaks[node] = std::any_of(edges.begin(), edges.end(),
                                       [&](Graph::Edge edge) { return !edge.is_leaf() && speaks[edge.child()]; });
            return speaks[node];
        });
    }
    std::vector<bool> silent(graph.size(), false);
    for (const Graph::Node node : waiting)
        silent[node] = true;
    return silent;
}

}  // namespace tsumugi::book
