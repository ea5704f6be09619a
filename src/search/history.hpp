// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "search/value.hpp"
#include "shogi/position.hpp"

namespace tsumugi::search {

// A number that is pulled towards +limit or -limit by every bonus, the less the nearer it already is.
template <int limit>
class Gauge {
public:
    void update(int bonus) {
        bonus = std::clamp(bonus, -limit, limit);
        value_ = static_cast<std::int16_t>(value_ + bonus - value_ * std::abs(bonus) / limit);
    }
    void set(int v) { value_ = static_cast<std::int16_t>(v); }
    operator int() const { return value_; }

private:
    std::int16_t value_ = 0;
};

// Sets all gauges of a table. Whole rows are copied at a time: the tables are large, and new for every game.
template <int limit>
void fill(Gauge<limit>& gauge, int value) {
    gauge.set(value);
}
template <typename Row, std::size_t rows>
void fill(std::array<Row, rows>& table, int value) {
    fill(table[0], value);
    std::fill(table.begin() + 1, table.end(), table[0]);
}

constexpr std::size_t origins = shogi::Square::count + 8;  // squares, then kinds in hand
inline std::size_t origin_slot(shogi::Move m) {
    return m.is_drop() ? static_cast<std::size_t>(shogi::Square::count) + shogi::index(m.dropped()) : m.from().slot();
}

// The piece as it will stand on its destination.
template <typename P>
shogi::Piece piece_after(const P& position, shogi::Move m) {
    const shogi::Piece piece = position.piece_to_move(m);
    return m.promotes() ? shogi::Piece(piece.color(), shogi::promoted(piece.kind())) : piece;
}

// What a move puts on its destination: one of the kinds of pieces, dropped ones apart from those that were moved
// there, because they mean different things.
constexpr std::size_t mover_slots = 2 * (14 + 7);
inline std::size_t mover_slot(shogi::Color side, shogi::Kind kind, bool dropped) {
    return shogi::index(side) * (mover_slots / 2) + shogi::index(kind) - 1 + (dropped ? 14 : 0);
}
template <typename P>
std::size_t mover_slot(const P& position, shogi::Move m) {
    const shogi::Piece piece = piece_after(position, m);
    return mover_slot(piece.color(), piece.kind(), m.is_drop());
}

// How often a quiet move was good, by side, origin and destination.
using ButterflyHistory = std::array<std::array<std::array<Gauge<7183>, shogi::Square::count>, origins>, 2>;
// The same by ply, near the root: it soon knows the moves of the present search.
constexpr int low_plies = 5;
using LowPlyHistory = std::array<ButterflyHistory::value_type, low_plies>;
// How often a capture was good, by piece, destination and what was captured.
using CaptureHistory =
    std::array<std::array<std::array<Gauge<10692>, shogi::kind_slots>, shogi::Square::count>, shogi::Piece::slots>;
// How good a move (mover and destination) was after another.
using MoverToHistory = std::array<std::array<Gauge<30000>, shogi::Square::count>, mover_slots>;
using ContinuationHistory = std::array<std::array<MoverToHistory, shogi::Square::count>, mover_slots>;

// How good a quiet move was among pawns that stand like this.
constexpr std::size_t pawn_slots = 512;
using PawnHistory = std::array<std::array<std::array<Gauge<8192>, shogi::Square::count>, mover_slots>, pawn_slots>;

// By how much search disagrees with the evaluation in positions that share some structure.
class CorrectionHistory {
public:
    static constexpr int limit = 1024;

    Gauge<limit>& entry(shogi::Color side, std::uint64_t structure) {
        return table_[shogi::index(side)][structure & (size - 1)];
    }
    void clear() { table_ = {}; }

private:
    static constexpr std::size_t size = 16384;
    std::array<std::array<Gauge<limit>, size>, 2> table_{};
};

// Hashes of parts of a position for the correction histories.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t h = (a ^ 0x2545F4914F6CDD1DU) * 0x9E3779B97F4A7C15U + b * 0xD6E8FEB86659FD93U;
    return (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9U >> 20;
}
inline std::uint64_t pawn_structure(const shogi::Board& b) {
    const auto black = b.pieces(shogi::Color::black, shogi::Kind::pawn);
    const auto white = b.pieces(shogi::Color::white, shogi::Kind::pawn);
    return mix(black.low() ^ white.low() * 3, black.high() ^ white.high() << 20);
}
// The king's square and which of its neighbours hold generals.
inline std::uint64_t castle_structure(const shogi::Board& b, shogi::Color c) {
    const shogi::Square king = b.king(c);
    if (king.is_none()) return 0;
    const shogi::Bitboard zone = shogi::king_steps(king) & b.pieces(c);
    const shogi::Bitboard golds = zone & b.golds();
    const shogi::Bitboard silvers = zone & b.pieces(shogi::Kind::silver);
    const shogi::Bitboard others = zone & b.pieces(shogi::Kind::pawn);
    return mix(golds.low() ^ silvers.low() * 5 ^ others.low() * 11, golds.high() ^ silvers.high() << 18 ^
                                                                        others.high() << 36 ^
                                                                        static_cast<std::uint64_t>(king.index()) << 56);
}

// Everything one search thread learns about moves. Large: allocate on the heap.
struct Histories {
    ButterflyHistory butterfly;
    LowPlyHistory low_ply;  // of the present search alone, which empties it when it begins
    CaptureHistory capture;
    ContinuationHistory continuation;
    PawnHistory pawn;
    CorrectionHistory pawn_correction;
    std::array<CorrectionHistory, 2> castle_correction;
    CorrectionHistory continuation_correction;  // by the last two moves

    void clear() {
        fill(butterfly, 0);
        fill(capture, -500);
        fill(continuation, -300);
        fill(pawn, -600);
        pawn_correction.clear();
        continuation_correction.clear();
        for (auto& correction : castle_correction)
            correction.clear();
    }
};

// What was good among the pawns of this position.
template <typename H>
auto& pawns_of(const shogi::Board& board, H& histories) {
    return histories.pawn[pawn_structure(board) % pawn_slots];
}

}  // namespace tsumugi::search
