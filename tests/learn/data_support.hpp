// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "learn/data/sink.hpp"
#include "learn/data/source.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::test {

// Random games with scores that wander, some of which are missing. Every fifth begins elsewhere.
inline record::ArchivedGame random_game(std::uint64_t number, std::uint64_t most_plies = 60) {
    base::Random random(number + 1000);
    record::ArchivedGame game;
    game.number = number;
    if (number % 5 == 4) game.start = *record::parse_sfen("4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1");
    game.result = static_cast<record::HcpeResult>(random.below(3));
    auto position = *shogi::Position::from(game.start);
    int score = 0;
    for (std::uint64_t left = 1 + random.below(most_plies); left > 0; --left) {
        shogi::MoveList legal;
        shogi::legal_moves(position, legal);
        if (legal.empty()) break;
        record::ArchivedPly ply{legal[random.below(legal.size())]};
        score = -score + static_cast<int>(random.between(-200, 200));
        if (random.below(4) != 0) ply.score = static_cast<std::int16_t>(score);
        game.plies.push_back(ply);
        position.do_move(ply.move);
    }
    return game;
}

inline std::vector<record::ArchivedGame> random_games(std::uint64_t first, std::uint64_t end) {
    std::vector<record::ArchivedGame> games;
    for (std::uint64_t number = first; number < end; ++number)
        games.push_back(random_game(number));
    return games;
}

template <typename T>
const T& checked(const base::Result<T>& result) {
    if (!result) throw std::runtime_error(result.error().message);
    return *result;
}

inline void checked(const base::Result<void>& result) {
    if (!result) throw std::runtime_error(result.error().message);
}

// Writes items to a file of the format that its name tells.
template <typename Items>
void write_items(const std::filesystem::path& path, const Items& items) {
    const auto sink = learn::data::create_sink(path);
    for (const auto& item : items)
        checked(checked(sink)->add(item));
    checked((*sink)->finish());
}

inline std::vector<learn::data::Item> read_items(const std::filesystem::path& path) {
    const auto source = learn::data::open_source(path);
    std::vector<learn::data::Item> items;
    for (learn::data::Item item; checked(checked(source)->next(item));)
        items.push_back(item);
    return items;
}

template <typename T>
std::vector<T> read_all(const std::filesystem::path& path) {
    std::vector<T> found;
    for (const auto& item : read_items(path))
        if (const auto* value = std::get_if<T>(&item)) found.push_back(*value);
    return found;
}

inline std::vector<record::PackedSfenValue> positions_of(const std::vector<record::ArchivedGame>& games) {
    std::vector<record::PackedSfenValue> values;
    for (const auto& game : games)
        checked(learn::data::for_each_position(game, [&](const record::PackedSfenValue& value) {
            values.push_back(value);
            return base::Result<void>();
        }));
    return values;
}

}  // namespace tsumugi::test
