// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "book/output.hpp"

namespace tsumugi::book::tool {

// What is kept of an entry. Limits that are not set keep everything; a value, depth or count that the book does not
// know passes every limit on it.
struct Filter {
    std::optional<int> first_ply;
    std::optional<int> last_ply;
    std::optional<shogi::Color> side;  // to move
    std::optional<int> least_depth;
    std::optional<std::int64_t> least_count;
    std::optional<int> least_value;
    std::optional<int> greatest_value;
    std::optional<int> value_diff;    // to the best move of the position
    std::optional<std::size_t> best;  // moves of a position, the best first
    bool legal_only = false;          // leave out impossible positions and illegal moves
    bool no_comments = false;

    // Removes moves; false when the whole entry goes, which it also does when no move is left.
    bool apply(Entry& entry) const;
};

// Books into one book: convert, sort, merge and filter are this with more or less to do.
struct Pipeline {
    std::vector<std::filesystem::path> inputs;  // what an earlier one says of a move wins
    std::filesystem::path output;
    Output::Options options;
    Filter filter;
    bool overwrite = false;
};

struct PipelineReport {
    std::uint64_t read = 0;  // positions
    std::uint64_t left_out = 0;
    std::uint64_t written = 0;
    std::vector<std::string> omissions;  // what inputs hold and could not be read, in sentences
};

// Told how far reading is: so much of so much, in a measure of the input's own.
using Advance = std::function<void(std::uint64_t done, std::uint64_t total)>;

base::Result<PipelineReport> run(const Pipeline& pipeline, const Advance& advance);

// The moves of an entry that are against the rules. An impossible position makes them all so.
std::vector<shogi::Move> illegal_moves(const Entry& entry);

}  // namespace tsumugi::book::tool
