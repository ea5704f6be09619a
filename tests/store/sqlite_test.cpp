// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/sqlite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <limits>

#include "support/temp_folder.hpp"

namespace tsumugi::store {
namespace {

using base::Error;
using testing::HasSubstr;

Database memory() { return std::move(*Database::in_memory()); }

TEST(Database, StoresAndReturnsEveryType) {
    Database database = memory();
    ASSERT_TRUE(database.execute("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB, n INTEGER)"));
    const Blob blob = {std::byte{0}, std::byte{255}, std::byte{0}};
    const std::string text("歩\0香", 7);
    ASSERT_TRUE(database.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", std::numeric_limits<std::int64_t>::min(), 0.1,
                             text, blob, std::nullopt));
    EXPECT_EQ(database.last_insert_id(), 1);
    EXPECT_EQ(database.changes(), 1);
    auto rows = database.prepare("SELECT i, r, s, b, n FROM t");
    ASSERT_TRUE(rows);
    ASSERT_TRUE(*rows->step());
    EXPECT_EQ(rows->columns(), 5);
    EXPECT_EQ(rows->get<std::int64_t>(0), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(rows->get<double>(1), 0.1);
    EXPECT_EQ(rows->get<std::string>(2), text);
    EXPECT_EQ(rows->get<Blob>(3), blob);
    EXPECT_TRUE(rows->is_null(4));
    EXPECT_EQ(rows->get<std::optional<int>>(4), std::nullopt);
    EXPECT_EQ(rows->get<int>(4), 0);
    EXPECT_FALSE(*rows->step());
}

TEST(Database, TellsEmptyTextAndEmptyBlobFromNull) {
    Database database = memory();
    ASSERT_TRUE(database.execute("CREATE TABLE t (s, b, o)"));
    ASSERT_TRUE(
        database.run("INSERT INTO t VALUES (?, ?, ?)", std::string_view(), Blob(), std::optional<std::string>()));
    EXPECT_EQ(**database.value<std::string>("SELECT typeof(s) || ' ' || typeof(b) || ' ' || typeof(o) FROM t"),
              "text blob null");
}

TEST(Database, RunsAStatementManyTimes) {
    Database database = memory();
    ASSERT_TRUE(database.execute("CREATE TABLE t (n INTEGER)"));
    auto insert = database.prepare("INSERT INTO t VALUES (?)");
    ASSERT_TRUE(insert);
    for (int i = 1; i <= 100; ++i)
        ASSERT_TRUE(insert->run(i));
    EXPECT_EQ(**database.value<int>("SELECT sum(n) FROM t"), 5050);
    EXPECT_EQ(**database.value<int>("SELECT count(*) FROM t WHERE n > ? AND n <= ?", 10, 20), 10);
    EXPECT_EQ(*database.value<int>("SELECT n FROM t WHERE n > 1000"), std::nullopt);
}

TEST(Database, NamesTheSqlInErrors) {
    Database database = memory();
    const auto syntax = database.execute("SELEC 1");
    EXPECT_THAT(syntax.error().message, testing::AllOf(HasSubstr("syntax error"), HasSubstr("SELEC 1")));
    const auto prepared = database.prepare("SELECT * FROM missing");
    EXPECT_THAT(prepared.error().message, testing::AllOf(HasSubstr("no such table: missing"), HasSubstr("SELECT *")));
    ASSERT_TRUE(database.execute("CREATE TABLE t (n INTEGER UNIQUE)"));
    ASSERT_TRUE(database.run("INSERT INTO t VALUES (?)", 1));
    const auto twice = database.run("INSERT INTO t VALUES (?)", 1);
    EXPECT_EQ(twice.error().code, Error::Code::range);
    EXPECT_THAT(twice.error().message, testing::AllOf(HasSubstr("UNIQUE"), HasSubstr("INSERT INTO t")));
}

TEST(Database, TakesOneStatementAtATimeAndItsParametersOnly) {
    Database database = memory();
    EXPECT_FALSE(database.prepare("SELECT 1; SELECT 2"));
    EXPECT_FALSE(database.prepare(""));
    EXPECT_TRUE(database.prepare("SELECT 1; "));
    EXPECT_FALSE(database.run("SELECT ?", 1, 2)) << "more values than parameters";
}

TEST(Database, KeepsFilesInWalModeAndReadsThemAgain) {
    const test::TempFolder folder;
    {
        auto database = Database::open(folder / "test.db");
        ASSERT_TRUE(database) << database.error().message;
        EXPECT_EQ(**database->value<std::string>("PRAGMA journal_mode"), "wal");
        ASSERT_TRUE(database->execute("CREATE TABLE t (n); INSERT INTO t VALUES (7)"));
    }
    auto reader = Database::open(folder / "test.db", Database::Mode::read_only);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ(**reader->value<int>("SELECT n FROM t"), 7);
    EXPECT_FALSE(reader->execute("INSERT INTO t VALUES (8)"));
}

TEST(Database, RefusesMissingAndForeignFiles) {
    const test::TempFolder folder;
    EXPECT_FALSE(Database::open(folder / "missing.db", Database::Mode::read_only));
    EXPECT_FALSE(Database::open(folder / "missing.db", Database::Mode::read_write));
    EXPECT_FALSE(Database::open(folder / "no/such/folder.db"));
    std::ofstream(folder / "text.db") << std::string(5000, 'x');
    const auto foreign = Database::open(folder / "text.db");
    ASSERT_FALSE(foreign);
    EXPECT_THAT(foreign.error().message, HasSubstr("text.db"));
}

TEST(Database, EnforcesForeignKeys) {
    Database database = memory();
    ASSERT_TRUE(database.execute("CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a (id))"));
    EXPECT_FALSE(database.run("INSERT INTO b VALUES (?)", 5));
}

TEST(Transaction, IsUndoneUnlessCommitted) {
    Database database = memory();
    ASSERT_TRUE(database.execute("CREATE TABLE t (n)"));
    {
        auto transaction = Transaction::begin(database);
        ASSERT_TRUE(transaction && database.run("INSERT INTO t VALUES (1)"));
    }
    EXPECT_EQ(**database.value<int>("SELECT count(*) FROM t"), 0);
    {
        auto transaction = Transaction::begin(database);
        ASSERT_TRUE(transaction && database.run("INSERT INTO t VALUES (1)"));
        ASSERT_TRUE(transaction->commit());
        EXPECT_FALSE(transaction->commit());
    }
    EXPECT_EQ(**database.value<int>("SELECT count(*) FROM t"), 1);
}

TEST(Transaction, WaitsForAnotherWriterOnlyAsLongAsAllowed) {
    const test::TempFolder folder;
    auto first = Database::open(folder / "test.db");
    auto second = Database::open(folder / "test.db", Database::Mode::create, std::chrono::milliseconds(20));
    ASSERT_TRUE(first && second);
    auto held = Transaction::begin(*first);
    ASSERT_TRUE(held);
    const auto refused = Transaction::begin(*second);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("locked"));
    ASSERT_TRUE(held->commit());
    EXPECT_TRUE(Transaction::begin(*second));
}

TEST(Migration, BringsEveryOldVersionUpToDateOnce) {
    constexpr std::array<std::string_view, 3> steps = {
        "CREATE TABLE a (x)", "CREATE TABLE b (x); INSERT INTO b VALUES (1)", "ALTER TABLE b ADD COLUMN y"};
    const std::span<const std::string_view> all(steps);
    for (std::size_t old = 0; old <= steps.size(); ++old) {
        Database database = memory();
        ASSERT_TRUE(database.migrate(all.first(old)));
        ASSERT_TRUE(database.migrate(all));
        ASSERT_TRUE(database.migrate(all));
        EXPECT_EQ(**database.value<int>("PRAGMA user_version"), 3);
        EXPECT_EQ(**database.value<int>("SELECT count(*) FROM b WHERE y IS NULL"), 1);
    }
}

TEST(Migration, KeepsTheOldSchemaWhenAStepFails) {
    Database database = memory();
    constexpr std::array<std::string_view, 2> steps = {"CREATE TABLE a (x)", "CREATE TABLE b (x); NONSENSE"};
    const auto failed = database.migrate(steps);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, HasSubstr("schema step 1"));
    EXPECT_EQ(**database.value<int>("PRAGMA user_version"), 1);
    EXPECT_EQ(**database.value<int>("SELECT count(*) FROM sqlite_schema"), 1);
}

TEST(Migration, RefusesFilesOfANewerProgram) {
    Database database = memory();
    ASSERT_TRUE(database.execute("PRAGMA user_version = 9"));
    constexpr std::array<std::string_view, 1> steps = {"CREATE TABLE a (x)"};
    EXPECT_EQ(database.migrate(steps).error().code, Error::Code::unsupported);
}

}  // namespace
}  // namespace tsumugi::store
