// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/parameter.hpp"

#include <array>

namespace tsumugi::search {
namespace {

using P = Parameters;

constexpr auto table = std::to_array<Tunable>({
    {"AspirationWindow", &P::aspiration_window, 5, 60},
    {"AspirationGrowth", &P::aspiration_growth, 10, 150},
    {"RazorBase", &P::razor_base, 100, 800},
    {"RazorSlope", &P::razor_slope, 50, 500},
    {"FutilityMaxDepth", &P::futility_max_depth, 4, 16},
    {"FutilityMargin", &P::futility_margin, 30, 200},
    {"FutilityImproving", &P::futility_improving, 0, 120},
    {"FutilityCut", &P::futility_cut, 0, 50},
    {"NullBase", &P::null_base, 2, 7},
    {"NullDepthDivisor", &P::null_depth_divisor, 2, 6},
    {"NullEvalDivisor", &P::null_eval_divisor, 80, 400},
    {"NullEvalMax", &P::null_eval_max, 0, 8},
    {"NullMargin", &P::null_margin, 5, 40},
    {"NullMarginBase", &P::null_margin_base, 50, 400},
    {"NullVerifyDepth", &P::null_verify_depth, 8, 30},
    {"ProbcutMargin", &P::probcut_margin, 80, 400},
    {"ProbcutImproving", &P::probcut_improving, 0, 120},
    {"ProbcutDepth", &P::probcut_depth, 3, 8},
    {"IirDepth", &P::iir_depth, 2, 10},
    {"MateThreeDepth", &P::mate_three_depth, 1, 99},
    {"LmpBase", &P::lmp_base, 1, 12},
    {"CaptureFutilityBase", &P::capture_futility_base, 50, 500},
    {"CaptureFutilitySlope", &P::capture_futility_slope, 80, 500},
    {"CaptureSeeSlope", &P::capture_see_slope, 50, 350},
    {"HistoryPruneSlope", &P::history_prune_slope, 1000, 8000},
    {"HistoryPruneDepth", &P::history_prune_depth, 2, 12},
    {"QuietFutilityBase", &P::quiet_futility_base, 0, 300},
    {"QuietFutilitySlope", &P::quiet_futility_slope, 40, 250},
    {"QuietFutilityDepth", &P::quiet_futility_depth, 4, 16},
    {"QuietSeeSlope", &P::quiet_see_slope, 5, 60},
    {"SingularDepth", &P::singular_depth, 4, 10},
    {"SingularMargin", &P::singular_margin, 20, 150},
    {"DoubleMargin", &P::double_margin, 0, 80},
    {"TripleMargin", &P::triple_margin, 30, 300},
    {"LmrBase", &P::lmr_base, 0, 150},
    {"LmrDivisor", &P::lmr_divisor, 120, 320},
    {"LmrHistory", &P::lmr_history, 4000, 18000},
    {"LmrDeeper", &P::lmr_deeper, 10, 120},
    {"LmrShallower", &P::lmr_shallower, 0, 40},
    {"LmrWindow", &P::lmr_window, 0, 1500},
    {"LmrNotImproving", &P::lmr_not_improving, 0, 1500},
    {"LmrPv", &P::lmr_pv, 0, 2500},
    {"LmrCut", &P::lmr_cut, 500, 3500},
    {"LmrCutNoMove", &P::lmr_cut_no_move, 0, 2000},
    {"LmrTableCapture", &P::lmr_table_capture, 0, 2000},
    {"LmrCutoffs", &P::lmr_cutoffs, 0, 2000},
    {"LmrCheck", &P::lmr_check, 0, 2000},
    {"LmrTableMove", &P::lmr_table_move, 0, 3500},
    {"LmrNoMove", &P::lmr_no_move, 0, 2500},
    {"LmrFullLess", &P::lmr_full_less, 1500, 6000},
    {"LmrQuietHistory", &P::lmr_quiet_history, 0, 8000},
    {"LmrCaptureHistory", &P::lmr_capture_history, 0, 8000},
    {"HindsightMargin", &P::hindsight_margin, 50, 400},
    {"BonusSlope", &P::bonus_slope, 50, 400},
    {"BonusOffset", &P::bonus_offset, 0, 300},
    {"BonusMax", &P::bonus_max, 500, 4000},
    {"MalusSlope", &P::malus_slope, 50, 800},
    {"MalusOffset", &P::malus_offset, 0, 400},
    {"MalusMax", &P::malus_max, 500, 4000},
    {"QsFutility", &P::qs_futility, 0, 500},
    {"QsSee", &P::qs_see, -300, 100},
    {"QsCaptures", &P::qs_captures, 1, 8},
    {"QsQuietChecks", &P::qs_quiet_checks, 0, 3},
    {"QsPolicyDepth", &P::qs_policy_depth, 0, 8},
    {"CorrectionPawn", &P::correction_pawn, 0, 300},
    {"CorrectionCastle", &P::correction_castle, 0, 300},
    {"SurpriseSlope", &P::surprise_slope, 0, 30},
    {"SurpriseMax", &P::surprise_max, 300, 4000},
});

}  // namespace

std::span<const Tunable> tunables() { return table; }

}  // namespace tsumugi::search
