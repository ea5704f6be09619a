// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/sliders/finder_study.hpp"

#include <array>
#include <cstdlib>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "shogi/slider/magic_number.hpp"

namespace tsumugi::experiment::sliders {
namespace {

using shogi::Square;
using shogi::slider::Layout;
using shogi::slider::MagicFinder;
using shogi::slider::Movement;

constexpr double never = 1'000'001;
constexpr int most_ands = 6;

struct StudiedPiece {
    const char* name;
    Movement movement;
    Square square;
    // Yamamoto, Takeuchi, Kaneko and Tanaka, "Proposal and Implementation of Magic Bitboards in Shogi", table 3, by the
    // number of random words.
    std::array<double, most_ands> published;
};
constexpr std::array<StudiedPiece, 3> studied = {{
    {"rook 1i", Movement::rook, Square::at(1, 9), {never, 189'704, 11'288, 16'164, 867'446, never}},
    {"rook 5e", Movement::rook, Square::at(5, 5), {never, 116'971, 15'961, 41'504, 552'592, never}},
    {"bishop 5e", Movement::bishop, Square::at(5, 5), {never, 60'249, 7'898, 356'239, 872'409, never}},
}};

}  // namespace

std::vector<FinderCell> study_finder(std::uint64_t seed, int runs, std::uint64_t limit, base::Progress& progress) {
    std::vector<FinderCell> cells;
    base::Random seeds(seed);
    for (const Layout layout : {Layout::rank_major, Layout::file_major})
        for (const StudiedPiece& piece : studied) {
            MagicFinder finder(layout, piece.movement, piece.square);
            for (int ands = 1; ands <= most_ands; ++ands) {
                FinderCell cell{
                    layout, piece.name, ands, runs, 0, {}, piece.published[static_cast<std::size_t>(ands - 1)]};
                std::vector<double> tries;
                for (int run = 0; run < runs; ++run) {
                    const auto number = finder.find({seeds(), ands}, limit);
                    tries.push_back(static_cast<double>(number.value_or(limit) + 1));
                    if (number) ++cell.found;
                }
                cell.tries = Quartiles::of(tries);
                cells.push_back(cell);
                progress.add();
            }
        }
    return cells;
}

std::vector<FinderTotal> find_all_magics(base::Progress& progress) {
    std::vector<FinderTotal> totals;
    for (const Layout layout : {Layout::rank_major, Layout::file_major})
        for (const Movement movement : {Movement::rook, Movement::bishop, Movement::file}) {
            FinderTotal total{layout, movement};
            const base::Stopwatch watch;
            for (int i = 0; i < Square::count; ++i) {
                const Square s = Square::from_index(i);
                MagicFinder finder(layout, movement, s);
                const auto number = finder.find(magic_sequence(layout, movement, s), std::uint64_t{1} << 32);
                if (!number) continue;
                total.tries += *number + 1;
                if (*number == magic_number(layout, movement, s)) ++total.as_recorded;
            }
            total.seconds = watch.seconds();
            totals.push_back(total);
            progress.add();
        }
    return totals;
}

const char* name(Layout layout) {
    switch (layout) {
        case Layout::file_major: return "file-major";
        case Layout::rank_major: return "rank-major";
    }
    std::abort();  // unreachable: the switch names every value
}

const char* name(Movement movement) {
    switch (movement) {
        case Movement::rook: return "rook";
        case Movement::bishop: return "bishop";
        case Movement::file: return "file";
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace tsumugi::experiment::sliders
