// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation_table.hpp"

#include <fmt/format.h>

#include "record/notation.hpp"

namespace tsumugi::app {
namespace {

int static_score(const eval::Evaluator& evaluator, const shogi::Board& board) {
    const auto evaluation = evaluator.start();
    evaluation->reset(board);
    return evaluation->evaluate(board);
}

// What the setup without something is worth, if it is a position at all (the king might be left in check).
std::string difference(const eval::Evaluator& evaluator, int whole, const shogi::Setup& without) {
    const auto position = shogi::Position::from(without);
    return position ? fmt::format("{:+d}", whole - static_score(evaluator, *position)) : "?";
}

std::string hand_row(const eval::Evaluator& evaluator, const shogi::Setup& setup, int whole, shogi::Color color) {
    std::string row;
    for (const shogi::Kind kind : shogi::hand_kinds) {
        const int count = setup.hand(color).count(kind);
        if (count == 0) continue;
        shogi::Setup without = setup;
        without.hand(color).remove(kind);
        row += fmt::format(" {} {} x{}", record::diagram_name(kind), difference(evaluator, whole, without), count);
    }
    return fmt::format("{} in hand:{}\n", color == shogi::Color::black ? "Black" : "White", row.empty() ? " -" : row);
}

}  // namespace

std::string evaluation_table(const eval::Evaluator& evaluator, const shogi::Position& position) {
    if (position.king(shogi::Color::black).is_none() || position.king(shogi::Color::white).is_none())
        return "a position without both kings has no evaluation";
    const shogi::Setup setup = position.setup();
    const int whole = static_score(evaluator, position);
    std::string text = evaluator.description() + "\n" + hand_row(evaluator, setup, whole, shogi::Color::white);
    for (int rank = 1; rank <= 9; ++rank) {
        for (int file = 9; file >= 1; --file) {
            const shogi::Square square = shogi::Square::at(file, rank);
            const shogi::Piece piece = setup.at(square);
            if (piece.is_none()) {
                text += "   ・     ";
                continue;
            }
            shogi::Setup without = setup;
            without.put(square, shogi::Piece());
            const std::string worth = piece.kind() == shogi::Kind::king ? "" : difference(evaluator, whole, without);
            text += fmt::format("{}{}{:<6} ", piece.color() == shogi::Color::black ? ' ' : 'v',
                                record::diagram_name(piece.kind()), worth);
        }
        text += "\n";
    }
    text += hand_row(evaluator, setup, whole, shogi::Color::black);
    return text + fmt::format("score {} for the side to move ({})", whole,
                              position.side_to_move() == shogi::Color::black ? "Black" : "White");
}

}  // namespace tsumugi::app
