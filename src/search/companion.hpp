// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "shogi/move.hpp"

namespace tsumugi::search {

// Someone who thinks along in a thread of his own.
class Companion {
public:
    virtual ~Companion() = default;
    // The line that the search expects, after every completed depth. Called by the thread that searches, so it must
    // return soon.
    virtual void on_expected(std::span<const shogi::Move> line) = 0;
};

}  // namespace tsumugi::search
