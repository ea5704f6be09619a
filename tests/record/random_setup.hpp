// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "base/random.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::test {

constexpr std::string_view two_piece_handicap = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

// A full set strewn over board, hands and, when asked for, the box. Most such positions cannot be played; formats
// must carry them all the same.
inline shogi::Setup random_setup(base::Random& random, bool with_box) {
    shogi::Setup setup;
    setup.side_to_move = shogi::both_colors[random.below(2)];
    const auto place = [&](shogi::Piece piece) {
        for (;;) {
            const auto square = shogi::Square::from_index(static_cast<int>(random.below(shogi::Square::count)));
            if (!setup.at(square).is_none()) continue;
            setup.put(square, piece);
            return;
        }
    };
    for (const shogi::Color color : shogi::both_colors)
        place(shogi::Piece(color, shogi::Kind::king));
    for (const shogi::Kind kind : shogi::hand_kinds)
        for (int n = shogi::full_set_count(kind); n > 0; --n) {
            const shogi::Color color = shogi::both_colors[random.below(2)];
            const auto where = random.below(with_box ? 4 : 3);
            if (where == 3) continue;
            if (where == 2)
                setup.hand(color).add(kind);
            else
                place(
                    shogi::Piece(color, shogi::can_promote(kind) && random.chance(0.3) ? shogi::promoted(kind) : kind));
        }
    return setup;
}

}  // namespace tsumugi::test
