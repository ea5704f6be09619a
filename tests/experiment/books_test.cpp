// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/books.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::experiment {
namespace {

using testing::HasSubstr;

BookMatchOptions few_games() {
    BookMatchOptions options;
    options.games = 4;
    options.allowance.nodes = 30;
    options.hash_mib = 1;
    return options;
}

learn::bookmaking::DuelSettings quick_duels() {
    learn::bookmaking::DuelSettings settings;
    settings.maker_nodes = 200;
    settings.opponent_nodes = 50;
    settings.plies = 12;
    settings.max_moves = 30;
    settings.table_mib = 1;
    return settings;
}

TEST(BookGames, MakeABookByDuelsAndPlayWithIt) {
    const test::TempFolder folder;
    BookDuelOptions options;
    options.net = "material";
    options.duel = quick_duels();
    options.duels = 4;
    options.match = few_games();
    options.output = folder / "duel";
    std::ostringstream out;
    const auto done = run_book_duel(options, out, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_THAT(out.str(), HasSubstr("the paper"));
    EXPECT_THAT(out.str(), HasSubstr("nodes=30, pondering"));
    EXPECT_TRUE(std::filesystem::exists(options.output / "book.db"));
    EXPECT_THAT(test::read_file(options.output / "book-duel.json"), HasSubstr("\"duels\": 4"));
    std::ostringstream again;
    ASSERT_TRUE(run_book_duel(options, again, {}).ok());
    EXPECT_EQ(again.str(), out.str()) << "nothing is played twice";
}

TEST(BookGames, PlayTheBookOfEveryRound) {
    const test::TempFolder folder;
    MinimaxBookOptions options;
    options.net = "material";
    options.duel = quick_duels();
    options.duels = 2;
    options.rounds = 2;
    options.think.positions = 3;
    options.think.effort.nodes = 100;
    options.think.effort.table_mib = 1;
    options.match = few_games();
    options.output = folder / "rounds";
    std::ostringstream out;
    const auto done = run_minimax_book(options, out, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_THAT(out.str(), HasSubstr("round 1"));
    EXPECT_THAT(out.str(), HasSubstr("round 2"));
    EXPECT_GT(std::filesystem::file_size(options.output / "round-002.db"),
              std::filesystem::file_size(options.output / "round-001.db"))
        << "each round adds to the book";
}

TEST(BookExperiments, AskForAFolder) {
    std::ostringstream out;
    const auto refused = run_book_duel({}, out, {});
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("--output"));
}

}  // namespace
}  // namespace tsumugi::experiment
