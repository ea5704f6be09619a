// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "shogi/zobrist.hpp"

namespace tsumugi::learn {

// Positions that were met lately, by all workers. A newer position takes the place of an older one with the same slot,
// so that memory stays the same and what is remembered is a window of the recent past.
class Footprints {
public:
    explicit Footprints(std::size_t slots) : keys_(slots) {}

    // Was the position known? It is from now on.
    bool leave(shogi::Key key) {
        if (keys_.empty()) return false;
        return keys_[key % keys_.size()].exchange(key, std::memory_order_relaxed) == key;
    }

private:
    std::vector<std::atomic<shogi::Key>> keys_;
};

}  // namespace tsumugi::learn
