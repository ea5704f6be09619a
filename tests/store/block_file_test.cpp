// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/block_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/random.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::store {
namespace {

using base::Random;
using Kind = BlockReader::Event::Kind;

constexpr std::string_view kind = "test";

std::string read_all(const std::filesystem::path& path) { return *base::read_file(path); }

// As a new file: overwriting an old one makes some file systems wait for the disk.
void write_raw(const std::filesystem::path& path, std::string_view bytes) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
}

// Block i of a test file: tells its number and is not too easy to compress.
std::string content(std::uint64_t i) {
    Random random(i);
    std::string text = "block " + std::to_string(i) + ":";
    for (std::uint64_t n = random.below(60); n > 0; --n)
        text += static_cast<char>('a' + random.below(26));
    return text;
}

struct Found {
    std::vector<std::string> blocks;
    std::vector<std::uint64_t> offsets;
    std::uint64_t damaged_bytes = 0;
    int damages = 0;
    bool damaged_end = false;
};

Found scan(const std::filesystem::path& path) {
    Found found;
    auto reader = BlockReader::open(path, kind);
    if (!reader) throw std::runtime_error(reader.error().message);
    for (;;) {
        const auto event = reader->next();
        if (!event) throw std::runtime_error(event.error().message);
        if (event->kind == Kind::end) return found;
        if (event->kind == Kind::block) {
            found.blocks.emplace_back(event->data);
            found.offsets.push_back(event->offset);
        } else {
            ++found.damages;
            found.damaged_bytes += event->size;
            found.damaged_end = event->at_end;
        }
    }
}

// A file of `count` blocks; returns where each begins and, last, where the file ends.
std::vector<std::uint64_t> make_file(const std::filesystem::path& path, std::uint64_t count) {
    std::vector<std::uint64_t> offsets;
    auto writer = BlockWriter::open(path, kind, {.level = 3, .sync_every = 1000});
    for (std::uint64_t i = 0; i < count; ++i)
        offsets.push_back(*writer->append(content(i)));
    offsets.push_back(writer->size());
    return offsets;
}

TEST(BlockFile, ReturnsTheBlocksThatWereAppended) {
    const test::TempFolder folder;
    const auto path = folder / "file";
    std::vector<std::string> blocks = {"", "a", std::string(3'000'000, 'x'), std::string("\0\1\2", 3)};
    Random random(1);
    std::string noise(200000, '\0');
    for (char& c : noise)
        c = static_cast<char>(random());
    blocks.push_back(noise);
    std::vector<std::uint64_t> offsets;
    for (const auto& block : blocks) {
        auto writer = BlockWriter::open(path, kind);
        ASSERT_TRUE(writer) << writer.error().message;
        EXPECT_EQ(writer->recovery().blocks, offsets.size());
        EXPECT_EQ(writer->recovery().cut_bytes, 0U);
        const auto offset = writer->append(block);
        ASSERT_TRUE(offset) << offset.error().message;
        offsets.push_back(*offset);
    }
    const Found found = scan(path);
    EXPECT_EQ(found.blocks, blocks);
    EXPECT_EQ(found.offsets, offsets);
    EXPECT_EQ(found.damages, 0);
}

TEST(BlockFile, ReadsSingleBlocksByOffset) {
    const test::TempFolder folder;
    const auto offsets = make_file(folder / "file", 10);
    auto reader = BlockReader::open(folder / "file", kind);
    ASSERT_TRUE(reader);
    for (const std::uint64_t i : {7U, 0U, 9U, 3U})
        EXPECT_EQ(reader->read(offsets[i])->data, content(i));
    EXPECT_EQ(reader->next()->data, content(4)) << "reading on continues after the block";
    EXPECT_FALSE(reader->read(offsets[2] + 1));
    EXPECT_FALSE(reader->read(1'000'000));
}

