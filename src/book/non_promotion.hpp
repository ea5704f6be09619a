// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "book/entry.hpp"

namespace tsumugi::book {

// For every promotion of a bishop, rook, pawn or lance that the expected reply captures: the same move without
// promotion, right behind it, when it is legal and not there yet. After the capture both lead to the same position, and
// programs whose search leaves such moves out have not thought about it. Returns how many were added.
std::size_t add_equivalent_non_promotions(Entry& entry);

}  // namespace tsumugi::book
