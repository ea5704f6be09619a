// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "book/entry.hpp"
#include "store/sqlite.hpp"

namespace tsumugi::learn::bookmaking {

// A move that a book gets, or another verdict on one it has.
struct Change {
    shogi::Setup position;
    book::StoredMove move;
    std::string reason;
};

// A book in the making, in a database: positions with their moves, why each move is there, and which steps were made.
// A step is stored as a whole before the next one begins, so that work can be broken off at any moment.
class Workspace {
public:
    static base::Result<Workspace> open(const std::filesystem::path& file);

    // What is known of the position, whatever its move number; null for nothing. Valid until the next change.
    [[nodiscard]] const book::Entry* find(const shogi::Setup& position) const;
    // By book::position_text().
    [[nodiscard]] const std::unordered_map<std::string, book::Entry>& entries() const { return entries_; }

    // `kind` and `text` go to the log of steps.
    base::Result<void> add_step(const std::string& kind, const std::string& text, const std::vector<Change>& changes);
    // Steps of a kind made so far, by all runs.
    [[nodiscard]] base::Result<std::uint64_t> steps(const std::string& kind);

    struct Explanation {
        shogi::Move move;
        std::string reason;
    };
    // Why the moves of a position are there.
    base::Result<std::vector<Explanation>> explain(const shogi::Setup& position);

private:
    explicit Workspace(store::Database database) : database_(std::move(database)) {}
    base::Result<void> load();
    base::Result<void> store_change(const Change& change);
    void apply(const Change& change);

    store::Database database_;
    std::unordered_map<std::string, book::Entry> entries_;
};

}  // namespace tsumugi::learn::bookmaking
