// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/input.hpp"

#include <array>
#include <cstdlib>
#include <limits>

#include "eval/nnue/attack_count.hpp"
#include "eval/nnue/feature.hpp"

namespace tsumugi::learn {
namespace {

using eval::nnue::AttackCounts;
using eval::nnue::Feature;
using shogi::Color;
using shogi::Kind;
using shogi::Piece;
using shogi::Square;

constexpr std::size_t full_set = 38;  // without kings

// The pieces on the board in a list, which both players then go through.
class PieceList {
public:
    struct Item {
        Piece piece;
        Square square;     // where it is seen
        std::size_t from;  // where it stands, if that is not mirrored
    };

    PieceList(const shogi::Setup& setup, bool mirrored) {
        for (std::size_t i = 0; i < Square::count; ++i) {
            const Piece piece = setup.board[i];
            if (piece.is_none()) continue;
            const Square seen = Square::from_index(std::size_t{eval::nnue::seen_square[0][mirrored ? 1 : 0][i]});
            items_[size_++] = {piece, seen, i};
            if (piece.kind() == Kind::king) kings_[index(piece.color())] = seen;
        }
    }

    [[nodiscard]] Square king(Color c) const { return kings_[index(c)]; }
    [[nodiscard]] const Item* begin() const { return items_.data(); }
    [[nodiscard]] const Item* end() const { return items_.data() + size_; }

private:
    std::array<Item, Square::count> items_;
    std::size_t size_ = 0;
    std::array<Square, 2> kings_{Square::none(), Square::none()};
};

template <typename Set>
constexpr std::size_t active_rows = Set::stride == eval::nnue::P::stride     ? full_set
                                    : Set::stride == eval::nnue::KA2::stride ? full_set + 4
                                                                             : full_set + 2;

template <typename Set>
void read_view(const PieceList& pieces, const shogi::Setup& setup, const AttackCounts& attacks, Color viewer,
               InputView& out) {
    const auto view = Set::view(pieces, viewer);
    out.block = static_cast<std::uint16_t>(view.base / Set::stride);
    std::uint16_t* to = out.rows;
    std::uint16_t* const end = to + active_rows<Set>;
    std::size_t first = 0;  // row of the class
    const auto add = [&](std::uint32_t number) {
        if (to != end) *to++ = static_cast<std::uint16_t>(first + number - view.base);
    };
    for (const PieceList::Item& item : pieces) {
        if constexpr (Set::counts_attacks)
            first = eval::nnue::attack_class(attacks, viewer, item.from) * std::size_t{Set::stride};
        view.for_each_number(item.piece, item.square, add);
    }
    first = 0;
    for (const Color owner : shogi::both_colors) {
        const shogi::Hand hand = setup.hand(owner);
        if (hand.empty()) continue;
        for (const Kind kind : shogi::hand_kinds)
            for (int n = 0; n < hand.count(kind); ++n)
                add(view.in_hand(owner, kind, n));
    }
    while (to != end)
        *to++ = 0;
}

template <typename Set>
void read_both(const shogi::Setup& setup, bool mirrored, InputView& own, InputView& other) {
    const PieceList pieces(setup, mirrored);
    AttackCounts attacks;
    if constexpr (Set::counts_attacks) attacks = eval::nnue::count_attacks(setup);
    read_view<Set>(pieces, setup, attacks, setup.side_to_move, own);
    read_view<Set>(pieces, setup, attacks, ~setup.side_to_move, other);
}

struct Entry {
    InputShape shape;
    InputReader reader;
};

template <typename Set>
Entry entry() {
    static_assert(Set::stride * Set::attack_classes <= std::numeric_limits<std::uint16_t>::max());
    return {{Set::stride * Set::attack_classes, Set::blocks, active_rows<Set>, Set::attack_classes}, read_both<Set>};
}

Entry find(Feature feature) {
    using namespace eval::nnue;
    switch (feature) {
        case Feature::p: return entry<P>();
        case Feature::kp: return entry<KP>();
        case Feature::kp_hm: return entry<KPhm>();
        case Feature::ka2: return entry<KA2>();
        case Feature::half_kp: return entry<HalfKP>();
        case Feature::half_kp_vm: return entry<HalfKPvm>();
        case Feature::half_kpe9: return entry<HalfKPE9>();
        case Feature::half_kpk_file: return entry<HalfKPKfile>();
        case Feature::half_kpk_rank: return entry<HalfKPKrank>();
        case Feature::half_ka1: return entry<HalfKA1>();
        case Feature::half_ka2: return entry<HalfKA2>();
        case Feature::half_ka_hm1: return entry<HalfKAhm1>();
        case Feature::half_ka_hm2: return entry<HalfKAhm2>();
    }
    std::abort();  // unreachable: the switch names every value
}

// Two ranks next to the own edge, where kings live, square by square; the ranks before them one by one; the rest of the
// board in two parts, so that a king on its way into the opponent's camp is told from one that has arrived.
std::size_t zone_of(std::size_t file, std::size_t rank, std::size_t files) {
    if (rank >= 7) return 4 + (rank - 7) * files + file;
    if (rank >= 5) return rank - 3;
    return rank >= 3 ? 1 : 0;
}

}  // namespace

InputShape input_shape(Feature feature) { return find(feature).shape; }

InputReader input_reader(Feature feature) { return find(feature).reader; }

BucketMap bucket_map(const InputShape& shape, KingBuckets buckets) {
    BucketMap map;
    map.count = 0;
    const std::size_t files = shape.blocks / 9;
    for (std::size_t block = 0; block < shape.blocks; ++block) {
        std::size_t bucket = block;
        if (buckets == KingBuckets::rank) bucket = block % 9;
        if (buckets == KingBuckets::zone) bucket = zone_of(block / 9, block % 9, files);
        map.bucket_of.push_back(static_cast<std::uint16_t>(bucket));
        map.count = std::max(map.count, bucket + 1);
    }
    return map;
}

}  // namespace tsumugi::learn
