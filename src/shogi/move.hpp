// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/raw_array.hpp"
#include "shogi/piece.hpp"
#include "shogi/square.hpp"

namespace tsumugi::shogi {

// bits 0-6 destination, 7-13 origin square (or dropped kind), 14 promotion, 15 drop.
// Sixteen bits because the transposition table stores one per entry.
class Move {
public:
    constexpr Move() = default;  // no move: its origin and destination are the same square

    static constexpr Move board(Square from, Square to, bool promotes = false) {
        return Move(to.index() | from.index() << from_shift | (promotes ? promote_bit : 0));
    }
    static constexpr Move drop(Kind kind, Square to) {
        return Move(to.index() | static_cast<int>(kind) << from_shift | drop_bit);
    }
    static constexpr Move none() { return {}; }
    static constexpr Move from_bits(std::uint16_t bits) { return Move(bits); }

    [[nodiscard]] constexpr Square to() const { return Square::from_index(bits_ & square_mask); }
    [[nodiscard]] constexpr Square from() const { return Square::from_index(bits_ >> from_shift & square_mask); }
    [[nodiscard]] constexpr Kind dropped() const { return static_cast<Kind>(bits_ >> from_shift & square_mask); }
    [[nodiscard]] constexpr bool is_drop() const { return (bits_ & drop_bit) != 0; }
    [[nodiscard]] constexpr bool promotes() const { return (bits_ & promote_bit) != 0; }
    [[nodiscard]] constexpr bool is_none() const { return bits_ == 0; }
    [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }
    // Can the accessors above be used at all? False for bit patterns that name no square or kind.
    [[nodiscard]] constexpr bool is_well_formed() const {
        const int to = bits_ & square_mask;
        const int origin = bits_ >> from_shift & square_mask;
        if (to >= Square::count) return false;
        if (is_drop())
            return origin >= static_cast<int>(Kind::pawn) && origin <= static_cast<int>(Kind::gold) && !promotes();
        return origin < Square::count && origin != to;
    }

    constexpr auto operator<=>(const Move&) const = default;

private:
    static constexpr int from_shift = 7;
    static constexpr int square_mask = 127;
    static constexpr int promote_bit = 1 << 14;
    static constexpr int drop_bit = 1 << 15;

    explicit constexpr Move(int bits) : bits_(static_cast<std::uint16_t>(bits)) {}
    std::uint16_t bits_ = 0;
};

// Moves of one position, without allocation.
class MoveList {
public:
    // 593 legal moves are the known maximum; pseudo-legal lists (king steps into attacks) stay below the rest.
    static constexpr std::size_t capacity = 640;

    void add(Move m) {
        assert(size_ < capacity);
        moves_[size_++] = m;
    }
    void clear() { size_ = 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] Move operator[](std::size_t i) const { return moves_[i]; }
    [[nodiscard]] const Move* begin() const { return moves_.data(); }
    [[nodiscard]] const Move* end() const { return moves_.data() + size_; }
    [[nodiscard]] std::span<const Move> view() const { return {moves_.data(), size_}; }
    [[nodiscard]] bool contains(Move m) const {
        for (const Move each : *this)
            if (each == m) return true;
        return false;
    }

private:
    base::RawArray<Move, capacity> moves_;
    std::size_t size_ = 0;
};

}  // namespace tsumugi::shogi
