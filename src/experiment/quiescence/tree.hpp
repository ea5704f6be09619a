// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "eval/evaluation.hpp"
#include "search/history.hpp"
#include "search/quiescence_policy.hpp"
#include "search/value.hpp"
#include "shogi/position.hpp"

namespace tsumugi::experiment::quiescence {

// How likely moves are to be best: captures that lose nothing by what they take, then quiet moves by how often they
// were good in other positions, then the other captures.
class Rating {
public:
    Rating() : history_(std::make_unique<search::ButterflyHistory>()) {}

    [[nodiscard]] int of(const shogi::Position& position, shogi::Move move) const;
    // A quiet move was the best of a search so deep, or one of those that were not.
    void note(const shogi::Position& position, shogi::Move move, int depth, bool best);

private:
    std::unique_ptr<search::ButterflyHistory> history_;
};

// A search of one depth.
struct TreeResult {
    search::Value value = 0;
    shogi::Move best;  // none when no move is better than standing still
    std::uint64_t nodes = 0;
};

// Plain alpha-beta without any pruning, so that the value is that of the tree. Only the order of the moves is helped,
// by what was best or cut before.
class Tree {
public:
    // The rating must outlive the tree.
    Tree(const std::shared_ptr<const eval::Evaluator>& evaluator, const Rating& rating);

    // All moves in all positions, and the evaluation at the end. A result for every depth from 1 to `deepest`;
    // `student` learns from these searches.
    std::vector<TreeResult> full_width(const shogi::Position& root, int deepest, Rating* student = nullptr);
    // The moves that a policy admits, beside standing still; in check all moves and no standing still.
    std::vector<TreeResult> by_policy(const shogi::Position& root, search::QuiescencePolicy policy, int deepest);

private:
    using Value = search::Value;

    struct Candidate {
        shogi::Move move;
        int rating = 0;
    };
    using Candidates = std::array<Candidate, shogi::MoveList::capacity>;

    // A ply of the path from the root.
    struct Step {
        std::array<shogi::Move, 2> killers;
        std::optional<bool> threatens;  // does the move made here seem to threaten mate?
    };
    // Where the best move of a position was remembered.
    struct Memory {
        shogi::Key key = 0;
        shogi::Move move;
    };

    template <typename Policy>
    std::vector<TreeResult> deepen(const shogi::Position& root, int deepest);
    template <typename Policy>
    Value visit(int ply, Value alpha, Value beta, int depth);
    // The moves to look at, best first. Nothing if there is no legal move at all.
    template <typename Policy>
    std::optional<std::span<const Candidate>> candidates(int ply, bool in_check, Candidates& room);
    template <typename Policy>
    search::policy::Scene scene_for(int ply);
    void prefer(std::span<Candidate> moves, int ply);
    void learn(std::span<const Candidate> tried, shogi::Move best, int depth);
    void do_move(int ply, shogi::Move move);
    void undo_move();
    Value evaluate();
    Memory& memory_of(shogi::Key key) { return memories_[key & (memories_.size() - 1)]; }
    // Of the moves made at the two plies before the root, too.
    Step& at(int ply) { return path_[static_cast<std::size_t>(ply + 2)]; }

    const Rating& rating_;
    Rating* student_ = nullptr;
    std::unique_ptr<eval::Evaluation> evaluation_;
    std::optional<shogi::Position> position_;
    std::vector<Step> path_;
    std::vector<Memory> memories_;
    shogi::Move best_;  // of the root
    std::uint64_t nodes_ = 0;
};

}  // namespace tsumugi::experiment::quiescence
