// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "book/entry.hpp"
#include "book/output_log.hpp"
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

    // Takes a book for that of this workspace; one that it has not written is refused unless it may be overwritten.
    base::Result<void> claim(const std::filesystem::path& output, bool overwrite) {
        return outputs_.claim(database_, output, overwrite);
    }

    // What is known of the position, whatever its move number; null for nothing. Valid until the next change.
    [[nodiscard]] const book::Entry* find(const shogi::Setup& position) const;
    // By book::position_text().
    [[nodiscard]] const std::unordered_map<std::string, book::Entry>& entries() const { return entries_; }

    // Was it thought about? Of a position that only occurred in a game one move is known, and not what else there is.
    [[nodiscard]] bool is_analysed(const shogi::Setup& position) const;
    base::Result<void> add_analysis(const shogi::Setup& position, const std::vector<Change>& changes);

    // Takes over what positions of a book say and the workspace does not; those with a value count as thought about.
    // Tells how many moves were new or got their value.
    base::Result<std::size_t> add_known(const std::vector<book::Entry>& entries, const std::string& reason);

    // `kind` and `text` go to the log of steps, with a number where steps of a kind are numbered.
    base::Result<void> add_step(const std::string& kind, const std::string& text, const std::vector<Change>& changes,
                                std::optional<std::uint64_t> number = std::nullopt);
    // Steps of a kind made so far, by all runs.
    [[nodiscard]] base::Result<std::uint64_t> steps(const std::string& kind);
    // Those made after a numbered step of another kind.
    [[nodiscard]] base::Result<std::uint64_t> steps_after(const std::string& kind, const std::string& mark,
                                                          std::uint64_t number);
    // The numbers of those that have one.
    [[nodiscard]] base::Result<std::set<std::uint64_t>> step_numbers(const std::string& kind);

    struct Explanation {
        shogi::Move move;
        std::string reason;
    };
    // Why the moves of a position are there.
    base::Result<std::vector<Explanation>> explain(const shogi::Setup& position);

private:
    Workspace(store::Database database, book::OutputLog outputs)
        : database_(std::move(database)), outputs_(std::move(outputs)) {}
    base::Result<void> load();
    base::Result<void> store_change(const Change& change);
    void apply(const Change& change);

    store::Database database_;
    book::OutputLog outputs_;
    std::unordered_map<std::string, book::Entry> entries_;
    std::unordered_set<std::string> analysed_;  // by book::position_text()
};

}  // namespace tsumugi::learn::bookmaking
