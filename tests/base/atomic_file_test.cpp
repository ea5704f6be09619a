// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/atomic_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "base/random.hpp"
#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::base {
namespace {

using test::read_file;

TEST(AtomicFile, AppearsOnlyAtCommit) {
    const test::TempFolder folder;
    const auto path = folder / "out";
    auto file = AtomicFile::create(path);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->write("hello "));
    ASSERT_TRUE(file->write("world"));
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(read_file(path), "hello world");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, LeavesTheOldFileAndNoRubbishWhenNotCommitted) {
    const test::TempFolder folder;
    const auto path = folder / "out";
    ASSERT_TRUE(write_file(path, "old"));
    {
        auto file = AtomicFile::create(path);
        ASSERT_TRUE(file && file->write("new"));
    }
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, RefusesToBeUsedAfterCommit) {
    const test::TempFolder folder;
    auto file = AtomicFile::create(folder / "out");
    ASSERT_TRUE(file && file->commit());
    EXPECT_FALSE(file->write("more"));
    EXPECT_FALSE(file->commit());
}

TEST(AtomicFile, SaysWhereItCannotWrite) {
    const test::TempFolder folder;
    const auto missing = write_file(folder / "no/such/folder/out", "x");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("no/such/folder/out"), std::string::npos);
    EXPECT_FALSE(write_file(folder.path(), "x"));
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AtomicFile, KeepsPermissionsAndFollowsSymbolicLinks) {
    const test::TempFolder folder;
    ASSERT_TRUE(write_file(folder / "real", "old"));
    std::filesystem::permissions(folder / "real", std::filesystem::perms(0640));
    std::filesystem::create_symlink("real", folder / "link");
    ASSERT_TRUE(write_file(folder / "link", "new"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(read_file(folder / "real"), "new");
    EXPECT_EQ(std::filesystem::status(folder / "real").permissions(), std::filesystem::perms(0640));
}

TEST(AtomicFile, KeepsTheOldFileWhenTheDiskIsFull) {
    const test::TempFolder folder;
    const auto path = folder / "out";
    ASSERT_TRUE(write_file(path, "old"));
    // A limit on the size of files stands for the full disk, in a child so that it ends with it.
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const bool refused = [&path] {
            auto file = AtomicFile::create(path);
            return file && !file->write(std::string(5000, 'x')) && !file->commit();
        }();
        ::_exit(refused ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, SurvivesKillAtAnyMoment) {
    const test::TempFolder folder;
    const auto path = folder / "state";
    const auto content = [](int version) { return std::string(50000, static_cast<char>('a' + version % 26)); };
    ASSERT_TRUE(write_file(path, content(0)));
    Random random(1);
    for (int round = 0; round < 40; ++round) {
        const pid_t child = ::fork();
        if (child == 0)
            for (int version = 0;; ++version)
                if (!write_file(path, content(version))) ::_exit(1);
        std::this_thread::sleep_for(std::chrono::microseconds(random.below(8000)));
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
        const std::string found = read_file(path);
        ASSERT_EQ(found.size(), 50000U);
        ASSERT_EQ(found, std::string(found.size(), found[0]));
    }
    ASSERT_TRUE(write_file(path, "end"));
    EXPECT_EQ(folder.entries(), 1U) << "a killed writer's temporary file was not swept away";
}

TEST(AtomicFile, LeavesTheTemporaryFilesOfLivingWritersAlone) {
    const test::TempFolder folder;
    const auto path = folder / "out";
    auto first = AtomicFile::create(path);
    auto second = AtomicFile::create(path);
    ASSERT_TRUE(first && second);
    ASSERT_TRUE(first->write("first") && second->write("second"));
    EXPECT_TRUE(second->commit());
    EXPECT_EQ(read_file(path), "second");
    EXPECT_TRUE(first->commit());
    EXPECT_EQ(read_file(path), "first");
}

}  // namespace
}  // namespace tsumugi::base
