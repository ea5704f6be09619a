// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/game_import.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "book_fixture.hpp"

namespace tsumugi::book {
namespace {

using testing::HasSubstr;

const std::string rates = "'black_rate:alpha+0123:4100.0\n'white_rate:beta+4567:4050.5\n";

// A game of a few moves, as floodgate records them.
std::string csa(const std::string& end, const std::string& comments = "", const std::string& moves = "") {
    return "V2\nN+alpha+0123\nN-beta+4567\n'Max_Moves:256\nPI\n+\n" + comments +
           (moves.empty() ? "+7776FU\n-3334FU\n+2726FU\n-8384FU\n" : moves) + end;
}

class FromGames : public testing::Test {
protected:
    FromGames() { std::filesystem::create_directory(games()); }
    [[nodiscard]] std::filesystem::path games() const { return folder / "games"; }
    void add(const std::string& name, const std::string& text) const { write_text(games() / name, text); }

    ImportReport read(const ImportRule& rule, const RatingTable& ratings = {}) {
        auto import = GameImport::open(folder / "work", rule, ratings);
        if (!import) throw std::runtime_error(import.error().message);
        const auto report = import->read(
            {games().string()}, [&](const std::string& line) { complaints.push_back(line); }, [](std::size_t) {}, {});
        if (!report) throw std::runtime_error(report.error().message);
        const auto written = import->write(folder / "book.db", least_games, {});
        if (!written) throw std::runtime_error(written.error().message);
        return *report;
    }
    std::optional<Entry> find(std::string_view moves) {
        return *(*open_book(folder / "book.db"))->find(after(moves), Book::Ply::any);
    }

