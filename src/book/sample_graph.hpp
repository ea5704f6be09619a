// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "book/graph.hpp"

namespace tsumugi::book {

// How a graph that resembles a book is generated, to measure with. Positions have numbers in the order of the game;
// most moves lead a little forwards (transpositions arise by themselves), some out of the book, a few back.
struct SampleGraph {
    std::uint32_t positions = 1'000'000;
    int moves = 4;  // of a position
    int leaf_permille = 300;
    int back_permille = 50;
    int check_permille = 20;  // positions in check
    std::uint64_t seed = 1;
};

Graph make_graph(const SampleGraph& sample);

}  // namespace tsumugi::book
