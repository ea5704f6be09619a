// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ensemble/member.hpp"

namespace tsumugi::ensemble {

// Guesses the opponent's replies: the lines of a short search for several best moves. It runs beside those who ponder
// and may fail like any player; then there are fewer guesses.
class Predictor {
public:
    // `replies` are wanted at most.
    Predictor(const PredictionConfig& config, std::size_t replies, Member::Opener open);
    ~Predictor() { stop(); }
    Predictor(const Predictor&) = delete;
    Predictor& operator=(const Predictor&) = delete;

    [[nodiscard]] Member& member() { return member_; }

    // Begins to think about a position in which the opponent is to move. What was asked before is given up.
    void ask(const shogi::Position& position, const std::shared_ptr<Bell>& bell);
    // True once for every question: when its answer is there.
    [[nodiscard]] bool has_news();
    // Likeliest first, as far as they are known.
    [[nodiscard]] std::vector<shogi::Move> replies() const;
    void stop();

private:
    const think::Milliseconds time_;
    Member member_;
    std::shared_ptr<Inquiry> inquiry_;
    bool reported_ = false;
};

}  // namespace tsumugi::ensemble
