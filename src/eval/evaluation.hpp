// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "shogi/board.hpp"
#include "shogi/move.hpp"

namespace tsumugi::eval {

// What one move changed, enough to update an evaluation. A null move has no move and no pieces.
struct Change {
    shogi::Move move;
    shogi::Piece moved;  // as it stood before the move (unpromoted when it promoted)
    shogi::Piece captured;
};

// No evaluation is ever farther from zero, so that a search can keep larger scores for mates.
constexpr int max_score = 30000;

// One search thread's running evaluation: it follows the moves of one position. Moves are only noted down when
// they are made; the work is done when (and if) the position reached is evaluated.
class Evaluation {
public:
    // Moves that can be outstanding at once.
    static constexpr std::size_t capacity = 1024;

    virtual ~Evaluation() = default;
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

    // Forgets everything and starts at this position.
    virtual void reset(const shogi::Board& root) = 0;
    // The score for the side to move. `board` must be the position that the pushes have reached.
    virtual int evaluate(const shogi::Board& board) = 0;

    void push(const Change& change) {
        assert(trail_->top < capacity);
        trail_->entries[++trail_->top] = Entry{change, 0};
    }
    void pop() {
        assert(trail_->top > 0);
        --trail_->top;
    }

protected:
    // A ply and whose view of it (a bit per colour) has been computed.
    struct Entry {
        Change change;
        std::uint8_t known = 0;
    };
    // Entry 0 is the root.
    struct Trail {
        std::array<Entry, capacity + 1> entries{};
        std::size_t top = 0;
    };

    Evaluation() : own_(std::make_unique<Trail>()), trail_(own_.get()) {}
    // For an evaluation that wraps another one, which must outlive it: both follow the same moves.
    explicit Evaluation(Evaluation& inner) : trail_(inner.trail_) {}

    [[nodiscard]] Trail& trail() { return *trail_; }

private:
    std::unique_ptr<Trail> own_;
    Trail* trail_;
};

// The parameters of an evaluation: immutable and shared by all threads.
class Evaluator {
public:
    virtual ~Evaluator() = default;
    [[nodiscard]] virtual std::unique_ptr<Evaluation> start() const = 0;
    // One line for people, e.g. for USI's `info string`.
    [[nodiscard]] virtual std::string description() const = 0;
};

}  // namespace tsumugi::eval
