// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>

#include "shogi/bitboard.hpp"

namespace tsumugi::shogi::slider {

// What a method that computes the attacks of lance, bishop and rook must offer. `Occupied` is whatever the
// method needs to know of the occupied squares: a Bitboard for most, several turned boards for the rotated
// ones. The position owns one and toggles squares in it as pieces come and go; `board()` gives it back as a
// plain set. Results are always in the ordinary (file by file) layout.
template <typename M>
concept Method = requires(Square s, typename M::Occupied& occupied, const typename M::Occupied& view) {
    { M::name } -> std::convertible_to<const char*>;
    {typename M::Occupied{}};
    { occupied.toggle(s) } -> std::same_as<void>;
    { view.board() } -> std::convertible_to<const Bitboard&>;
    { M::rook(s, view) } -> std::same_as<Bitboard>;
    { M::bishop(s, view) } -> std::same_as<Bitboard>;
    { M::template lance<Color::black>(s, view) } -> std::same_as<Bitboard>;
    { M::template lance<Color::white>(s, view) } -> std::same_as<Bitboard>;
    { M::table_bytes() } -> std::same_as<std::size_t>;
};

// Whether the instructions a method is made for are really there. Without them it still gives the right sets by
// slower means, but there is no point in offering it.
template <typename M>
constexpr bool is_native = true;

// The occupied squares for every method that needs only the ordinary board.
class PlainOccupied {
public:
    constexpr void toggle(Square s) { board_ ^= Bitboard::of(s); }
    [[nodiscard]] constexpr const Bitboard& board() const { return board_; }

private:
    Bitboard board_;
};

}  // namespace tsumugi::shogi::slider
