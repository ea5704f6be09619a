// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "shogi/color.hpp"

namespace tsumugi::book {

// A book as a graph, in as few bytes as it takes: 4 for a position and 4 for a move, and two bits for each position.
// Books of tens of millions of positions fit into memory so.
class Graph {
public:
    using Node = std::uint32_t;

    // A move. bit 31 clear: to a position of the book, bits 0-30 its number.
    //         bit 31 set: out of the book, bits 0-15 the value for the mover, 16-30 the depth of its search.
    class Edge {
    public:
        static Edge to(Node child) {
            assert(child < leaf_bit);
            return Edge(child);
        }
        static Edge leaf(int value, int depth) {
            return Edge(leaf_bit | static_cast<std::uint32_t>(depth) << 16 |
                        static_cast<std::uint16_t>(static_cast<std::int16_t>(value)));
        }

        [[nodiscard]] bool is_leaf() const { return (bits_ & leaf_bit) != 0; }
        [[nodiscard]] Node child() const { return bits_; }
        [[nodiscard]] int value() const { return static_cast<std::int16_t>(static_cast<std::uint16_t>(bits_)); }
        [[nodiscard]] int depth() const { return static_cast<int>(bits_ >> 16 & 0x7fff); }

    private:
        static constexpr std::uint32_t leaf_bit = 1U << 31;

        explicit Edge(std::uint32_t bits) : bits_(bits) {}
        std::uint32_t bits_;
    };

    static constexpr int greatest_depth = 9999;  // what distances and depths are cut to; a way without end has it too

    // Adds a position; the edges added next are its moves. A position in check was reached by a checking move.
    Node add(shogi::Color to_move, bool in_check) {
        white_to_move_.push_back(to_move == shogi::Color::white);
        in_check_.push_back(in_check);
        first_.push_back(static_cast<std::uint32_t>(edges_.size()));
        return static_cast<Node>(white_to_move_.size() - 1);
    }
    void add(Edge edge) {
        edges_.push_back(edge);
        first_.back() = static_cast<std::uint32_t>(edges_.size());
    }
    void reserve(std::size_t positions, std::size_t moves) {
        first_.reserve(positions + 1);
        white_to_move_.reserve(positions);
        in_check_.reserve(positions);
        edges_.reserve(moves);
    }

    [[nodiscard]] std::size_t size() const { return white_to_move_.size(); }
    [[nodiscard]] std::size_t edge_count() const { return edges_.size(); }
    [[nodiscard]] std::span<const Edge> edges(Node node) const {
        return std::span(edges_).subspan(first_[node], first_[node + 1] - first_[node]);
    }
    [[nodiscard]] bool white_to_move(Node node) const { return white_to_move_[node]; }
    [[nodiscard]] bool in_check(Node node) const { return in_check_[node]; }
    // Memory held.
    [[nodiscard]] std::size_t bytes() const {
        return first_.capacity() * sizeof(first_[0]) + edges_.capacity() * sizeof(Edge) + size() / 4;
    }

private:
    std::vector<std::uint32_t> first_{0};
    std::vector<Edge> edges_;
    std::vector<bool> white_to_move_;
    std::vector<bool> in_check_;
};

}  // namespace tsumugi::book
