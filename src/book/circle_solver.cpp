// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/circle_solver.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace tsumugi::book {

CircleSolver::CircleSolver(Minimax& minimax, const std::vector<Node>& nodes)
    : minimax_(minimax), nodes_(nodes), settled_(nodes.size(), false) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        minimax_.local_[nodes[i]] = static_cast<std::uint32_t>(i + 1);
    find_predecessors();
}

CircleSolver::~CircleSolver() {
    for (const Node node : nodes_)
        minimax_.local_[node] = 0;
}

void CircleSolver::find_predecessors() {
    first_predecessor_.assign(nodes_.size() + 1, 0);
    for (const Node node : nodes_)
        for (const Graph::Edge edge : minimax_.graph_.edges(node))
            if (is_inside(edge)) ++first_predecessor_[inside(edge) + 1];
    for (std::size_t i = 1; i < first_predecessor_.size(); ++i)
        first_predecessor_[i] += first_predecessor_[i - 1];
    predecessors_.resize(first_predecessor_.back());
    std::vector<std::uint32_t> next(first_predecessor_.begin(), first_predecessor_.end() - 1);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (const Graph::Edge edge : minimax_.graph_.edges(nodes_[i]))
            if (is_inside(edge)) predecessors_[next[inside(edge)]++] = static_cast<Local>(i);
}

void CircleSolver::run() {
    spread(false);
    spread(true);
    settle_draws();
}

void CircleSolver::spread(bool white) {
    white_ = white;
    draw_ = minimax_.draw_for(white);
    remaining_.assign(nodes_.size(), 0);
    reached_.assign(nodes_.size(), false);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        begin_node(static_cast<Local>(i));
    find_checking_circles();
    const int perpetual = minimax_.rule_.perpetual_check;
    int level = std::numeric_limits<int>::max();
    for (;;) {
        const bool descends = events_.empty() || events_.top().value < level;
        if (descends) {
            if (level > perpetual && (events_.empty() || events_.top().value < perpetual)) level = perpetual;
            if (level <= perpetual && level > draw_ && settle_checking_circles(level)) continue;
            if (events_.empty()) break;
            level = events_.top().value;
        }
        const Event event = events_.top();
        events_.pop();
        take(event);
    }
}

// What the moves out of the component are worth: the best counts for the own side, the worst for the opponent, whose
// node cannot be gained at all when one of them is no better than a draw.
void CircleSolver::begin_node(Local node) {
    const bool own = is_own(node);
    std::optional<Worth> exit;
    for (const Graph::Edge edge : minimax_.graph_.edges(nodes_[node])) {
        if (is_inside(edge)) {
            ++remaining_[node];
            continue;
        }
        const Worth worth = minimax_.worth(edge);
        if (!exit || minimax_.better(worth, *exit, own == white_)) exit = worth;
    }
    if (!exit || settled_[node]) return;
    ++remaining_[node];
    const int value = own ? exit->value : -exit->value;
    if (value > draw_)
        events_.push({value, exit->distance, node, true});
    else if (!own)
        remaining_[node] = never;
}

void CircleSolver::take(const Event& event) {
    if (settled_[event.node]) return;
    if (!is_own(event.node) && event.exit) {
        circle_changed_ = circle_changed_ || in_circle_[event.node];
        if (--remaining_[event.node] == 0) complete(event.node);
        return;
    }
    settle(event.node, event.value, event.distance);
}

// All moves of an opponent's node have brought a value: he takes the best for him, by the longest way.
void CircleSolver::complete(Local node) {
    const auto edges = minimax_.graph_.edges(nodes_[node]);
    Worth best = minimax_.worth(edges.front());
    for (const Graph::Edge edge : edges.subspan(1))
        if (const Worth each = minimax_.worth(edge); minimax_.better(each, best, !white_)) best = each;
    events_.push({-best.value, best.distance, node, false});
}

