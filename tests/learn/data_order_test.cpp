// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/file.hpp"
#include "learn/data/shuffle.hpp"
#include "learn/data/split.hpp"
#include "learn/data_support.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn::data {
namespace {

using record::ArchivedGame;
using record::PackedSfenValue;
using test::checked;

std::string bytes_of(const PackedSfenValue& value) {
    std::array<std::uint8_t, PackedSfenValue::size> bytes{};
    write(value, bytes);
    return {bytes.begin(), bytes.end()};
}

std::vector<std::string> sorted(const std::vector<PackedSfenValue>& values) {
    std::vector<std::string> records;
    for (const PackedSfenValue& value : values)
        records.push_back(bytes_of(value));
    std::sort(records.begin(), records.end());
    return records;
}

// Shuffled and read back.
std::vector<PackedSfenValue> shuffled(const std::filesystem::path& from, const std::filesystem::path& to,
                                      std::uint64_t seed, std::size_t memory) {
    checked(shuffle({{from}, to, true, seed, memory}, {}));
    return test::read_all<PackedSfenValue>(to);
}

TEST(DataShuffle, IsAPermutation) {
    const test::TempFolder folder(test::fast_place());
    const auto positions = test::positions_of(test::random_games(0, 300));
    test::write_items(folder / "a.psv", positions);
    const auto result = shuffled(folder / "a.psv", folder / "b.psv", 1, 1 << 20);
    EXPECT_EQ(sorted(result), sorted(positions));
    EXPECT_NE(result, positions);
    EXPECT_EQ(folder.entries(), 2U) << "no temporary file is left";
}

TEST(DataShuffle, DependsOnTheSeedAndNotOnTheMemory) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 200);
    test::write_items(folder / "a.tsa", games);
    test::write_items(folder / "a.psv", test::positions_of(games));
    const auto much = shuffled(folder / "a.psv", folder / "b.psv", 7, 1 << 28);
    EXPECT_EQ(shuffled(folder / "a.psv", folder / "b.psv", 7, 8192), much) << "with dozens of temporary files";
    EXPECT_EQ(shuffled(folder / "a.psv", folder / "b.psv", 7, 100'000), much);
    EXPECT_EQ(shuffled(folder / "a.tsa", folder / "b.psv", 7, 100'000), much) << "straight from games";
    EXPECT_NE(shuffled(folder / "a.psv", folder / "b.psv", 8, 1 << 28), much);
}

TEST(DataShuffle, MovesPositionsFromEverywhereToEverywhere) {
    const test::TempFolder folder(test::fast_place());
    auto positions = test::positions_of(test::random_games(0, 400));
    ASSERT_GE(positions.size(), 4000U);
    positions.resize(4000);
    for (std::size_t i = 0; i < positions.size(); ++i)
        positions[i].score = static_cast<std::int16_t>(i);
    test::write_items(folder / "a.psv", positions);
    const auto result = shuffled(folder / "a.psv", folder / "b.psv", 3, 1 << 16);
    // How many of each quarter went to each quarter: 250 on average, with a standard deviation below 14.
    std::array<std::array<int, 4>, 4> moved{};
    for (std::size_t i = 0; i < result.size(); ++i)
        ++moved[static_cast<std::size_t>(result[i].score) / 1000][i / 1000];
    for (const auto& row : moved)
        for (const int count : row)
            EXPECT_NEAR(count, 250, 70);
}

TEST(DataShuffle, RefusesGamesAsOutputAndSaysHowMuchMemoryIsNeeded) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.psv", test::positions_of(test::random_games(0, 100)));
    EXPECT_FALSE(shuffle({{folder / "a.psv"}, folder / "b.tsa", false, 1, 1 << 20}, {}));
    const auto little = shuffle({{folder / "a.psv"}, folder / "b.psv", false, 1, 100}, {});
    ASSERT_FALSE(little);
    EXPECT_NE(little.error().message.find("--memory 1 "), std::string::npos) << little.error().message;
}

TEST(DataSplit, GivesEveryGameToExactlyOnePart) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 1000);
    test::write_items(folder / "a.tsa", games);
    const SplitSettings settings{
        {folder / "a.tsa"}, {{folder / "x.tsa", 0.7}, {folder / "y.tsa", 0.2}, {folder / "z.psv", 0.1}}, false, 1};
    const SplitReport report = checked(split(settings, {}));
    std::map<std::uint64_t, ArchivedGame> found;
    for (const char* name : {"x.tsa", "y.tsa"})
        for (const ArchivedGame& game : test::read_all<ArchivedGame>(folder / name))
            EXPECT_TRUE(found.emplace(game.number, game).second) << game.number << " twice";
    std::vector<ArchivedGame> rest;
    for (const ArchivedGame& game : games) {
        const auto same = found.find(game.number);
        if (same == found.end())
            rest.push_back(game);
        else
            EXPECT_EQ(same->second, game);
    }
    EXPECT_EQ(test::read_all<PackedSfenValue>(folder / "z.psv"), test::positions_of(rest));
    // Shares come out within four standard deviations.
    EXPECT_NEAR(static_cast<double>(report.parts[0].games), 700, 58);
    EXPECT_NEAR(static_cast<double>(report.parts[1].games), 200, 51);
    EXPECT_NEAR(static_cast<double>(report.parts[2].games), 100, 38);
    EXPECT_EQ(report.parts[2].games, rest.size());
}

TEST(DataSplit, DecidesByTheNumberOfTheGameAndTheSeed) {
    const test::TempFolder folder(test::fast_place());
    auto games = test::random_games(0, 200);
    test::write_items(folder / "a.tsa", games);
    std::reverse(games.begin(), games.end());
    games.resize(100);
    test::write_items(folder / "b.tsa", games);
    const auto numbers = [&](const char* from, std::uint64_t seed) {
        checked(split({{folder / from}, {{folder / "x.tsa", 1}, {folder / "y.tsa", 1}}, true, seed}, {}));
        std::vector<std::uint64_t> found;
        for (const ArchivedGame& game : test::read_all<ArchivedGame>(folder / "x.tsa"))
            if (game.number >= 100) found.push_back(game.number);
        std::sort(found.begin(), found.end());
        return found;
    };
    EXPECT_EQ(numbers("a.tsa", 1), numbers("b.tsa", 1));
    EXPECT_NE(numbers("a.tsa", 1), numbers("a.tsa", 2));
}

TEST(DataSplit, RefusesWhatHasNoGames) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.psv", test::positions_of(test::random_games(0, 3)));
    const auto refused = split({{folder / "a.psv"}, {{folder / "x.psv", 1}, {folder / "y.psv", 1}}, false, 1}, {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("cannot be split by game"), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace tsumugi::learn::data
