// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "base/atomic_file.hpp"
#include "base/file.hpp"
#include "learn/data/flow.hpp"
#include "learn/data_support.hpp"
#include "record/hcpe3.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn::data {
namespace {

using record::ArchivedGame;
using record::PackedSfenValue;
using test::checked;

FlowReport convert(const std::filesystem::path& from, const std::filesystem::path& to) {
    return checked(copy({{from}, to, false, false}, {}));
}

std::string convert_error(const std::filesystem::path& from, const std::filesystem::path& to) {
    const auto done = copy({{from}, to, false, false}, {});
    return done ? "no error" : done.error().message;
}

TEST(DataConvert, GamesBecomeTheirPositionsWithAScore) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 40);
    const auto positions = test::positions_of(games);
    test::write_items(folder / "a.tsa", games);
    const FlowReport report = convert(folder / "a.tsa", folder / "a.psv");
    EXPECT_EQ(report.games, 40U);
    EXPECT_EQ(report.positions, positions.size());
    EXPECT_EQ(test::read_all<PackedSfenValue>(folder / "a.psv"), positions);
    EXPECT_EQ(std::filesystem::file_size(folder / "a.psv"), 40 * positions.size());
}

TEST(DataConvert, PositionsKeepEverythingButThePlyInHcpe) {
    const test::TempFolder folder(test::fast_place());
    auto positions = test::positions_of(test::random_games(0, 40));
    test::write_items(folder / "a.psv", positions);
    convert(folder / "a.psv", folder / "a.hcpe");
    convert(folder / "a.hcpe", folder / "b.psv");
    for (PackedSfenValue& value : positions)
        value.game_ply = 0;
    EXPECT_EQ(test::read_all<PackedSfenValue>(folder / "b.psv"), positions);
    EXPECT_EQ(std::filesystem::file_size(folder / "a.hcpe"), 38 * positions.size());
}

TEST(DataConvert, GamesComeBackFromHcpe3) {
    const test::TempFolder folder(test::fast_place());
    auto games = test::random_games(0, 60);
    for (std::size_t i = 0; i < games.size(); ++i)
        games[i].end = static_cast<record::ArchivedEnd>(i % record::archived_ends);
    test::write_items(folder / "a.tsa", games);
    convert(folder / "a.tsa", folder / "a.hcpe3");
    convert(folder / "a.hcpe3", folder / "b.tsa");
    const auto back = test::read_all<ArchivedGame>(folder / "b.tsa");
    ASSERT_EQ(back.size(), games.size());
    for (std::size_t i = 0; i < games.size(); ++i) {
        EXPECT_EQ(back[i].start, games[i].start);
        EXPECT_EQ(back[i].plies, games[i].plies);
        EXPECT_EQ(back[i].number, i);
    }
}

TEST(DataConvert, SaysThatPositionsCannotBecomeGames) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.psv", test::positions_of(test::random_games(0, 3)));
    for (const char* name : {"b.tsa", "b.hcpe3"}) {
        const std::string message = convert_error(folder / "a.psv", folder / name);
        EXPECT_NE(message.find("a.psv (PackedSfenValue) holds single positions"), std::string::npos) << message;
        EXPECT_FALSE(std::filesystem::exists(folder / name));
    }
}

TEST(DataConvert, NeverWritesOverAnInputNorOverAFileUnasked) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.psv", test::positions_of(test::random_games(0, 3)));
    test::write_items(folder / "b.psv", test::positions_of(test::random_games(3, 5)));
    std::filesystem::create_hard_link(folder / "a.psv", folder / "c.psv");
    EXPECT_FALSE(copy({{folder / "a.psv"}, folder / "a.psv", true, false}, {}));
    EXPECT_FALSE(copy({{folder / "a.psv"}, folder / "c.psv", true, false}, {})) << "the same file by another name";
    EXPECT_NE(convert_error(folder / "a.psv", folder / "b.psv").find("--force"), std::string::npos);
    EXPECT_TRUE(copy({{folder / "a.psv"}, folder / "b.psv", true, false}, {}));
    EXPECT_EQ(test::read_all<PackedSfenValue>(folder / "b.psv"), test::read_all<PackedSfenValue>(folder / "a.psv"));
}

