// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "shogi/slider/layout.hpp"

namespace tsumugi::shogi::slider {

// The geometry of a board turned so that all lines of one direction lie in neighbouring bits, with the attacks along
// them. Three are needed beside the ordinary board, on which the files already lie so.
class TurnedBoard {
public:
    enum class Turn { ranks, rising, falling };

    explicit TurnedBoard(Turn turn);

    [[nodiscard]] const Words& mask(Square s) const { return masks_[s.slot()]; }
    [[nodiscard]] const Bitboard& look_up(Square s, const Words& occupied) const {
        const Line& line = lines_[s.slot()];
        return attacks_[line.first + ((occupied[line.word] >> line.shift) & line.inner)];
    }
    [[nodiscard]] std::size_t bytes() const {
        return sizeof(masks_) + sizeof(lines_) + attacks_.size() * sizeof(Bitboard);
    }

private:
    struct Line {
        std::uint32_t first = 0;  // in attacks_
        std::uint8_t word = 0;
        std::uint8_t shift = 0;  // of the second square of the line: the ends hide nothing
        std::uint8_t inner = 0;  // mask of what lies between the ends
    };

    std::array<Words, Square::count> masks_{};
    std::array<Line, Square::count> lines_{};
    std::vector<Bitboard> attacks_;
};

}  // namespace tsumugi::shogi::slider
