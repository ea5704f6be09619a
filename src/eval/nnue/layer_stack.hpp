// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "shogi/board.hpp"

namespace tsumugi::eval::nnue {

// Some networks hold several layer stacks and choose one by the pieces in hand, the places of the kings and how far
// the game has progressed, in this order of significance. The side to move comes first in each pair.
struct LayerStacks {
    enum class Hands { none, bishop4, pawn_bishop16, group64, points64, group256, group1024 };
    enum class Zones { none, third_rank9, rank81, zone81, zone169, zone441, zone841 };

    Hands hands = Hands::none;
    Zones zones = Zones::none;
    int progress = 1;  // steps

    [[nodiscard]] std::size_t count() const;
    // "hand64_k3k3_progress8", or empty for a single stack.
    [[nodiscard]] std::string name() const;
    // Reads the parts it knows out of a name such as "SFNN_HALFKA2_1024_7_64_K3K3".
    static LayerStacks from_name(std::string_view name);
    // The usual meaning of a number of stacks that no name explains.
    static std::optional<LayerStacks> from_count(std::size_t count);

    // `progress_weights`: a bias and [81][1548] weights in units of 1/65536; only read when progress > 1.
    [[nodiscard]] std::size_t select(const shogi::Board& board, std::span<const std::int32_t> progress_weights) const;

    bool operator==(const LayerStacks&) const = default;
};

constexpr std::size_t progress_parameters = 1 + 81 * 1548;

}  // namespace tsumugi::eval::nnue
