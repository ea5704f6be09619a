// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "book/minimax.hpp"

namespace tsumugi::book {

// Settles the positions of one component with circles (minimax.hpp says how). Everything it leads to is settled.
class CircleSolver {
public:
    using Node = Graph::Node;
    using Local = std::uint32_t;  // the number of a node within the component

    CircleSolver(Minimax& minimax, const std::vector<Node>& nodes);
    ~CircleSolver();
    CircleSolver(const CircleSolver&) = delete;
    CircleSolver& operator=(const CircleSolver&) = delete;

    void run();

private:
    static constexpr std::uint32_t never = 0xffffffff;  // more moves than a position has

    // A value, for the side whose values are spread, that has reached a node.
    struct Event {
        int value;
        int distance;
        Local node;
        bool exit;  // by the worst of its moves out of the component
    };
    struct Later {
        bool operator()(const Event& a, const Event& b) const {
            return a.value != b.value ? a.value < b.value : a.distance > b.distance;
        }
    };

    void find_predecessors();
    // The following are for one side, `white_`.
    void spread(bool white);
    void begin_node(Local node);
    void take(const Event& event);
    void complete(Local node);
    void settle(Local node, int value, int distance);
    template <typename Enough>
    void trim(std::vector<bool>& set, std::vector<Local> waiting, const Enough& enough) const;
    void find_checking_circles();
    bool settle_checking_circles(int value);
    void settle_draws();

    [[nodiscard]] bool is_inside(Graph::Edge edge) const {
        return !edge.is_leaf() && minimax_.local_[edge.child()] != 0;
    }
    [[nodiscard]] Local inside(Graph::Edge edge) const { return minimax_.local_[edge.child()] - 1; }
    [[nodiscard]] bool is_own(Local node) const { return minimax_.graph_.white_to_move(nodes_[node]) == white_; }
    // How many of its moves lead into the set. Of the opponent's moves only checks count.
    [[nodiscard]] std::uint32_t moves_into(Local node, const std::vector<bool>& set) const;

    Minimax& minimax_;
    const std::vector<Node>& nodes_;
    std::vector<std::uint32_t> first_predecessor_;
    std::vector<Local> predecessors_;
    std::vector<bool> settled_;

    bool white_ = false;
    int draw_ = 0;
    std::vector<std::uint32_t> remaining_;  // opponent's nodes: moves that have brought no value yet
    std::vector<bool> reached_;             // own nodes: a value is on its way
    std::vector<Local> circle_;             // nodes that may belong to a circle of checks by the opponent
    std::vector<bool> in_circle_;
    bool circle_changed_ = false;
    std::priority_queue<Event, std::vector<Event>, Later> events_;
};

}  // namespace tsumugi::book
