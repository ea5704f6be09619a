// SPDX-License-Identifier: GPL-3.0-or-later
#include "shogi/board.hpp"

#include <fmt/format.h>

namespace tsumugi::shogi {
namespace {

constexpr std::array<const char*, 9> kind_names{"",       "pawn", "lance", "knight", "silver",
                                                "bishop", "rook", "gold",  "king"};

const char* name_of(Color c) { return c == Color::black ? "black" : "white"; }

base::Error impossible(std::string message) { return {base::Error::Code::range, std::move(message)}; }

}  // namespace

Setup Board::setup() const {
    Setup setup;
    setup.board = squares_;
    setup.hands = hands_;
    setup.side_to_move = side_;
    setup.move_number = move_number_;
    return setup;
}

base::Result<void> Board::check(const Setup& setup) {
    std::array<int, 9> total{};
    std::array<int, 2> kings{};
    std::array<std::array<int, 10>, 2> pawns_on_file{};
    for (std::size_t i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        const Piece piece = setup.at(s);
        if (piece.is_none()) continue;
        const std::size_t side = index(piece.color());
        ++total[index(unpromoted(piece.kind()))];
        if (piece.kind() == Kind::king) ++kings[side];
        if (dead_end[side][index(piece.kind())].has(s))
            return impossible(fmt::format("a {} {} on {}{} could never move", name_of(piece.color()),
                                          kind_names[index(piece.kind())], s.file(),
                                          static_cast<char>('a' + s.rank() - 1)));
        if (piece.kind() == Kind::pawn && ++pawns_on_file[side][static_cast<std::size_t>(s.file())] > 1)
            return impossible(fmt::format("two {} pawns on file {}", name_of(piece.color()), s.file()));
    }
    for (const Color c : both_colors) {
        if (kings[index(c)] > 1) return impossible(fmt::format("{} {} kings", kings[index(c)], name_of(c)));
        for (const Kind k : hand_kinds)
            total[index(k)] += setup.hand(c).count(k);
    }
    if (kings[0] + kings[1] == 0) return impossible("no king: at least one side must have one");
    for (const Kind k : hand_kinds)
        if (total[index(k)] > full_set_count(k))
            return impossible(
                fmt::format("{} {}s, but a set has {}", total[index(k)], kind_names[index(k)], full_set_count(k)));
    return {};
}

}  // namespace tsumugi::shogi