void CircleSolver::settle(Local node, int value, int distance) {
    distance = std::min(distance, Graph::greatest_depth);
    Worth worth{is_own(node) ? value : -value, distance, Graph::greatest_depth};
    if (distance < Graph::greatest_depth)
        for (const Graph::Edge edge : minimax_.graph_.edges(nodes_[node])) {
            if (is_inside(edge) && !settled_[inside(edge)]) continue;
            const Worth move = minimax_.worth(edge);
            if (move.value == worth.value && move.distance == worth.distance) worth.depth = move.depth;
        }
    minimax_.settle(nodes_[node], worth);
    settled_[node] = true;
    for (auto i = first_predecessor_[node]; i < first_predecessor_[node + 1]; ++i) {
        const Local before = predecessors_[i];
        if (settled_[before]) continue;
        if (is_own(before)) {
            // Values come from the best down, so the first to arrive is the best.
            if (!reached_[before]) events_.push({value, distance + 1, before, false});
            reached_[before] = true;
        } else if (remaining_[before] != never) {
            circle_changed_ = circle_changed_ || in_circle_[before];
            if (--remaining_[before] == 0) complete(before);
        }
    }
}

std::uint32_t CircleSolver::moves_into(Local node, const std::vector<bool>& set) const {
    std::uint32_t count = 0;
    for (const Graph::Edge edge : minimax_.graph_.edges(nodes_[node])) {
        if (!is_inside(edge) || !set[inside(edge)]) continue;
        if (is_own(node) || minimax_.graph_.in_check(edge.child())) ++count;
    }
    return count;
}

// Takes nodes out of a set until each that stays has a move into it (opponent's nodes: as many as `enough` says).
// `waiting` holds the nodes to begin with.
template <typename Enough>
void CircleSolver::trim(std::vector<bool>& set, std::vector<Local> waiting, const Enough& enough) const {
    while (!waiting.empty()) {
        const Local node = waiting.back();
        waiting.pop_back();
        if (!set[node] || enough(node, moves_into(node, set))) continue;
        set[node] = false;
        for (auto i = first_predecessor_[node]; i < first_predecessor_[node + 1]; ++i)
            if (set[predecessors_[i]]) waiting.push_back(predecessors_[i]);
    }
}

// Nodes from which a line can stay inside for ever with the opponent giving check by every move. Such a circle consists
// of own nodes in check and of opponent's nodes.
void CircleSolver::find_checking_circles() {
    std::vector<Local> all;
    in_circle_.assign(nodes_.size(), false);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const auto node = static_cast<Local>(i);
        in_circle_[i] = !is_own(node) || minimax_.graph_.in_check(nodes_[i]);
        if (in_circle_[i]) all.push_back(node);
    }
    trim(in_circle_, all, [](Local, std::uint32_t moves) { return moves > 0; });
    circle_.clear();
    std::copy_if(all.begin(), all.end(), std::back_inserter(circle_), [&](Local node) { return in_circle_[node]; });
    circle_changed_ = true;
}

bool CircleSolver::settle_checking_circles(int value) {
    if (circle_.empty() || !circle_changed_) return false;
    circle_changed_ = false;
    std::vector<bool> stays(nodes_.size(), false);
    for (const Local node : circle_)
        stays[node] = !settled_[node];
    // The opponent must have nothing else left.
    trim(stays, circle_,
         [&](Local node, std::uint32_t moves) { return moves > 0 && (is_own(node) || moves == remaining_[node]); });
    bool any = false;
    for (const Local node : circle_)
        if (stays[node] && !settled_[node]) {
            settle(node, value, Graph::greatest_depth);
            any = true;
        }
    return any;
}

void CircleSolver::settle_draws() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (settled_[i]) continue;
        const bool white = minimax_.graph_.white_to_move(nodes_[i]);
        Worth worth{minimax_.draw_for(white), Graph::greatest_depth, Graph::greatest_depth};
        for (const Graph::Edge edge : minimax_.graph_.edges(nodes_[i]))
            if (!is_inside(edge))
                if (const Worth move = minimax_.worth(edge);
                    move.value == worth.value && move.distance < worth.distance)
                    worth = move;
        minimax_.settle(nodes_[i], worth);
    }
}

}  // namespace tsumugi::book
