// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/allowance.hpp"
#include "learn/bookmaking/duel.hpp"

// What books made by playing are worth.

namespace tsumugi::experiment {

// How an engine with a book meets the same engine without one: from the start position, with a small error in both
// evaluations that is another in every game.
struct BookMatchOptions {
    std::uint64_t games = 500;
    arena::Allowance allowance;
    int sigma = 20;
    int hash_mib = 64;
    int concurrency = 1;
};

struct BookDuelOptions {
    std::string net;                     // of everybody; a file, "material", or the built-in one if empty
    std::vector<std::string> opponents;  // nets of those the book is made against; none: the same
    learn::bookmaking::DuelSettings duel;
    std::uint64_t duels = 1000;
    BookMatchOptions match;
    bool ponder = true;            // play a second match in which both ponder
    std::filesystem::path output;  // folder of the book in the making, the matches and the tables
};

// A book by duels, then matches with it. Everything that was interrupted goes on where it was.
base::Result<void> run_book_duel(const BookDuelOptions& options, std::ostream& out, const std::stop_token& stop);

struct MinimaxBookOptions {
    std::string net;
    learn::bookmaking::DuelSettings duel;
    learn::bookmaking::ThinkSettings think;  // of each round
    std::uint64_t duels = 100;               // of each round
    std::uint64_t rounds = 5;
    BookMatchOptions match;
    std::filesystem::path output;
};

// Rounds of playing, thinking and backing up; the book of every round meets the engine without one.
base::Result<void> run_minimax_book(const MinimaxBookOptions& options, std::ostream& out, const std::stop_token& stop);

}  // namespace tsumugi::experiment
