// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/layer_stack.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "eval/nnue/feature.hpp"

namespace tsumugi::eval::nnue {
namespace {

using shogi::Board;
using shogi::Color;
using shogi::Hand;
using shogi::Kind;
using shogi::Square;

struct HandChoice {
    LayerStacks::Hands hands;
    const char* name;
    std::size_t per_side;
};
constexpr std::array<HandChoice, 7> hand_choices{{
    {LayerStacks::Hands::none, "", 1},
    {LayerStacks::Hands::bishop4, "hand4", 2},
    {LayerStacks::Hands::pawn_bishop16, "hand16", 4},
    {LayerStacks::Hands::group64, "hand64", 8},
    {LayerStacks::Hands::points64, "hand64z", 8},
    {LayerStacks::Hands::group256, "hand256", 16},
    {LayerStacks::Hands::group1024, "hand1024", 32},
}};

struct ZoneChoice {
    LayerStacks::Zones zones;
    const char* name;
    const char* long_name;
    std::size_t per_side;
};
constexpr std::array<ZoneChoice, 7> zone_choices{{
    {LayerStacks::Zones::none, "", "", 1},
    {LayerStacks::Zones::third_rank9, "k3k3", "king3_by_king3", 3},
    {LayerStacks::Zones::rank81, "k9k9", "king9_by_king9", 9},
    {LayerStacks::Zones::zone81, "k9k9z", "", 9},
    {LayerStacks::Zones::zone169, "k13k13z", "", 13},
    {LayerStacks::Zones::zone441, "k21k21", "king21_by_king21", 21},
    {LayerStacks::Zones::zone841, "k29k29", "king29_by_king29", 29},
}};

const HandChoice& choice(LayerStacks::Hands hands) { return hand_choices[static_cast<std::size_t>(hands)]; }
const ZoneChoice& choice(LayerStacks::Zones zones) { return zone_choices[static_cast<std::size_t>(zones)]; }

std::size_t hand_class(LayerStacks::Hands hands, Hand hand) {
    using Hands = LayerStacks::Hands;
    const auto any = [hand](auto... kinds) { return (hand.has(kinds) || ...) ? 1U : 0U; };
    const auto count = [hand](Kind kind) { return static_cast<std::size_t>(hand.count(kind)); };
    switch (hands) {
        case Hands::none: return 0;
        case Hands::bishop4: return any(Kind::bishop);
        case Hands::pawn_bishop16: return any(Kind::pawn) | any(Kind::bishop) << 1;
        case Hands::group64:
            return any(Kind::pawn, Kind::lance, Kind::knight) | any(Kind::gold, Kind::silver, Kind::rook) << 1 |
                   any(Kind::bishop) << 2;
        case Hands::points64: {
            const std::size_t points = count(Kind::pawn) + 2 * (count(Kind::lance) + count(Kind::knight)) +
                                       3 * (count(Kind::silver) + count(Kind::gold)) +
                                       5 * (count(Kind::bishop) + count(Kind::rook));
            return std::min<std::size_t>((points + 3) / 4, 7);
        }
        case Hands::group256:
            return any(Kind::pawn, Kind::lance, Kind::knight) | any(Kind::silver, Kind::gold) << 1 |
                   any(Kind::bishop) << 2 | any(Kind::rook) << 3;
        case Hands::group1024:
            return any(Kind::pawn) | any(Kind::lance, Kind::knight) << 1 | any(Kind::silver, Kind::gold) << 2 |
                   any(Kind::bishop) << 3 | any(Kind::rook) << 4;
    }
    return 0;
}

// `king` as its owner sees it, ranks and files from 0.
std::size_t king_class(LayerStacks::Zones zones, Square king) {
    using Zones = LayerStacks::Zones;
    const auto rank = static_cast<std::size_t>(king.rank() - 1);
    const auto file = static_cast<std::size_t>(king.file() - 1);
    const std::size_t far = rank / 3;  // 0 and 1 in the enemy's camp and in the middle
    switch (zones) {
        case Zones::none: return 0;
        case Zones::third_rank9: return rank / 3;
        case Zones::rank81: return rank;
        case Zones::zone81: return rank < 6 ? far : rank == 6 ? 2 : 3 + (rank - 7) * 3 + file / 3;
        case Zones::zone169: return rank < 7 ? rank : 7 + (rank - 7) * 3 + file / 3;
        case Zones::zone441: return rank < 6 ? far : rank == 6 ? 2 : 3 + (rank - 7) * 9 + file;
        case Zones::zone841: return rank < 6 ? far : 2 + (rank - 6) * 9 + file;
    }
    return 0;
}

Square own_view(const Board& board, Color c) {
    const Square king = board.king(c).is_none() ? Square::at(5, 9) : board.king(c);
    return c == Color::black || board.king(c).is_none() ? king : king.rotated();
}

// The sum at which progress reaches i/256: the inverse of the logistic function, in units of 1/65536.
const std::array<std::int64_t, 255>& progress_thresholds() {
    static const auto thresholds = [] {
        std::array<std::int64_t, 255> table{};
        for (std::size_t i = 0; i < table.size(); ++i) {
            const double p = static_cast<double>(i + 1) / 256;
            table[i] = std::llround(std::log(p / (1 - p)) * 65536);
        }
        return table;
    }();
    return thresholds;
}

std::size_t progress_class(const Board& board, std::span<const std::int32_t> weights, std::size_t steps) {
    std::int64_t sum = weights[0];
    for (const Color viewer : shogi::both_colors) {
        const HalfKP::View view = HalfKP::view(board, viewer);
        int seen = 0;
        const auto add = [&](std::uint32_t number) {
            sum += weights[1 + number];
            ++seen;
        };
        board.all().for_each([&](Square s) { view.for_each_number(board.piece_at(s), s, add); });
        for (const Color owner : shogi::both_colors)
            for (const Kind kind : shogi::hand_kinds)
                for (int n = 0; n < board.hand(owner).count(kind); ++n)
                    add(view.in_hand(owner, kind, n));
        // Pieces missing from a full set count as number 0.
        sum += static_cast<std::int64_t>(38 - seen) * weights[1 + view.base];
    }
    const auto& thresholds = progress_thresholds();
    const auto reached = std::upper_bound(thresholds.begin(), thresholds.end(), sum) - thresholds.begin();
    return static_cast<std::size_t>(reached) * steps / 256;
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

// The words of a name, between underscores and other marks.
bool has_word(const std::string& name, std::string_view word) {
    const auto inner = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
        const bool starts = at == 0 || !inner(name[at - 1]);
        const std::size_t end = at + word.size();
        if (starts && (end == name.size() || !inner(name[end]))) return true;
    }
    return false;
}

}  // namespace

std::size_t LayerStacks::count() const {
    const std::size_t hand = choice(hands).per_side;
    const std::size_t king = choice(zones).per_side;
    return hand * hand * king * king * static_cast<std::size_t>(progress);
}

std::string LayerStacks::name() const {
    std::string result;
    const auto append = [&result](const std::string& part) {
        if (part.empty()) return;
        if (!result.empty()) result += '_';
        result += part;
    };
    append(choice(hands).name);
    append(choice(zones).name);
    if (progress > 1) append(fmt::format("progress{}", progress));
    return result;
}

LayerStacks LayerStacks::from_name(std::string_view name) {
    const std::string text = lower(name);
    LayerStacks stacks;
    for (const HandChoice& each : hand_choices)
        if (each.name[0] != '\0' && has_word(text, each.name)) stacks.hands = each.hands;
    for (const ZoneChoice& each : zone_choices) {
        if (each.name[0] != '\0' && has_word(text, each.name)) stacks.zones = each.zones;
        if (each.long_name[0] != '\0' && text.find(each.long_name) != std::string::npos) stacks.zones = each.zones;
    }
    for (const int steps : {2, 3, 4, 8, 16, 32})
        if (has_word(text, fmt::format("progress{}", steps))) stacks.progress = steps;
    return stacks;
}

std::optional<LayerStacks> LayerStacks::from_count(std::size_t count) {
    LayerStacks stacks;
    if (count == 1) return stacks;
    for (const ZoneChoice& each : zone_choices)
        if (each.zones != Zones::zone81 && each.per_side * each.per_side == count) {
            stacks.zones = each.zones;
            return stacks;
        }
    return std::nullopt;
}

std::size_t LayerStacks::select(const Board& board, std::span<const std::int32_t> progress_weights) const {
    const Color us = board.side_to_move();
    std::size_t result = 0;
    if (hands != Hands::none)
        result = hand_class(hands, board.hand(us)) * choice(hands).per_side + hand_class(hands, board.hand(~us));
    if (zones != Zones::none) {
        const std::size_t n = choice(zones).per_side;
        result = result * n * n + king_class(zones, own_view(board, us)) * n + king_class(zones, own_view(board, ~us));
    }
    if (progress > 1) {
        const auto steps = static_cast<std::size_t>(progress);
        result = result * steps + progress_class(board, progress_weights, steps);
    }
    return result;
}

}  // namespace tsumugi::eval::nnue
