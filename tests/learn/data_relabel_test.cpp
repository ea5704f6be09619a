// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/relabel.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/atomic_file.hpp"
#include "base/file.hpp"
#include "learn/data/part_file.hpp"
#include "learn/data_support.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn::data {
namespace {

using record::ArchivedGame;
using record::PackedSfenValue;
using test::checked;

RelabelSettings quick(const std::filesystem::path& input, const std::filesystem::path& output) {
    RelabelSettings settings;
    settings.input = input;
    settings.output = output;
    settings.nodes = 30;
    settings.table_mib = 1;
    settings.flush_seconds = 0;
    return settings;
}

// Games with provenance before, between and after them.
std::vector<Item> marked_games(std::uint64_t count) {
    std::vector<Item> items{Provenance{R"({"run":1})"}};
    for (std::uint64_t number = 0; number < count; ++number) {
        if (number == count / 2) items.emplace_back(Provenance{R"({"run":2})"});
        items.emplace_back(test::random_game(number, 25));
    }
    items.emplace_back(Provenance{R"({"run":3})"});
    return items;
}

TEST(DataRelabel, ChangesScoresAndNothingElse) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", marked_games(12));
    const RelabelReport report = checked(relabel(quick(folder / "a.tsa", folder / "b.tsa"), {}));
    EXPECT_TRUE(report.finished);
    const auto before = test::read_all<ArchivedGame>(folder / "a.tsa");
    const auto after = test::read_all<ArchivedGame>(folder / "b.tsa");
    ASSERT_EQ(after.size(), before.size());
    std::size_t changed = 0;
    for (std::size_t g = 0; g < before.size(); ++g) {
        EXPECT_EQ(after[g].number, before[g].number);
        EXPECT_EQ(after[g].result, before[g].result);
        ASSERT_EQ(after[g].plies.size(), before[g].plies.size());
        for (std::size_t i = 0; i < before[g].plies.size(); ++i) {
            EXPECT_EQ(after[g].plies[i].move, before[g].plies[i].move);
            EXPECT_EQ(after[g].plies[i].has_score(), before[g].plies[i].has_score());
            changed += after[g].plies[i].score != before[g].plies[i].score ? 1U : 0U;
        }
    }
    EXPECT_GT(changed, report.positions / 2);
    EXPECT_EQ(report.positions, test::positions_of(before).size());
    EXPECT_EQ(test::read_all<Provenance>(folder / "b.tsa").size(), 4U) << "one of its own before the others";
    EXPECT_EQ(folder.entries(), 2U) << "nothing of the work is left";
}

TEST(DataRelabel, GivesUnscoredPositionsAScoreWhenAsked) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", marked_games(5));
    RelabelSettings settings = quick(folder / "a.tsa", folder / "b.tsa");
    settings.unscored = true;
    checked(relabel(settings, {}));
    for (const ArchivedGame& game : test::read_all<ArchivedGame>(folder / "b.tsa"))
        for (const auto& ply : game.plies)
            EXPECT_TRUE(ply.has_score());
}

TEST(DataRelabel, ThreadsDoNotChangeScores) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", marked_games(12));
    test::write_items(folder / "a.psv", test::positions_of(test::random_games(0, 12)));
    for (const char* extension : {".tsa", ".psv"}) {
        const std::string name = extension;
        RelabelSettings settings = quick(folder / ("a" + name), folder / ("one" + name));
        checked(relabel(settings, {}));
        settings.output = folder / ("three" + name);
        settings.workers = 3;
        checked(relabel(settings, {}));
        EXPECT_EQ(test::read_items(folder / ("three" + name)), test::read_items(folder / ("one" + name)));
    }
}

