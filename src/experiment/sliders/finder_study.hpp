// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.hpp"
#include "experiment/sliders/quartile.hpp"
#include "shogi/slider/magic_finder.hpp"

namespace tsumugi::experiment::sliders {

// How long magics take to find: candidates tried until the first that works.
struct FinderCell {
    shogi::slider::Layout layout{};
    const char* piece = "";
    int ands = 0;
    int runs = 0;
    int found = 0;
    Quartiles tries;       // a run that found nothing counts as limit + 1
    double published = 0;  // from the paper; 1,000,001 where nothing was found within its limit of 1,000,000
};
// Rook on 1i and 5e and bishop on 5e, candidates of one to six random words, both layouts.
constexpr int finder_cells = 2 * 3 * 6;
std::vector<FinderCell> study_finder(std::uint64_t seed, int runs, std::uint64_t limit, base::Progress& progress);

struct FinderTotal {
    shogi::slider::Layout layout{};
    shogi::slider::Movement movement{};
    std::uint64_t tries = 0;
    double seconds = 0;
    int as_recorded = 0;  // squares whose magic is the one the program uses
};
// Every square, from the sequences the program's own magics come from.
constexpr int finder_totals = 2 * 3;
std::vector<FinderTotal> find_all_magics(base::Progress& progress);

const char* name(shogi::slider::Layout layout);
const char* name(shogi::slider::Movement movement);

}  // namespace tsumugi::experiment::sliders
