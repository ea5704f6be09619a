// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "shogi/color.hpp"

namespace tsumugi::shogi {

// The fourteen kinds of piece. Promotion adds 8; gold and king have no promoted form.
enum class Kind : std::uint8_t {
    none = 0,
    pawn,
    lance,
    knight,
    silver,
    bishop,
    rook,
    gold,
    king,
    pro_pawn,
    pro_lance,
    pro_knight,
    pro_silver,
    horse,
    dragon,
};

constexpr std::size_t kind_slots = 15;  // a table indexed by Kind, `none` included

constexpr std::array<Kind, 14> all_kinds{
    Kind::pawn, Kind::lance,    Kind::knight,    Kind::silver,     Kind::bishop,     Kind::rook,  Kind::gold,
    Kind::king, Kind::pro_pawn, Kind::pro_lance, Kind::pro_knight, Kind::pro_silver, Kind::horse, Kind::dragon};

// The seven kinds a player can hold in hand.
constexpr std::array<Kind, 7> hand_kinds{Kind::pawn,   Kind::lance, Kind::knight, Kind::silver,
                                         Kind::bishop, Kind::rook,  Kind::gold};

constexpr std::size_t index(Kind k) { return static_cast<std::size_t>(k); }
constexpr bool is_promoted(Kind k) { return index(k) > index(Kind::king); }
constexpr bool can_promote(Kind k) { return k >= Kind::pawn && k <= Kind::rook; }
constexpr Kind promoted(Kind k) {
    assert(can_promote(k));
    return static_cast<Kind>(index(k) + 8);
}
// The kind a captured piece becomes in hand.
constexpr Kind unpromoted(Kind k) { return is_promoted(k) ? static_cast<Kind>(index(k) - 8) : k; }
// Pieces that move like a gold: gold and the promoted small pieces.
constexpr bool moves_like_gold(Kind k) { return k == Kind::gold || (k >= Kind::pro_pawn && k <= Kind::pro_silver); }

// How many of a kind a full set holds (promoted or not), both sides together.
constexpr int full_set_count(Kind k) {
    switch (unpromoted(k)) {
        case Kind::pawn: return 18;
        case Kind::lance:
        case Kind::knight:
        case Kind::silver:
        case Kind::gold: return 4;
        case Kind::bishop:
        case Kind::rook:
        case Kind::king: return 2;
        default: return 0;
    }
}

// A kind with an owner, or no piece. Bits 0-3 kind, bit 4 set for White: small enough for a byte board and
// usable as a table index below 32.
class Piece {
public:
    static constexpr std::size_t slots = 32;

    constexpr Piece() = default;
    constexpr Piece(Color c, Kind k)
        : value_(static_cast<std::uint8_t>(static_cast<int>(k) | static_cast<int>(c) << 4)) {}

    [[nodiscard]] constexpr bool is_none() const { return value_ == 0; }
    [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(value_ & 15); }
    [[nodiscard]] constexpr Color color() const { return static_cast<Color>(value_ >> 4); }
    [[nodiscard]] constexpr std::size_t slot() const { return value_; }

    constexpr auto operator<=>(const Piece&) const = default;

private:
    std::uint8_t value_ = 0;
};

}  // namespace tsumugi::shogi
