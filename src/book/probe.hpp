// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "book/source.hpp"
#include "shogi/position.hpp"

namespace tsumugi::book {

// What a player asks of a book before he follows it. Limits by colour hold for the side to move. What a book does not
// know of a move passes the limits on it.
struct ProbeSettings {
    int last_ply = 200;                     // the book is not used beyond this move number
    int ignore_percent = 0;                 // of the positions, chosen at random, the book is not asked
    std::array<int, 2> value_diff{30, 30};  // to the best move of the position
    std::array<int, 2> value_limit{0, -140};
    std::array<int, 2> depth_limit{16, 16};  // 0 for none
    bool ignore_ply = true;                  // positions are the same whatever their move number
    bool flipped = true;                     // also look for the position with colours exchanged
    bool narrow = false;                     // leave out moves played in less than a tenth of the games
    bool by_count = false;                   // prefer moves in proportion to how often they were played
    int line_length = 8;                     // moves of the book to show after a move
};

// Books in the order in which they are asked: the first that has a playable move decides.
struct Shelf {
    struct Volume {
        std::string name;
        std::shared_ptr<const Book> book;
    };
    std::vector<Volume> volumes;
};

struct Candidate {
    StoredMove stored;
    std::vector<shogi::Move> line;  // the move and what the book expects after it
    std::string rejection;          // why it is not played; empty when it may be
};

struct ProbeResult {
    std::optional<std::size_t> chosen;  // of the candidates
    std::vector<Candidate> candidates;  // the best first; of the book that decided, or of the last that was asked
    std::string book;                   // its name
    std::vector<std::string> remarks;   // sentences for the user: what was found and why it is or is not played
};

// Asks the books for a move. What comes back is always legal, whatever the files say; a damaged file is a remark.
// The choice among equals depends on `random` alone.
ProbeResult probe(const Shelf& shelf, const shogi::Position& position, const std::vector<shogi::Move>& allowed,
                  const ProbeSettings& settings, base::Random& random);

}  // namespace tsumugi::book
