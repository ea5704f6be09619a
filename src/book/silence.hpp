// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "book/graph.hpp"

namespace tsumugi::book {

// Which positions say nothing: no move of theirs has a value of its own, as `valued` tells, or leads to a position that
// says something. Backing up from such a position would turn "not known" into a number.
std::vector<bool> find_silent(const Graph& graph, std::vector<bool> valued);

}  // namespace tsumugi::book
