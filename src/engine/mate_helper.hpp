// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "mate/solver.hpp"
#include "search/companion.hpp"
#include "search/searcher.hpp"

namespace tsumugi::engine {

// Looks for mates by checks in the positions that a search expects, in a thread of its own while the search goes on.
// What it finds below the root it teaches the search; a mate at the root is for whoever runs both.
class MateHelper : public search::Companion {
public:
    struct Settings {
        std::uint64_t nodes = 0;  // for each position at first; more when all have been tried
        int last_move = 0;        // the game is a draw after the move of this number; 0 for never
    };

    MateHelper(mate::Solver& solver, search::Searcher& searcher, const shogi::Position& root, const Settings& settings)
        : solver_(solver), searcher_(searcher), root_(root), settings_(settings) {}

    void on_expected(std::span<const shogi::Move> line) override;
    // Tries the root alone, with so many nodes.
    void try_root(std::uint64_t nodes, const std::stop_token& stop) { try_position({0, nodes, root_}, stop); }
    // Until the stop, or until the root is known to be a mate.
    void work(const std::stop_token& stop);
    // Of the side to move at the root. To be asked when work() has ended.
    [[nodiscard]] const std::optional<mate::Verdict>& root_mate() const { return root_mate_; }

private:
    // A position of the expected line and what to spend on it.
    struct Task {
        std::size_t ply = 0;
        std::uint64_t nodes = 0;
        shogi::Position position;
    };

    // The next position to be tried, after waiting for one. Nothing when the stop came first.
    std::optional<Task> next(const std::stop_token& stop);
    // Only with the mutex held.
    [[nodiscard]] std::optional<Task> choose() const;
    void try_position(const Task& task, const std::stop_token& stop);

    mate::Solver& solver_;
    search::Searcher& searcher_;
    const shogi::Position& root_;
    Settings settings_;
    std::unordered_map<shogi::Key, std::uint64_t> spent_;  // nodes on each position; on settled ones without limit
    std::optional<mate::Verdict> root_mate_;

    std::mutex mutex_;  // guards the line
    std::condition_variable_any changed_;
    std::vector<shogi::Move> line_;
    bool fresh_ = true;  // has the line changed since all of it was tried?
};

// Searches with a helper beside it. A mate that the helper finds at the root ends the search, unless it has no end.
// `promised` is kept from move to move: the nodes that the mate took which is being carried out, or nothing. What was
// sacrificed for it must not be in vain, so its continuation is looked for before anything else.
search::Outcome search_with_helper(search::Searcher& searcher, mate::Solver& solver, const shogi::Position& position,
                                   const think::Limits& limits, think::Observer& observer, const std::stop_token& stop,
                                   const MateHelper::Settings& settings, std::uint64_t& promised);

}  // namespace tsumugi::engine
