// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/result.hpp"
#include "record/packed_sfen.hpp"

namespace tsumugi::learn {

// A position to learn from. Millions of them stay in memory, so it is kept packed: unpacking takes a few percent of the
// time of a training step, lists of features would take several times the memory.
struct Sample {
    record::PackedSfen position;
    std::int16_t score = 0;   // of the side to move, in centipawns
    std::int8_t result = 0;   // for the side to move: 1, 0 or -1
    std::uint8_t played = 1;  // 0 when nobody played on from here: then there is no result to learn
};
static_assert(sizeof(Sample) == 36);

// What is left out of training. Of a file of positions without their games (PackedSfenValue) every rule applies whose
// data it holds.
struct SampleFilter {
    int min_ply = 8;          // plies of the game before the position
    int max_score = 3000;     // exclusive
    bool in_check = false;    // keep positions in check?
    bool captures = true;     // keep positions whose best move captures or promotes?
    double validation = 0;    // share of all games that is held out
    std::uint64_t limit = 0;  // positions to take at most; 0 is all
};

struct SampleSet {
    std::vector<Sample> training;
    std::vector<Sample> validation;
    std::uint64_t games = 0;  // none are known in files of positions
    std::uint64_t read = 0;   // positions before filtering
};

// Reads files of PackedSfenValue (named .psv or .bin) and archives of games (record/archive.hpp, any other name). Whole
// games go to one side of the split; a file of positions gives its last part. `report` is called now and then with the
// bytes read so far.
base::Result<SampleSet> load_samples(const std::vector<std::filesystem::path>& paths, const SampleFilter& filter,
                                     int threads, const std::function<void(std::uint64_t)>& report);

// Bytes of all files, for a display of progress.
std::uint64_t total_bytes(const std::vector<std::filesystem::path>& paths);

}  // namespace tsumugi::learn