TEST(BlockFile, RefusesForeignFilesWithoutTouchingThem) {
    const test::TempFolder folder;
    const auto path = folder / "file";
    for (const std::string& bytes : {std::string("precious notes"), std::string(1000, 'x'), std::string("Tsumugi?")}) {
        write_raw(path, bytes);
        EXPECT_FALSE(BlockWriter::open(path, kind));
        EXPECT_FALSE(BlockReader::open(path, kind));
        EXPECT_EQ(read_all(path), bytes);
    }
    std::filesystem::remove(path);
    make_file(path, 1);
    const auto other = BlockReader::open(path, "other");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("'test'"), std::string::npos) << other.error().message;
    EXPECT_FALSE(BlockWriter::open(path, "other"));
    EXPECT_FALSE(BlockWriter::open(folder / "new", "a kind that is too long"));
    EXPECT_FALSE(BlockReader::open(folder / "missing", kind));
}

TEST(BlockFile, HasOneWriterAtATime) {
    const test::TempFolder folder;
    {
        const auto first = BlockWriter::open(folder / "file", kind);
        ASSERT_TRUE(first);
        EXPECT_FALSE(BlockWriter::open(folder / "file", kind));
    }
    EXPECT_TRUE(BlockWriter::open(folder / "file", kind));
}

TEST(BlockFile, LosesOnlyTheBlockThatATruncationTouches) {
    const test::TempFolder folder(test::fast_place());
    const auto path = folder / "file";
    const auto offsets = make_file(path, 4);
    const std::string whole = read_all(path);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        write_raw(path, std::string_view(whole).substr(0, size));
        // Blocks whose end lies within what is left.
        const auto kept = static_cast<std::size_t>(
            std::count_if(offsets.begin() + 1, offsets.end(), [size](std::uint64_t end) { return end <= size; }));
        if (size >= file_header_size) {
            const Found before = scan(path);
            EXPECT_EQ(before.blocks.size(), kept) << size;
            EXPECT_EQ(before.damaged_bytes, size - offsets[kept]) << size;
            EXPECT_EQ(before.damaged_end, size != offsets[kept]) << size;
        } else {
            EXPECT_FALSE(BlockReader::open(path, kind));
        }
        {
            auto writer = BlockWriter::open(path, kind);
            ASSERT_TRUE(writer) << size << ": " << writer.error().message;
            EXPECT_EQ(writer->recovery().blocks, kept);
            EXPECT_EQ(writer->recovery().cut_bytes, size < file_header_size ? 0 : size - offsets[kept]);
            ASSERT_TRUE(writer->append("new"));
        }
        const Found after = scan(path);
        ASSERT_EQ(after.blocks.size(), kept + 1) << size;
        for (std::size_t i = 0; i < kept; ++i)
            EXPECT_EQ(after.blocks[i], content(i));
        EXPECT_EQ(after.blocks.back(), "new");
        EXPECT_EQ(after.damages, 0) << size;
    }
}

TEST(BlockFile, LosesOnlyTheBlockThatAFlippedBitTouches) {
    const test::TempFolder folder;
    const auto path = folder / "file";
    const auto offsets = make_file(path, 4);
    const std::string whole = read_all(path);
    for (std::size_t bit = file_header_size * 8; bit < whole.size() * 8; ++bit) {
        std::string damaged = whole;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        write_raw(path, damaged);
        const auto hit =
            static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), bit / 8) - offsets.begin() - 1);
        const Found found = scan(path);
        std::vector<std::string> others;
        for (std::uint64_t i = 0; i < 4; ++i)
            if (i != hit) others.push_back(content(i));
        ASSERT_EQ(found.blocks, others) << bit;
        ASSERT_EQ(found.damages, 1);
        ASSERT_EQ(found.damaged_bytes, offsets[hit + 1] - offsets[hit]);
        ASSERT_EQ(found.damaged_end, hit == 3);
    }
}

