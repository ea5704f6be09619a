// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "arena/game_play.hpp"
#include "record/format.hpp"

namespace tsumugi::arena {

// Who played and when.
struct GameLabels {
    std::string black;
    std::string white;
    std::string ended;
};

// The game as a record with times, and the score, depth and nodes of every move as comments. Scores are from Black's
// side, as viewers of records expect.
record::Game to_record(const PlayedGame& game, const GameLabels& labels, record::Format format);

// Writes FOLDER/NUMBER-BLACK-WHITE.EXTENSION unless it exists; numbers in file names count from 1.
base::Result<void> write_record(const PlayedGame& game, const GameLabels& labels, record::Format format,
                                const std::filesystem::path& folder, std::uint64_t number);

// The text with everything but letters, digits, '.', '_' and '+' made '_'.
std::string file_name_part(std::string_view text);

}  // namespace tsumugi::arena
