// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace tsumugi::search {

// Every number of the search that a tuner may move. Depths are in plies, margins in the unit of Value.
struct Parameters {
    int aspiration_window = 24;
    int aspiration_growth = 40;  // percent added to the window after each failure

    int razor_base = 281;
    int razor_slope = 183;        // per depth squared
    int improving_margin = 90;    // below beta, from which a position counts as one that improves
    int futility_max_depth = 11;  // reverse futility
    int futility_margin = 102;
    int futility_improving = 31;  // less margin when improving
    int futility_cut = 17;        // and where a cut is expected but the table knows nothing
    int null_base = 4;
    int null_depth_divisor = 3;
    int null_eval_divisor = 182;
    int null_eval_max = 4;
    int null_margin = 21;  // per depth, below which a null move is not tried
    int null_margin_base = 165;
    int null_verify_depth = 14;
    int probcut_margin = 192;
    int probcut_improving = 58;
    int probcut_depth = 4;
    int iir_depth = 5;
    int mate_three_depth = 99;  // from which a new position is tested for a mate in three plies

    int lmp_base = 3;  // late move pruning: moves before pruning at depth 0
    int capture_futility_base = 251;
    int capture_futility_slope = 251;
    int capture_see_slope = 168;
    int history_depth = 7045;  // history that changes by one the depth by which quiet moves are pruned
    int history_prune_slope = 4342;
    int history_prune_depth = 6;
    int quiet_futility_base = 144;
    int quiet_futility_slope = 64;
    int quiet_futility_depth = 10;
    int quiet_see_slope = 16;

    int singular_depth = 5;
    int singular_margin = 64;  // of 64 per depth
    int double_margin = 21;
    int triple_margin = 84;

    int lmr_base = 83;       // hundredths
    int lmr_divisor = 195;   // hundredths
    int lmr_history = 9911;  // history that changes the reduction by one
    int lmr_deeper = 40;
    int lmr_shallower = 8;
    // Changes of a reduction, in 1024ths of a ply.
    int lmr_window = 298;  // for a window as wide as the root's
    int lmr_not_improving = 338;
    int lmr_pv = 1211;
    int lmr_pv_window = 459;  // taken back where the window is open
    int lmr_count = 32;       // for every move before it
    int lmr_correction = 10;  // for every centipawn by which experience corrects the evaluation
    int lmr_cut = 1919;
    int lmr_cut_no_move = 876;  // besides, without a table move
    int lmr_table_capture = 982;
    int lmr_cutoffs = 805;  // when the position after the move was cut in several branches
    int lmr_check = 738;
    int lmr_table_move = 2482;
    int lmr_no_move = 1138;    // in positions that are searched in full,
    int lmr_full_less = 2817;  // where from this one a ply is left out
    // What is expected of a history.
    int lmr_quiet_history = 1761;
    int lmr_capture_history = 3397;

    int hindsight_margin = 101;

    int bonus_slope = 198;
    int bonus_offset = 31;
    int bonus_max = 2115;
    int malus_slope = 357;
    int malus_offset = 179;
    int malus_max = 1735;

    int bonus_table = 217;     // besides, when the table knew the best move
    int bonus_research = 596;  // for a move that was reduced and surprised
    int table_malus = 923;     // for one of the opponent's first moves when the table refutes it
    // In 1024ths of a bonus or malus:
    int refuted_malus = 355;     // for the opponent's main move when a search refutes it
    int fail_low_capture = 367;  // for the opponent's capture to which there was no answer
    int fail_low_pawn = 593;     // for his quiet move, among its pawns

    int low_ply_weight = 8;  // near the root, of what was good at this ply of this search

    int qs_futility = 120;
    int qs_see = -5;
    int qs_captures = 1;  // that are looked at when they are not recaptures
    int qs_quiet_checks = 1;
    int qs_policy_depth = 4;  // plies in which other policies than the standard one look at more than winning captures

    int correction_pawn = 123;  // percent weights of the correction histories
    int correction_castle = 37;
    int correction_continuation = 97;

    int surprise_slope = 3;  // how a change of the evaluation judges the quiet move that brought it
    int surprise_max = 2591;
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
