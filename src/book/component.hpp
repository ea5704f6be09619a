// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "book/graph.hpp"

namespace tsumugi::book {

// Calls visit(nodes) for every strongly connected component, those that can be reached from others before those
// others. Pearce's form of Tarjan's algorithm, which needs one number a node, without recursion.
template <typename Visit>
class ComponentSearch {
public:
    using Node = Graph::Node;

    ComponentSearch(const Graph& graph, Visit visit)
        : graph_(graph), visit_(std::move(visit)), rank_(graph.size(), unseen), next_component_(last_rank) {}

    void run() {
        for (std::size_t node = 0; node < graph_.size(); ++node)
            if (rank_[node] == unseen) explore(static_cast<Node>(node));
    }

private:
    static constexpr std::uint32_t unseen = 0;
    static constexpr std::uint32_t last_rank = std::numeric_limits<std::uint32_t>::max();

    struct Frame {
        Node node;
        std::uint32_t edge = 0;  // the next to follow
        bool root = true;        // so far nothing older can be reached
    };

    void explore(Node start) {
        enter(start);
        while (!path_.empty()) {
            Frame& frame = path_.back();
            const auto edges = graph_.edges(frame.node);
            if (frame.edge == edges.size()) {
                leave();
                continue;
            }
            const Graph::Edge edge = edges[frame.edge];
            if (!edge.is_leaf() && rank_[edge.child()] == unseen) {
                enter(edge.child());  // and look at the edge again on return
                continue;
            }
            if (!edge.is_leaf() && rank_[edge.child()] < rank_[frame.node]) {
                rank_[frame.node] = rank_[edge.child()];
                frame.root = false;
            }
            ++frame.edge;
        }
    }

    void enter(Node node) {
        rank_[node] = next_rank_++;
        path_.push_back({node});
    }

    // Components get the highest ranks, from the top down, so that edges to them never look like older nodes.
    void leave() {
        const Frame frame = path_.back();
        path_.pop_back();
        if (!frame.root) {
            open_.push_back(frame.node);
            return;
        }
        component_.assign(1, frame.node);
        while (!open_.empty() && rank_[frame.node] <= rank_[open_.back()]) {
            component_.push_back(open_.back());
            open_.pop_back();
        }
        for (const Node node : component_)
            rank_[node] = next_component_;
        next_rank_ -= static_cast<std::uint32_t>(component_.size());
        --next_component_;
        visit_(component_);
    }

    const Graph& graph_;
    Visit visit_;
    std::vector<std::uint32_t> rank_;
    std::uint32_t next_rank_ = 1;
    std::uint32_t next_component_;
    std::vector<Frame> path_;
    std::vector<Node> open_;  // left, but their component is not complete
    std::vector<Node> component_;
};

template <typename Visit>
void for_each_component(const Graph& graph, Visit visit) {
    ComponentSearch<Visit>(graph, std::move(visit)).run();
}

}  // namespace tsumugi::book
