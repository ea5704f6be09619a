// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>

#include "base/isa.hpp"
#include "shogi/slider/file_lookup.hpp"
#include "shogi/slider/file_major_occupied.hpp"

namespace tsumugi::shogi::slider {

// The index by parallel bit extraction: the relevant bits of both words pushed together. The table has no gaps and no
// numbers have to be found.
class PextIndex {
public:
    PextIndex() = default;
    PextIndex(Layout layout, Movement movement, Square s)
        : mask_(words_of(layout, relevant_squares(movement, s))), low_bits_(std::popcount(mask_[0])) {}

    [[nodiscard]] int bits() const { return low_bits_ + std::popcount(mask_[1]); }
    std::size_t operator()(const Words& occupied) const {
        return extract(occupied[0], mask_[0]) | (extract(occupied[1], mask_[1]) << low_bits_);
    }

private:
    // A template, so that the instruction is not looked at where the compiler does not know it.
    template <typename Word>
    static Word extract(Word word, Word mask) {
        if constexpr (base::isa::has_bmi2) {
            return __builtin_ia32_pext_di(word, mask);
        } else {
            Word packed = 0;
            for (Word bit = 1; mask != 0; mask &= mask - 1, bit <<= 1)
                if ((word & mask & (~mask + 1)) != 0) packed |= bit;
            return packed;
        }
    }

    Words mask_{};
    int low_bits_ = 0;
};

struct Pext {
    static constexpr const char* name = "pext";
    using Occupied = FileMajorOccupied<PextIndex>;

    static Bitboard rook(Square s, const Occupied& o) { return o.rook(s); }
    static Bitboard bishop(Square s, const Occupied& o) { return o.bishop(s); }
    template <Color C>
    static Bitboard lance(Square s, const Occupied& o) {
        return FileLookup::forward<C>(s, o.board());
    }

    static std::size_t table_bytes() { return Occupied::table_bytes() + FileLookup::table_bytes(); }
};
template <>
inline constexpr bool is_native<Pext> = base::isa::has_bmi2;
static_assert(Method<Pext>);

}  // namespace tsumugi::shogi::slider
