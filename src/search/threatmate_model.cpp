// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/threatmate.hpp"

namespace tsumugi::search::threatmate {

// clang-format off
// Written by a program, and written again by the same command:
// tsumugi train threatmate wcsc28/ selfplay-100.usi d1.tsa --threats 6000 --from 30 --nodes 5000 --folds 10 --ridge 1 --seed 1
// Games: wcsc28/, selfplay-100.usi (SHA-256 596182ad5efd2880...), d1.tsa (SHA-256 076127fe175a106e...).
// 1184 games, 105457 moves asked about, 14622 unsettled; 6029 threats of mate and 12031 other moves.
// Cross-validated by game: accuracy 0.9255, true positive rate 0.8661, true negative rate 0.9553, area under the
// ROC curve 0.9779.
constinit const Model own_model{
    -2.425737,  // bias
    {
        1.144995,   // captured
        -0.130755,  // promotes
        -0.369866,  // drops
        -0.300363,  // pawn
        -0.209629,  // lance
        0.318363,   // knight
        -0.544209,  // silver
        -0.440861,  // gold
        -0.156866,  // bishop
        0.343308,   // rook
        1.197419,   // king
        0.390799,   // reached
        -0.525533,  // left
        -0.442467,  // distance
        -0.150342,  // approach
        0.455367,   // attacked
        0.895819,   // attacked twice
        0.141651,   // contacts
        -0.296360,  // escapes
        -0.343965,  // no escape
        -0.181855,  // guarded
        0.086258,   // bodyguards
        0.285932,   // besiegers
        0.134267,   // pawns held
        0.477519,   // lances held
        0.582567,   // knights held
        1.125514,   // silvers held
        1.465457,   // golds held
        0.616964,   // bishops held
        1.039412,   // rooks held
        -0.541786,  // rank
        -0.373142,  // edge
        0.320437,   // checks
        8.063251,   // mate in one
    },
};
// clang-format on

}  // namespace tsumugi::search::threatmate