TEST(BlockFile, RefusesAFileWithAFlippedBitInItsHeader) {
    const test::TempFolder folder;
    const auto path = folder / "file";
    make_file(path, 1);
    const std::string whole = read_all(path);
    for (std::size_t bit = 0; bit < file_header_size * 8; ++bit) {
        std::string damaged = whole;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        write_raw(path, damaged);
        EXPECT_FALSE(BlockReader::open(path, kind)) << bit;
        EXPECT_FALSE(BlockWriter::open(path, kind)) << bit;
        EXPECT_EQ(read_all(path), damaged);
    }
}

TEST(BlockFile, AWriterCutsADamagedEndButNeverAWholeBlock) {
    const test::TempFolder folder(test::fast_place());
    const auto path = folder / "file";
    const auto offsets = make_file(path, 6);
    const std::string whole = read_all(path);
    Random random(5);
    for (int round = 0; round < 400; ++round) {
        // Up to three wounds: a changed byte, a missing stretch or an inserted one.
        std::string damaged = whole;
        for (std::uint64_t wounds = 1 + random.below(3); wounds > 0; --wounds) {
            const std::size_t at = file_header_size + random.below(damaged.size() - file_header_size);
            const std::size_t length = 1 + random.below(40);
            switch (random.below(3)) {
                case 0: damaged[at] = static_cast<char>(random()); break;
                case 1: damaged.erase(at, length); break;
                default: damaged.insert(at, std::string(length, static_cast<char>(random())));
            }
            if (damaged.size() <= file_header_size) damaged = whole;
        }
        write_raw(path, damaged);
        const Found before = scan(path);
        { ASSERT_TRUE(BlockWriter::open(path, kind)); }
        const Found after = scan(path);
        ASSERT_EQ(after.blocks, before.blocks) << round;
        ASSERT_FALSE(after.damaged_end) << round;
        for (const auto& block : after.blocks) {
            bool known = false;
            for (std::uint64_t i = 0; i < 6; ++i)
                known |= block == content(i);
            ASSERT_TRUE(known);
        }
    }
    EXPECT_EQ(offsets.size(), 7U);
}

TEST(BlockFile, FindsBlocksFarBehindDamage) {
    const test::TempFolder folder;
    const auto path = folder / "file";
    const auto offsets = make_file(path, 2);
    const std::string whole = read_all(path);
    // Around the size of the reader's window, so that a header lies across its edge.
    for (std::size_t gap = 65536 - 40; gap <= 65536 + 10; ++gap) {
        write_raw(path, whole.substr(0, offsets[1]) + std::string(gap, 'x') + whole.substr(offsets[1]));
        const Found found = scan(path);
        ASSERT_EQ(found.blocks.size(), 2U) << gap;
        EXPECT_EQ(found.damaged_bytes, gap);
        EXPECT_FALSE(found.damaged_end);
    }
}

TEST(BlockFile, KeepsEveryReportedBlockThroughKill) {
    const test::TempFolder folder;
    const auto path = folder / "file";
    Random random(7);
    std::uint64_t promised = 0;
    std::uint64_t torn = 0;
    // On a busy machine it may take some rounds until a writer comes to write anything.
    for (int round = 0; round < 60 || (promised == 0 && round < 600); ++round) {
        std::array<int, 2> ends{};
        ASSERT_EQ(::pipe(ends.data()), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            auto writer = BlockWriter::open(path, kind);
            if (!writer) ::_exit(1);
            for (std::uint64_t i = writer->recovery().blocks;; ++i) {
                // Big blocks of noise, so that kills also hit the middle of a write.
                std::string block = content(i);
                Random noise(i);
                while (block.size() < 300000)
                    block += static_cast<char>(noise());
                if (!writer->append(block)) ::_exit(1);
                const std::uint64_t done = i + 1;
                if (::write(ends[1], &done, sizeof done) != sizeof done) ::_exit(1);
            }
        }
        ::close(ends[1]);
        std::this_thread::sleep_for(std::chrono::microseconds(random.below(25000) * (round < 60 ? 1U : 10U)));
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed by itself";
        for (std::uint64_t done = 0; ::read(ends[0], &done, sizeof done) == sizeof done;)
            promised = done;
        ::close(ends[0]);

        const auto writer = BlockWriter::open(path, kind);
        ASSERT_TRUE(writer) << writer.error().message;
        torn += writer->recovery().cut_bytes > 0;
        ASSERT_GE(writer->recovery().blocks, promised);
        ASSERT_LE(writer->recovery().blocks, promised + 1);
        promised = writer->recovery().blocks;
    }
    const Found found = scan(path);
    ASSERT_EQ(found.blocks.size(), promised);
    EXPECT_EQ(found.damages, 0);
    for (std::uint64_t i = 0; i < promised; ++i)
        ASSERT_TRUE(found.blocks[i].starts_with(content(i)));
    EXPECT_GT(promised, 0U);
    RecordProperty("torn_tails", static_cast<int>(torn));
}

