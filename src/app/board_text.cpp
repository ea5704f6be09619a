// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/board_text.hpp"

#include <fmt/format.h>

#include "record/notation.hpp"

namespace tsumugi::app {
namespace {

std::string hand_text(shogi::Hand hand) {
    std::string text;
    // The strongest first, as on a piece stand.
    for (auto kind = shogi::hand_kinds.rbegin(); kind != shogi::hand_kinds.rend(); ++kind) {
        const int count = hand.count(*kind);
        if (count == 0) continue;
        text.append(text.empty() ? "" : " ").append(record::kind_name(*kind));
        if (count > 1) text += std::to_string(count);
    }
    return text.empty() ? "なし" : text;
}

}  // namespace

std::string board_text(const shogi::Position& position) {
    const shogi::Move last = position.state().move;
    std::string text =
        fmt::format("△ {}\n   ９  ８  ７  ６  ５  ４  ３  ２  １\n", hand_text(position.hand(shogi::Color::white)));
    for (int rank = 1; rank <= 9; ++rank) {
        text += " ";
        for (int file = 9; file >= 1; --file) {
            const shogi::Square square = shogi::Square::at(file, rank);
            const shogi::Piece piece = position.piece_at(square);
            const char star = !last.is_none() && last.to() == square ? '*' : ' ';
            if (piece.is_none())
                text += " ・ ";
            else
                text += fmt::format("{}{}{}", piece.color() == shogi::Color::black ? ' ' : 'v',
                                    record::diagram_name(piece.kind()), star);
        }
        text += fmt::format(" {}\n", record::kanji_digit(rank));
    }
    return text + fmt::format("▲ {}\n", hand_text(position.hand(shogi::Color::black)));
}

std::string move_text(const shogi::Position& position, shogi::Move move) {
    const shogi::Move last = position.state().move;
    std::optional<shogi::Square> previous;
    if (!last.is_none()) previous = last.to();
    return std::string(record::color_mark(position.side_to_move())) +
           record::to_japanese(position.setup(), move, previous);
}

}  // namespace tsumugi::app