    test::TempFolder folder;
    std::vector<std::string> complaints;
    std::int64_t least_games = 1;
};

TEST_F(FromGames, TakesTheMovesOfTheWinner) {
    add("a.csa", csa("%TORYO\n"));                                     // Black resigns: White won
    add("b.csa", csa("%TORYO\n", "", "+7776FU\n-8384FU\n+2726FU\n"));  // White resigns
    const auto report = read({});
    EXPECT_EQ(report.games, 2U);
    EXPECT_EQ(report.moves, 4U);
    const auto start = find("");
    ASSERT_TRUE(start);
    ASSERT_EQ(start->moves.size(), 1U) << "Black's moves of the lost game do not count";
    EXPECT_EQ(start->moves[0].move, test::usi("7g7f"));
    EXPECT_EQ(start->moves[0].count, 1);
    EXPECT_EQ(start->moves[0].comment, "won 1 lost 0 undecided 0");
    EXPECT_EQ(find("7g7f")->moves[0].move, test::usi("3c3d"));
    EXPECT_FALSE(find("7g7f 3c3d"));
}

TEST_F(FromGames, CountsEverythingWhenAsked) {
    add("a.csa", csa("%TORYO\n"));
    add("b.csa", csa("%SENNICHITE\n"));
    ImportRule rule;
    rule.winner_only = false;
    rule.plies = 2;
    EXPECT_EQ(read(rule).moves, 4U) << "two moves of each game";
    EXPECT_EQ(find("")->moves[0].comment, "won 0 lost 1 undecided 1");
    EXPECT_FALSE(find("7g7f 3c3d"));
}

TEST_F(FromGames, AsksForTheRatingOfBothPlayers) {
    add("rated.csa", csa("%TORYO\n", rates));
    add("unrated.csa", csa("%TORYO\n"));
    add("before.csa", "'black_rate:x:4500\n'white_rate:y:4500\n" + csa("%TORYO\n"));
    ImportRule rule;
    rule.lowest_rating = 4000;
    auto report = read(rule);
    EXPECT_EQ(report.games, 2U) << "also where the ratings stand before the position";
    EXPECT_EQ(report.rated_low, 1U);
}

TEST_F(FromGames, LeavesOutGamesWithOneWeakPlayer) {
    add("rated.csa", csa("%TORYO\n", rates));
    ImportRule rule;
    rule.lowest_rating = 4080;
    EXPECT_EQ(read(rule).rated_low, 1U);
}

TEST_F(FromGames, KnowsRatingsByName) {
    add("a.csa", csa("%TORYO\n"));
    ImportRule rule;
    rule.lowest_rating = 4000;
    const auto table = RatingTable::parse("# name rating\nalpha 4200\nbeta+4567\t4001.5\nSome Engine 3000\n");
    ASSERT_TRUE(table.ok());
    EXPECT_EQ(table->find("Some Engine"), 3000);
    EXPECT_EQ(table->find("alpha+99"), 4200) << "floodgate's hash is no part of a name";
    EXPECT_EQ(read(rule, *table).games, 1U);
    EXPECT_THAT(RatingTable::parse("alpha\n").error().message, HasSubstr("line 1"));
}

TEST_F(FromGames, ReadsOnlyWhatIsNew) {
    add("a.csa", csa("%TORYO\n"));
    EXPECT_EQ(read({}).games, 1U);
    EXPECT_EQ(read({}).files, 0U);
    EXPECT_EQ(find("7g7f")->moves[0].count, 1);
    add("b.csa", csa("%TORYO\n"));
    EXPECT_EQ(read({}).games, 1U);
    EXPECT_EQ(find("7g7f")->moves[0].count, 2);
}

TEST_F(FromGames, CountsAFileOnceHoweverItIsNamed) {
    add("a.csa", csa("%TORYO\n"));
    std::filesystem::create_directory_symlink(games(), folder / "link");
    auto import = GameImport::open(folder / "work", {}, {});
    const std::vector<std::string> names{games().string(), (games() / ".").string(),
                                         (folder / "link" / ".." / "games").string(), (folder / "link").string(),
                                         std::filesystem::relative(games()).string()};
    const auto report = import->read(
        names, [](const std::string&) {}, [](std::size_t) {}, {});
    EXPECT_EQ(report->games, 1U);
    for (const std::string& name : names)
        EXPECT_EQ(import
                      ->read(
                          {name}, [](const std::string&) {}, [](std::size_t) {}, {})
                      ->files,
                  0U)
            << name;
}

TEST_F(FromGames, KnowsTheFilesOfAnOlderWorkspace) {
    add("a.csa", csa("%TORYO\n"));
    EXPECT_EQ(read({}).games, 1U);
    const std::string name = (folder / "games" / "." / "a.csa").string();
    ASSERT_TRUE(store::Database::open(folder / "work")->run("UPDATE file SET path = ?", name).ok());
    auto import = GameImport::open(folder / "work", {}, {});
    const auto report = import->read(
        {name}, [](const std::string&) {}, [](std::size_t) {}, {});
    EXPECT_EQ(report->files, 0U);
    EXPECT_EQ(read({}).files, 0U);
}

TEST_F(FromGames, WaitsForAGameThatIsStillPlayed) {
    add("live.csa", csa(""));
    EXPECT_EQ(read({}).games, 0U);
    add("live.csa", csa("+2625FU\n-8485FU\n%TORYO\n"));
    EXPECT_EQ(read({}).games, 1U);
    EXPECT_EQ(read({}).games, 0U);
}

TEST_F(FromGames, ReportsRecordsWithoutAnEnd) {
    add("live.csa", csa(""));
    const auto report = read({});
    EXPECT_EQ(report.games, 0U);
    EXPECT_EQ(report.unfinished, 1U);
    EXPECT_EQ(report.undecided, 0U);
    EXPECT_EQ(read({}).files, 0U) << "until the file has changed";
}

TEST_F(FromGames, UsesRecordsWithoutAnEndWhenAllMovesCount) {
    add("live.csa", csa(""));
    ImportRule rule;
    rule.winner_only = false;
    rule.awaits_ends = true;
    EXPECT_EQ(read(rule).games, 0U) << "it may still be played";
    rule.awaits_ends = false;
    const auto report = read(rule);
    EXPECT_EQ(report.games, 1U) << "although the file is the same";
    EXPECT_EQ(report.unfinished, 1U);
    EXPECT_EQ(find("7g7f 3c3d")->moves[0].comment, "won 0 lost 0 undecided 1");
    EXPECT_EQ(read(rule).games, 0U);
}

TEST_F(FromGames, UsesPublishedRecordsWithoutAnEnd) {
    const auto records = test::shared_data("book/shogihome/source");
    if (records.empty()) GTEST_SKIP() << "the collection is not beside the checkout";
    ImportRule rule;
    rule.winner_only = false;
    auto import = GameImport::open(folder / "work", rule, {});
    const auto report = import->read(
        {records.string()}, [](const std::string&) {}, [](std::size_t) {}, {});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->files, 5U);
    EXPECT_GE(report->games, 5U);
}

TEST_F(FromGames, CountsOnlyTheNewGamesOfAGrowingFile) {
    ImportRule rule;
    rule.winner_only = false;
    add("list.usi", "startpos moves 7g7f 3c3d\n");
    EXPECT_EQ(read(rule).games, 1U);
    add("list.usi", "startpos moves 7g7f 3c3d\nstartpos moves 2g2f\n");
    EXPECT_EQ(read(rule).games, 1U);
    EXPECT_EQ(find("")->moves.size(), 2U);
}

TEST_F(FromGames, WritesMovesPlayedOftenEnough) {
    add("a.csa", csa("%TORYO\n"));
    add("b.csa", csa("%TORYO\n", "", "+7776FU\n-3334FU\n+2726FU\n-4344FU\n"));
    least_games = 2;
    read({});
    EXPECT_EQ(find("7g7f")->moves[0].count, 2);
    EXPECT_FALSE(find("7g7f 3c3d 2g2f"));
}

TEST_F(FromGames, KnowsWhetherTheBookIsUpToDate) {
    add("a.csa", csa("%TORYO\n"));
    const auto is_written = [&](std::int64_t least, const char* name = "book.db") {
        return *GameImport::open(folder / "work", {}, {})->is_written(folder / name, least);
    };
    EXPECT_FALSE(is_written(1));
    read({});
    EXPECT_TRUE(is_written(1));
    EXPECT_FALSE(is_written(2)) << "other settings";
    EXPECT_FALSE(is_written(1, "other.db"));
    // A run that reads and is stopped before it writes.
    add("b.csa", csa("%TORYO\n"));
    {
        auto import = GameImport::open(folder / "work", {}, {});
        EXPECT_TRUE(import
                        ->read(
                            {games().string()}, [](const std::string&) {}, [](std::size_t) {}, {})
                        .ok());
    }
    EXPECT_FALSE(is_written(1));
    read({});
    EXPECT_TRUE(is_written(1));
    add("c.csa", csa("%SENNICHITE\n"));
    EXPECT_EQ(read({}).undecided, 1U);
    std::filesystem::remove(folder / "book.db");
    EXPECT_FALSE(is_written(1)) << "it is gone";
}

TEST_F(FromGames, ReplacesOnlyItsOwnBook) {
    write_text(folder / "foreign.db", "somebody's work");
    const auto open = [&] { return *GameImport::open(folder / "work", {}, {}); };
    EXPECT_THAT(open().claim(folder / "foreign.db", false).error().message, HasSubstr("--force"));
    EXPECT_TRUE(open().claim(folder / "book.db", false).ok());
    add("a.csa", csa("%TORYO\n"));
    read({});
    EXPECT_TRUE(open().claim(folder / "games" / ".." / "book.db", false).ok());
    EXPECT_FALSE(open().claim(folder / "foreign.db", false).ok());
    EXPECT_TRUE(open().claim(folder / "foreign.db", true).ok());
    EXPECT_TRUE(open().claim(folder / "foreign.db", false).ok()) << "it is the workspace's own now";
}

TEST_F(FromGames, ReplacesTheBookThatAnOlderProgramHasWritten) {
    auto old = store::Database::open(folder / "work");
    ASSERT_TRUE(
        old->execute("CREATE TABLE rule (text TEXT NOT NULL);"
                     "CREATE TABLE file (path TEXT PRIMARY KEY, size INTEGER NOT NULL, written INTEGER NOT NULL, games "
                     "INTEGER NOT NULL) WITHOUT ROWID;"
                     "CREATE TABLE move (position BLOB, move INTEGER, ply INTEGER NOT NULL, games INTEGER NOT NULL,"
                     " wins INTEGER NOT NULL, losses INTEGER NOT NULL, PRIMARY KEY (position, move)) WITHOUT ROWID;"
                     "INSERT INTO file VALUES ('a.csa', 1, 1, 1); PRAGMA user_version = 1")
            .ok());
    write_text(folder / "book.db", "the book");
    write_text(folder / "foreign.db", "somebody's work");
    auto import = GameImport::open(folder / "work", {}, {});
    ASSERT_TRUE(import.ok()) << import.error().message;
    EXPECT_TRUE(import->claim(folder / "book.db", false).ok());
    EXPECT_FALSE(import->claim(folder / "foreign.db", false).ok());
}

TEST_F(FromGames, RefusesAWorkspaceOfAnotherRule) {
    add("a.csa", csa("%TORYO\n"));
    read({});
    ImportRule other;
    other.plies = 10;
    EXPECT_THAT(GameImport::open(folder / "work", other, {}).error().message, HasSubstr("plies 80"));
}

TEST_F(FromGames, RefusesAFileThatIsSomethingElse) {
    const auto open = [&](const char* name) { return GameImport::open(folder / name, {}, {}).error().message; };
    write_text(folder / "book.db", "#YANEURAOU-DB2016 1.00\n");
    EXPECT_THAT(open("book.db"), HasSubstr("book.db: this is a book, not a workspace of `book from-games`"));
    write_text(folder / "games.csa", csa("%TORYO\n"));
    EXPECT_THAT(open("games.csa"), HasSubstr("no database"));
    ASSERT_TRUE(store::Database::open(folder / "other")->execute("CREATE TABLE thing (a)").ok());
    const std::string before = test::read_file(folder / "other");
    const std::size_t files = folder.entries();
    EXPECT_THAT(open("other"), HasSubstr("something else"));
    EXPECT_EQ(test::read_file(folder / "other"), before);
    EXPECT_EQ(folder.entries(), files) << "nothing is left behind";
}

TEST_F(FromGames, SaysWhatItCannotReadAndGoesOn) {
    add("a.csa", csa("%TORYO\n"));
    add("broken.csa", "V2\nPI\n+\n+nonsense\n");
    const auto report = read({});
    EXPECT_EQ(report.games, 1U);
    EXPECT_EQ(report.broken, 1U);
    ASSERT_EQ(complaints.size(), 1U);
    EXPECT_THAT(complaints[0], HasSubstr("broken.csa"));
}

TEST_F(FromGames, ReadsAPublishedTournament) {
    const auto records = test::shared_data("games/wcsc28");
    if (records.empty()) GTEST_SKIP() << "the collection is not beside the checkout";
    auto import = GameImport::open(folder / "work", {}, {});
    ASSERT_TRUE(import.ok());
    const auto report = import->read(
        {records.string()}, [](const std::string&) {}, [](std::size_t) {}, {});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_GT(report->games, 100U);
    EXPECT_GT(*import->write(folder / "book.db", 1, {}), 1000U);
    for (const Entry& each : read_all(folder / "book.db")) {
        const auto position = shogi::Position::from(each.position);
        for (const StoredMove& move : each.moves)
            ASSERT_TRUE(position->is_legal(move.move)) << record::to_sfen(each.position);
    }
}

}  // namespace
}  // namespace tsumugi::book