// What a whole run writes, and its unfinished file after every stop on the way, with the settings beside it.
void expect_resumes(const std::string& extension, const std::vector<Item>& items, std::uint64_t step) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / ("a" + extension), items);
    const RelabelSettings whole = quick(folder / ("a" + extension), folder / ("whole" + extension));
    checked(relabel(whole, {}));
    const auto expected = test::read_items(whole.output);

    // Stopping after the first piece of work leaves the unfinished file and its note.
    RelabelSettings settings = quick(folder / ("a" + extension), folder / ("b" + extension));
    std::stop_source stop;
    Monitor monitor;
    monitor.stop = stop.get_token();
    monitor.advance = [&](std::uint64_t) { stop.request_stop(); };
    const RelabelReport stopped = checked(relabel(settings, monitor));
    EXPECT_FALSE(stopped.finished);
    const auto part = PartFile::name_for(settings.output);
    const auto note_path = std::filesystem::path(part.string() + ".json");
    const std::string note = checked(base::read_file(note_path));
    const RelabelReport resumed = checked(relabel(settings, {}));
    EXPECT_TRUE(resumed.finished);
    EXPECT_GT(resumed.already, 0U);
    EXPECT_EQ(test::read_items(settings.output), expected);

    // Cut anywhere, as by a crash.
    const std::string bytes = checked(base::read_file(settings.output));
    settings.overwrite = true;
    for (std::uint64_t length = 0; length <= bytes.size(); length += step) {
        checked(base::write_file(part, bytes.substr(0, length)));
        checked(base::write_file(note_path, note));
        const auto again = relabel(settings, {});
        ASSERT_TRUE(again) << length << ": " << again.error().message;
        ASSERT_EQ(test::read_items(settings.output), expected) << length;
    }
}

TEST(DataRelabel, ResumesGamesAfterBeingCutAnywhere) { expect_resumes(".tsa", marked_games(20), 199); }

TEST(DataRelabel, ResumesPositionsAfterBeingCutAnywhere) {
    std::vector<Item> items;
    for (const PackedSfenValue& value : test::positions_of(test::random_games(0, 16)))
        items.emplace_back(value);
    expect_resumes(".psv", items, 2501);
}

TEST(DataRelabel, SurvivesBeingKilledAgainAndAgain) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", marked_games(150));
    RelabelSettings settings = quick(folder / "a.tsa", folder / "b.tsa");
    std::uint64_t before = 0;
    for (int round = 0; round < 4; ++round) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) ::_exit(relabel(settings, {}) ? 0 : 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(60 + 20 * round));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        if (WIFEXITED(status)) {
            ASSERT_EQ(WEXITSTATUS(status), 0);
            break;  // a fast machine
        }
        std::error_code none;
        const std::uint64_t now = std::filesystem::file_size(PartFile::name_for(settings.output), none);
        EXPECT_TRUE(none || now >= before) << "what was written stays";
        before = none ? 0 : now;
    }
    if (!std::filesystem::exists(settings.output)) checked(relabel(settings, {}));
    RelabelSettings whole = quick(folder / "a.tsa", folder / "whole.tsa");
    checked(relabel(whole, {}));
    EXPECT_EQ(test::read_items(settings.output), test::read_items(whole.output));
}

TEST(DataRelabel, DoesNotGoOnWithOtherSettings) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", marked_games(20));
    RelabelSettings settings = quick(folder / "a.tsa", folder / "b.tsa");
    std::stop_source stop;
    Monitor monitor;
    monitor.stop = stop.get_token();
    monitor.advance = [&](std::uint64_t) { stop.request_stop(); };
    checked(relabel(settings, monitor));
    settings.nodes = 31;
    const auto refused = relabel(settings, {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("other settings"), std::string::npos) << refused.error().message;
}

TEST(DataRelabel, WantsALimitAndAFittingOutput) {
    const test::TempFolder folder(test::fast_place());
    test::write_items(folder / "a.tsa", marked_games(2));
    RelabelSettings settings = quick(folder / "a.tsa", folder / "b.psv");
    EXPECT_FALSE(relabel(settings, {})) << "games into positions";
    settings.output = folder / "b.hcpe3";
    EXPECT_FALSE(relabel(settings, {}));
    settings.output = folder / "b.tsa";
    settings.nodes = 0;
    EXPECT_FALSE(relabel(settings, {}));
    settings.depth = 2;
    EXPECT_TRUE(relabel(settings, {}));
}

}  // namespace
}  // namespace tsumugi::learn::data
