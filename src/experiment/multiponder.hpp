// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <stop_token>
#include <string>

#include "base/result.hpp"
#include "think/limits.hpp"

namespace tsumugi::experiment {

// A group whose players ponder a reply each, against one engine with as many threads that ponders one reply (S8).
struct MultiponderOptions {
    int players = 2;     // with one thread each
    int threads = 2;     // of the engine on the other side
    int mebibytes = 32;  // of the tables of a side
    std::uint64_t games = 20;
    think::Milliseconds byoyomi{500};    // a move
    think::Milliseconds prediction{50};  // for the guesses
    std::string net;                     // a file, "material", or the built-in one if empty
    std::filesystem::path openings;
    // Folder for multiponder.json, multiponder.md, the tables as CSV, and the games, from which an interrupted run goes
    // on; nothing is kept if empty.
    std::filesystem::path output;
};

// Prints the results; work in progress shows on stderr.
base::Result<void> run_multiponder(const MultiponderOptions& options, std::ostream& out, const std::stop_token& stop);

}  // namespace tsumugi::experiment
