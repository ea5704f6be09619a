// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "eval/evaluation.hpp"
#include "search/companion.hpp"
#include "search/settings.hpp"
#include "search/shared_table.hpp"
#include "shogi/position.hpp"

namespace tsumugi::search {

// An alpha-beta search with its table, threads and what they have learned. P is a position on any slider method;
// positions come in on the default one.
template <typename P>
class BasicSearcher {
public:
    // With a table of its own, or with one that others use too: its owner sizes and empties that one.
    explicit BasicSearcher(std::shared_ptr<SharedTable> table = nullptr);
    ~BasicSearcher();
    BasicSearcher(const BasicSearcher&) = delete;
    BasicSearcher& operator=(const BasicSearcher&) = delete;

    // Not while searching. Resizes its own table only when the settings of that changed.
    void configure(const Settings& settings);
    void set_evaluator(std::shared_ptr<const eval::Evaluator> evaluator);
    // Forgets everything: for a new game.
    void clear();

    // Thinks until the limits or a stop end it; the outcome's best move is none only when there is no legal move.
    Outcome search(const shogi::Position& root, const think::Limits& limits, think::Observer& observer,
                   std::stop_token stop, Companion* companion = nullptr);
    // The side to move mates in so many plies, beginning with this move: believed from now on, wherever the position
    // comes up below the root. Safe to call from another thread during a search.
    void teach_mate(const shogi::Position& position, shogi::Move move, int plies);
    // The pondered move was played. Safe to call from another thread at any time.
    void ponder_hit(const std::optional<think::ClockState>& clock);

private:
    class Session;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

using Searcher = BasicSearcher<shogi::Position>;

}  // namespace tsumugi::search