TEST(DataConvert, LeavesNothingBehindWhenItFailsOrIsStopped) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", test::random_games(0, 30));
    std::stop_source stop;
    stop.request_stop();
    Monitor monitor;
    monitor.stop = stop.get_token();
    for (const char* name : {"b.tsa", "b.psv", "b.hcpe3"})
        EXPECT_FALSE(copy({{folder / "a.tsa"}, folder / name, false, false}, monitor));
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(DataSource, NamesFileRecordAndPlaceOfWhatIsBroken) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.psv", test::positions_of(test::random_games(0, 5)));
    std::string bytes = *base::read_file(folder / "a.psv");
    checked(base::write_file(folder / "cut.psv", bytes.substr(0, bytes.size() - 3)));
    EXPECT_NE(convert_error(folder / "cut.psv", folder / "x.psv").find("cut.psv: "), std::string::npos);

    bytes[40 * 7 + 38] = 5;  // the result
    checked(base::write_file(folder / "bad.psv", bytes));
    const std::string message = convert_error(folder / "bad.psv", folder / "x.psv");
    EXPECT_NE(message.find("bad.psv: record 8 at byte 280"), std::string::npos) << message;
    EXPECT_FALSE(std::filesystem::exists(folder / "x.psv"));

    checked(base::write_file(folder / "text.tsa", "no archive at all"));
    EXPECT_NE(convert_error(folder / "text.tsa", folder / "x.psv").find("text.tsa"), std::string::npos);
    EXPECT_NE(convert_error(folder / "missing.hcpe3", folder / "x.psv").find("missing.hcpe3"), std::string::npos);
}

TEST(DataSource, RefusesEveryTruncatedHcpe3) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.hcpe3", test::random_games(0, 2));
    const std::string bytes = *base::read_file(folder / "a.hcpe3");
    std::string first;
    checked(record::append_hcpe3(test::random_game(0), first));
    for (std::size_t length = 1; length < bytes.size(); ++length) {
        if (length == first.size()) continue;  // a whole game
        checked(base::write_file(folder / "cut.hcpe3", bytes.substr(0, length)));
        const auto source = open_source(folder / "cut.hcpe3");
        Item item;
        auto more = checked(source)->next(item);
        if (more) more = (*source)->next(item);
        ASSERT_FALSE(more) << length;
        ASSERT_NE(more.error().message.find("the middle of a game"), std::string::npos) << more.error().message;
    }
}

TEST(DataMerge, KeepsGamesNumbersAndProvenanceInOrder) {
    const test::TempFolder folder(test::fast_place());
    const auto first = test::random_games(0, 20);
    const auto second = test::random_games(10, 30);
    std::vector<Item> all{Provenance{R"({"a":1})"}};
    all.insert(all.end(), first.begin(), first.end());
    test::write_items(folder / "a.tsa", all);
    std::vector<Item> more{Provenance{R"({"b":1})"}, Provenance{R"({"b":2})"}};
    more.insert(more.end(), second.begin(), second.end());
    more.emplace_back(Provenance{R"({"b":3})"});
    test::write_items(folder / "b.tsa", more);
    all.insert(all.end(), more.begin(), more.end());

    checked(copy({{folder / "a.tsa", folder / "b.tsa"}, folder / "c.tsa", false, false}, {}));
    EXPECT_EQ(test::read_items(folder / "c.tsa"), all);

    checked(copy({{folder / "a.tsa", folder / "b.tsa"}, folder / "d.tsa", false, true}, {}));
    const auto games = test::read_all<ArchivedGame>(folder / "d.tsa");
    ASSERT_EQ(games.size(), 40U);
    for (std::size_t i = 0; i < games.size(); ++i)
        EXPECT_EQ(games[i].number, i);
    EXPECT_EQ(games[25].plies, second[5].plies);
    EXPECT_EQ(test::read_all<Provenance>(folder / "d.tsa").size(), 5U) << "and one about the numbers";
}

TEST(DataMerge, PutsPositionsOfSeveralFormatsTogether) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 10);
    auto positions = test::positions_of(games);
    test::write_items(folder / "a.tsa", games);
    test::write_items(folder / "b.psv", positions);
    checked(copy({{folder / "a.tsa", folder / "b.psv"}, folder / "c.psv", false, false}, {}));
    const auto both = test::read_all<PackedSfenValue>(folder / "c.psv");
    ASSERT_EQ(both.size(), 2 * positions.size());
    positions.insert(positions.end(), positions.begin(), positions.end());
    EXPECT_EQ(both, positions);
}

TEST(DataMerge, SkipsDamageAndCountsIt) {
    const test::TempFolder folder(test::fast_place());
    const auto games = test::random_games(0, 1500);
    test::write_items(folder / "a.tsa", games);
    std::string bytes = *base::read_file(folder / "a.tsa");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    checked(base::write_file(folder / "b.tsa", bytes));
    const FlowReport report = convert(folder / "b.tsa", folder / "c.tsa");
    EXPECT_GT(report.damaged_bytes, 0U);
    EXPECT_GT(report.games, 0U);
    EXPECT_LT(report.games, 1500U);
    EXPECT_EQ(test::read_all<ArchivedGame>(folder / "c.tsa").size(), report.games);
}

}  // namespace
}  // namespace tsumugi::learn::data