TEST(BlockFile, IsAsBeforeWhenTheDiskIsFull) {
    const test::TempFolder folder;
    const auto path = folder / "file";
    make_file(path, 2);
    const std::string whole = read_all(path);
    // A limit on the size of files stands for the full disk, in a child so that it ends with it.
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{.rlim_cur = whole.size() + 30, .rlim_max = whole.size() + 30};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const bool refused = [&path] {
            auto writer = BlockWriter::open(path, kind);
            Random random(1);
            std::string noise(5000, '\0');
            for (char& c : noise)
                c = static_cast<char>(random());
            return writer && !writer->append(noise);
        }();
        ::_exit(refused ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_all(path), whole);
}

TEST(BlockFile, CanBeReadWhileItGrows) {
    const test::TempFolder folder;
    const auto path = folder / "file";
    auto writer = BlockWriter::open(path, kind);
    ASSERT_TRUE(writer);
    auto reader = BlockReader::open(path, kind);
    ASSERT_TRUE(reader);
    for (std::uint64_t i = 0; i < 20; ++i) {
        EXPECT_EQ(reader->next()->kind, Kind::end);
        ASSERT_TRUE(writer->append(content(i)));
        EXPECT_EQ(reader->next()->data, content(i));
    }
}

TEST(BlockFile, IsReadOnFromAnUnfinishedEnd) {
    const test::TempFolder folder;
    const auto offsets = make_file(folder / "whole", 2);
    const std::string whole = read_all(folder / "whole");
    const auto path = folder / "file";
    write_raw(path, whole.substr(0, offsets[1] + 30));
    auto reader = BlockReader::open(path, kind);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->next()->data, content(0));
    const auto damage = reader->next();
    EXPECT_EQ(damage->kind, Kind::damage);
    EXPECT_TRUE(damage->at_end);
    EXPECT_EQ(reader->next()->kind, Kind::end);
    std::ofstream(path, std::ios::binary | std::ios::app) << whole.substr(offsets[1] + 30);
    EXPECT_EQ(reader->next()->data, content(1));
    EXPECT_EQ(reader->next()->kind, Kind::end);
}

// zstd ends a frame with the low half of XXH64 of its content: an independent check of our implementation.
TEST(Xxhash64, AgreesWithTheChecksumOfZstd) {
    Random random(3);
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    ASSERT_EQ(ZSTD_isError(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1)), 0U);
    for (std::size_t size = 0; size < 300; ++size) {
        std::string bytes(size, '\0');
        for (char& c : bytes)
            c = static_cast<char>(random());
        std::string frame(ZSTD_compressBound(size), '\0');
        frame.resize(ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size()));
        std::uint32_t expected = 0;
        for (std::size_t i = 0; i < 4; ++i)
            expected |= std::uint32_t{static_cast<unsigned char>(frame[frame.size() - 4 + i])} << (8 * i);
        ASSERT_EQ(static_cast<std::uint32_t>(base::xxhash64(bytes)), expected) << size;
    }
}

}  // namespace
}  // namespace tsumugi::store
