// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace tsumugi::arena {

// Where a game begins: a position and the moves already made in it, which count for repetition.
struct Opening {
    shogi::Setup start = shogi::Setup::even();
    std::vector<shogi::Move> moves;

    [[nodiscard]] shogi::Position position() const;
    // "startpos moves 7g7f …" or "sfen … moves …".
    [[nodiscard]] std::string text() const;
};

// Openings in the order in which pairs of games use them; after the last comes the first again.
class OpeningSuite {
public:
    // Only the even game.
    OpeningSuite() : openings_(1) {}
    explicit OpeningSuite(std::vector<Opening> openings);

    // Positions or games of any format that record::read_games knows, one or many to a file. Games are cut after
    // `plies` moves. Every opening must be legal and leave something to play. A book (.db, .ybb, .bin, .sbk) gives its
    // lines from the even game, cut or ended by the book, with no position at the end of two of them.
    static base::Result<OpeningSuite> load(const std::filesystem::path& file,
                                           std::size_t plies = std::numeric_limits<std::size_t>::max());
    static base::Result<OpeningSuite> parse(std::string_view text, std::size_t plies);

    void shuffle(std::uint64_t seed);

    [[nodiscard]] std::size_t size() const { return openings_.size(); }
    [[nodiscard]] const Opening& at(std::uint64_t number) const { return openings_[number % openings_.size()]; }

private:
    std::vector<Opening> openings_;
};

}  // namespace tsumugi::arena
