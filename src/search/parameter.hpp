// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace tsumugi::search {

// Every number of the search that a tuner may move. Depths are in plies, margins in the unit of Value.
struct Parameters {
    int aspiration_window = 18;
    int aspiration_growth = 40;  // percent added to the window after each failure

    int razor_base = 330;
    int razor_slope = 220;        // per depth squared
    int futility_max_depth = 11;  // reverse futility
    int futility_margin = 95;
    int futility_improving = 40;  // less margin when improving
    int futility_cut = 15;        // and where a cut is expected but the table knows nothing
    int null_base = 4;
    int null_depth_divisor = 4;
    int null_eval_divisor = 190;
    int null_eval_max = 4;
    int null_margin = 18;  // per depth, below which a null move is not tried
    int null_margin_base = 200;
    int null_verify_depth = 14;
    int probcut_margin = 190;
    int probcut_improving = 50;
    int probcut_depth = 4;
    int iir_depth = 5;
    int mate_three_depth = 99;  // from which a new position is tested for a mate in three plies

    int lmp_base = 4;  // late move pruning: moves before pruning at depth 0
    int capture_futility_base = 220;
    int capture_futility_slope = 230;
    int capture_see_slope = 160;
    int history_prune_slope = 3700;
    int history_prune_depth = 6;
    int quiet_futility_base = 120;
    int quiet_futility_slope = 115;
    int quiet_futility_depth = 12;
    int quiet_see_slope = 24;

    int singular_depth = 6;
    int singular_margin = 56;  // of 64 per depth
    int double_margin = 18;
    int triple_margin = 110;

    int lmr_base = 52;       // hundredths
    int lmr_divisor = 196;   // hundredths
    int lmr_history = 9000;  // history that changes the reduction by one
    int lmr_deeper = 45;
    int lmr_shallower = 10;
    // Changes of a reduction, in 1024ths of a ply.
    int lmr_window = 512;  // for a window as wide as the root's
    int lmr_not_improving = 512;
    int lmr_pv = 1024;
    int lmr_cut = 1800;
    int lmr_cut_no_move = 900;  // besides, without a table move
    int lmr_table_capture = 1024;
    int lmr_cutoffs = 1024;  // when the position after the move was cut in several branches
    int lmr_check = 700;
    int lmr_table_move = 2048;
    int lmr_no_move = 1024;    // in positions that are searched in full,
    int lmr_full_less = 3500;  // where from this one a ply is left out
    // What is expected of a history.
    int lmr_quiet_history = 3000;
    int lmr_capture_history = 3500;

    int hindsight_margin = 170;

    int bonus_slope = 150;
    int bonus_offset = 60;
    int bonus_max = 1700;
    int malus_slope = 300;
    int malus_offset = 150;
    int malus_max = 1500;

    int qs_futility = 80;
    int qs_see = 0;
    int qs_captures = 3;  // that are looked at when they are not recaptures
    int qs_quiet_checks = 1;
    int qs_policy_depth = 4;  // plies in which other policies than the standard one look at more than winning captures

    int correction_pawn = 100;  // percent weights of the correction histories
    int correction_castle = 80;

    int surprise_slope = 10;  // how a change of the evaluation judges the quiet move that brought it
    int surprise_max = 1400;
};

// A parameter as a tuner sees it.
struct Tunable {
    std::string_view name;
    int Parameters::*member;
    int minimum;
    int maximum;
};

std::span<const Tunable> tunables();

}  // namespace tsumugi::search
