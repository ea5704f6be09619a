// SPDX-License-Identifier: GPL-3.0-or-later
#include "shogi/slider/turned_board.hpp"

#include "shogi/slider/ray_walk.hpp"

namespace tsumugi::shogi::slider {

TurnedBoard::TurnedBoard(Turn turn) {
    const int rank_step = turn == Turn::ranks ? 0 : turn == Turn::rising ? -1 : 1;
    const auto on_board = [](int rank) { return rank >= 1 && rank <= 9; };
    Place next;
    // Every line starts where one step back would leave the board.
    for (int i = 0; i < Square::count; ++i) {
        const Square start = Square::from_index(i);
        if (start.file() != 1 && on_board(start.rank() - rank_step)) continue;
        std::vector<Square> line;
        for (int file = start.file(), rank = start.rank(); file <= 9 && on_board(rank); ++file, rank += rank_step)
            line.push_back(Square::at(file, rank));
        if (next.bit + line.size() > 64) next = {1, 0};
        const std::size_t inner = line.size() > 2 ? (std::size_t{1} << (line.size() - 2)) - 1 : 0;
        for (std::size_t n = 0; n < line.size(); ++n) {
            const Square s = line[n];
            masks_[s.slot()] = Place{next.word, static_cast<std::uint8_t>(next.bit + n)}.mask();
            lines_[s.slot()] = {static_cast<std::uint32_t>(attacks_.size()), next.word,
                                static_cast<std::uint8_t>(next.bit + (inner != 0 ? 1 : 0)),
                                static_cast<std::uint8_t>(inner)};
            for (std::size_t pattern = 0; pattern <= inner; ++pattern) {
                Bitboard occupied;
                for (std::size_t k = 1; k + 1 < line.size(); ++k)
                    if (((pattern >> (k - 1)) & 1) != 0) occupied |= Bitboard::of(line[k]);
                attacks_.push_back(walk(s, 1, rank_step, occupied) | walk(s, -1, -rank_step, occupied));
            }
        }
        next.bit = static_cast<std::uint8_t>(next.bit + line.size());
    }
}

}  // namespace tsumugi::shogi::slider
