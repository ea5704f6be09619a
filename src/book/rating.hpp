// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/game.hpp"

namespace tsumugi::book {

// Ratings of players by name.
class RatingTable {
public:
    RatingTable() = default;
    // Lines of a name and a rating; lines that start with '#' are skipped. Names may hold spaces.
    static base::Result<RatingTable> load(const std::filesystem::path& file);
    static base::Result<RatingTable> parse(std::string_view text);

    // By the whole name, or without what follows a '+': floodgate adds "+" and a hash of the password to names.
    [[nodiscard]] std::optional<double> find(std::string_view name) const;

private:
    std::map<std::string, double, std::less<>> ratings_;
};

// The ratings of both players, by colour: as comments of the record say in floodgate's words
// ("black_rate:NAME:3456.0"), otherwise from the table.
std::array<std::optional<double>, 2> ratings_of(const record::Game& game, const RatingTable& table);
// The same for a record whose comments were read apart from the game, because they stand before its start.
std::array<std::optional<double>, 2> ratings_in(std::string_view text);

}  // namespace tsumugi::book
