// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::base {
namespace {

TEST(ReadFile, ReturnsEveryByteOfFilesOfAnySize) {
    const test::TempFolder folder;
    for (const std::size_t size : {0U, 1U, 4095U, 4096U, 4097U, 1000000U}) {
        std::string content(size, '\0');
        for (std::size_t i = 0; i < size; ++i)
            content[i] = static_cast<char>(i * 7);
        ASSERT_TRUE(write_file(folder / "file", content));
        const auto read = read_file(folder / "file");
        ASSERT_TRUE(read);
        EXPECT_EQ(*read, content);
        const auto mapped = MappedFile::open(folder / "file");
        ASSERT_TRUE(mapped);
        EXPECT_EQ(mapped->text(), content);
        EXPECT_EQ(mapped->bytes().size(), size);
    }
}

TEST(ReadFile, ReadsFilesThatDoNotStateTheirSize) {
    const auto read = read_file("/proc/self/status");
    if (!std::filesystem::exists("/proc/self/status")) GTEST_SKIP() << "no /proc";
    ASSERT_TRUE(read);
    EXPECT_NE(read->find("Pid:"), std::string::npos);
}

TEST(ReadFile, NamesTheFileItCannotRead) {
    const test::TempFolder folder;
    for (const auto& path : {folder / "missing", folder.path()}) {
        const auto read = read_file(path);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, Error::Code::io);
        EXPECT_NE(read.error().message.find(path.string()), std::string::npos);
        EXPECT_FALSE(MappedFile::open(path));
    }
}

TEST(MappedFile, KeepsItsContentWhenTheFileIsReplaced) {
    const test::TempFolder folder;
    ASSERT_TRUE(write_file(folder / "file", "old content"));
    auto mapped = MappedFile::open(folder / "file", MappedFile::Access::random);
    ASSERT_TRUE(mapped);
    ASSERT_TRUE(write_file(folder / "file", "new"));
    EXPECT_EQ(mapped->text(), "old content");
    const MappedFile moved = std::move(*mapped);
    EXPECT_EQ(moved.text(), "old content");
    EXPECT_EQ(mapped->size(), 0U);
}

}  // namespace
}  // namespace tsumugi::base
