// SPDX-License-Identifier: GPL-3.0-or-later
#include "shogi/setup.hpp"

namespace tsumugi::shogi {

Setup Setup::even() {
    constexpr std::array<Kind, 9> back{Kind::lance, Kind::knight, Kind::silver, Kind::gold, Kind::king,
                                       Kind::gold,  Kind::silver, Kind::knight, Kind::lance};
    Setup setup;
    for (int file = 1; file <= 9; ++file) {
        const Kind kind = back[static_cast<std::size_t>(file - 1)];
        setup.put(Square::at(file, 9), Piece(Color::black, kind));
        setup.put(Square::at(file, 7), Piece(Color::black, Kind::pawn));
        setup.put(Square::at(file, 1), Piece(Color::white, kind));
        setup.put(Square::at(file, 3), Piece(Color::white, Kind::pawn));
    }
    setup.put(Square::at(8, 8), Piece(Color::black, Kind::bishop));
    setup.put(Square::at(2, 8), Piece(Color::black, Kind::rook));
    setup.put(Square::at(2, 2), Piece(Color::white, Kind::bishop));
    setup.put(Square::at(8, 2), Piece(Color::white, Kind::rook));
    return setup;
}

}  // namespace tsumugi::shogi
