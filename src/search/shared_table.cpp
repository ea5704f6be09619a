// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/shared_table.hpp"

namespace tsumugi::search {

void SharedTable::clear() {
    std::unique_lock lock(mutex_);
    left_.wait(lock, [this] { return visitors_ == 0; });
    table_.clear(1);
}

void SharedTable::enter() {
    const std::lock_guard lock(mutex_);
    if (visitors_++ == 0) table_.new_search();
}

void SharedTable::leave() {
    const std::lock_guard lock(mutex_);
    if (--visitors_ == 0) left_.notify_all();
}

}  // namespace tsumugi::search
