// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "mate/budget.hpp"
#include "mate/dependence.hpp"
#include "mate/futile.hpp"
#include "mate/loop_table.hpp"
#include "mate/number.hpp"
#include "mate/path.hpp"
#include "mate/table.hpp"
#include "shogi/mate_one.hpp"

namespace tsumugi::mate {

// One thread of the df-pn search for a mate: depth-first, always towards the position that seems to need the least to
// settle the root. It keeps its own stack, since the longest problems are deeper than a thread's stack likes.
class Search {
public:
    // Paths longer than this are cut off, and nothing is concluded from them.
    static constexpr int deepest = 8000;

    // Threads with different numbers break ties differently, so that they do not do the same work.
    Search(Table& table, LoopTable loops, int number) : table_(table), number_(number), loops_(std::move(loops)) {}

    void new_problem() { loops_.clear(); }
    // Follows the table, which has grown.
    void grow() { loops_.grow(); }
    // Looks for a mate within `limit` plies until it is settled, the budget is exhausted or the table should grow.
    Numbers run(const shogi::Position& root, shogi::Color attacker, Plies limit, Counting counting, Budget& budget);

private:
    // A move from a position of the path and what is known of where it leads.
    struct Child {
        shogi::Key board = 0;
        Numbers numbers;
        shogi::Hand hand;     // the attacker's, after the move
        shogi::Hand bound;    // for which a settled result holds
        Dependence rests_on;  // of a failure
        shogi::Move move;
        std::uint16_t length = 0;  // of a settled result
        std::uint16_t next = 0;    // 1 + the sibling that waits for this one to fail, or 0
        bool active = true;        // false while it waits for a sibling
        bool old = false;          // was searched nearer to the root
        bool interposes = false;   // puts a piece between the king and the one that gives check
    };

    // A position of the path.
    struct Frame {
        shogi::Key board = 0;
        shogi::Hand hand;
        shogi::Hand bound;
        Numbers threshold;
        Numbers numbers;
        Numbers open;  // the last numbers before it was settled
        Plies limit = unlimited;
        Plies length = 0;
        shogi::Move move;  // the attacker's, when proven
        std::size_t begin = 0;
        std::size_t chosen = 0;
        Number second = infinite;  // the best rival of the chosen child
        Number others = 0;         // what its siblings add to the number that is combined
        std::uint64_t nodes_before = 0;
        Dependence rests_on;
        int patience = 0;
        bool attacking = true;
        bool known = false;
        bool cyclic = false;
    };

    void open(shogi::Key board, shogi::Hand hand, Numbers threshold, Plies limit);
    void close();
    void descend();
    void expand(Frame& frame);
    void add_children(Frame& frame, const shogi::MoveList& moves);
    void defer(const Frame& frame);
    void wake_followers(const Frame& frame, std::size_t index);
    void evaluate(const Frame& frame, Child& child, bool look);
    void look_ahead(Child& child, Plies limit);
    [[nodiscard]] bool ends_by_futility(shogi::Move check);
    [[nodiscard]] Numbers estimate(const Frame& frame, shogi::Move move) const;
    void update(Frame& frame);
    void settle_by_all(Frame& frame);
    void settle_by_one(Frame& frame);
    [[nodiscard]] shogi::Key board_after(shogi::Move move) const;

    Table& table_;
    int number_;
    shogi::Position position_ = shogi::Position::even();
    shogi::Color attacker_ = shogi::Color::black;
    Counting counting_ = Counting::every_move;
    Path path_;
    LoopTable loops_;
    std::vector<Frame> frames_;
    std::vector<Child> children_;
    std::uint64_t nodes_ = 0;
    int patience_ = 0;
};

}  // namespace tsumugi::mate
