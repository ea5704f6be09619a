// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.hpp"
#include "book/entry.hpp"

namespace tsumugi::book {

// Writes a book under a temporary name; it gets its own when it is finished. Entries come in the order of the format
// (file.hpp: order_key) and each position once.
class Writer {
public:
    virtual ~Writer() = default;
    virtual base::Result<void> write(const Entry& entry) = 0;
    virtual base::Result<void> finish() = 0;
};

}  // namespace tsumugi::book
