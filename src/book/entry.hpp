// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shogi/move.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::book {

// What an author wrote beside a move. Only ShogiGUI's books have such marks.
enum class Mark : std::uint8_t { none, forced, good, bad, blunder };

// A move of a book and what the book says of it. Books leave out what they do not know.
struct StoredMove {
    shogi::Move move;
    shogi::Move reply;                  // expected next; none where the book names none
    std::optional<int> value;           // centipawns for the side to move; a mate is near ±32000
    std::optional<int> depth;           // of the search that found the value
    std::optional<std::int64_t> count;  // games in which it was played
    Mark mark = Mark::none;
    std::string comment;  // lines joined by '\n'

    bool operator==(const StoredMove&) const = default;
};

// A position of a book with its moves.
struct Entry {
    shogi::Setup position;  // whose move number is the ply the book names
    std::vector<StoredMove> moves;
    std::string comment;  // lines joined by '\n'

    [[nodiscard]] const StoredMove* find(shogi::Move move) const;
    bool operator==(const Entry&) const = default;
};

// A mate in n plies is worth this less n, a loss minus that.
constexpr int mate_value = 32000;

// The better move first: by value, then by how often it was played; what has no value comes last. Equals keep
// their order.
void sort_best_first(std::vector<StoredMove>& moves);

// Adds what `later` knows and `first` does not: moves, and values left out. The smaller ply stays. With `add_counts`
// counts of the same move are added, otherwise the first one stays.
void merge_into(Entry& first, const Entry& later, bool add_counts);

// "board side hands": the SFEN without the move number, which names a position in books.
std::string position_text(const shogi::Setup& position);

// The same position with colours exchanged and the board turned round, as the other player would see it.
shogi::Setup flipped(const shogi::Setup& position);
shogi::Move flipped(shogi::Move move);
Entry flipped(const Entry& entry);

}  // namespace tsumugi::book
