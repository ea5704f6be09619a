// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/archive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "base/file.hpp"
#include "base/random.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::record {
namespace {

// A game of random moves with scores that wander like real ones.
ArchivedGame random_game(std::uint64_t number) {
    base::Random random(number);
    ArchivedGame game;
    game.number = number;
    if (number % 5 == 4) game.start = *parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1");
    game.result = static_cast<HcpeResult>(random.below(3));
    game.end = static_cast<ArchivedEnd>(random.below(archived_ends));
    auto position = *shogi::Position::from(game.start);
    int score = 0;
    for (std::uint64_t left = random.below(160); left > 0; --left) {
        shogi::MoveList legal;
        shogi::legal_moves(position, legal);
        if (legal.empty()) break;
        ArchivedPly ply{legal[random.below(legal.size())]};
        score = std::clamp(-score + static_cast<int>(random.between(-60, 60)), -3000, 3000);
        if (random.below(20) == 0)
            ply.score = static_cast<std::int16_t>(random.below(2) ? 31990 : -32000);
        else if (random.below(10) != 0)
            ply.score = static_cast<std::int16_t>(score);
        game.plies.push_back(ply);
        position.do_move(ply.move);
    }
    return game;
}

std::vector<ArchivedGame> read_all(const std::filesystem::path& path) {
    auto reader = ArchiveReader::open(path);
    if (!reader) throw std::runtime_error(reader.error().message);
    std::vector<ArchivedGame> games;
    for (ArchivedGame game;;) {
        const auto more = reader->next(game);
        if (!more) throw std::runtime_error(more.error().message);
        if (!*more) return games;
        games.push_back(game);
    }
}

void write_games(const std::filesystem::path& path, std::uint64_t first, std::uint64_t end) {
    auto writer = ArchiveWriter::open(path);
    ASSERT_TRUE(writer) << writer.error().message;
    for (std::uint64_t i = first; i < end; ++i) {
        const auto added = writer->add(random_game(i));
        ASSERT_TRUE(added) << added.error().message;
    }
    ASSERT_TRUE(writer->flush());
}

// An archive of more than one block, written once for all tests that only read it.
class LongArchive : public testing::Test {
protected:
    static constexpr std::uint64_t count = 450;

    static void SetUpTestSuite() {
        folder_ = std::make_unique<test::TempFolder>();
        write_games(file(), 0, count);
    }
    static void TearDownTestSuite() { folder_.reset(); }
    static std::filesystem::path file() { return *folder_ / "a"; }

private:
    static inline std::unique_ptr<test::TempFolder> folder_;
};

TEST_F(LongArchive, GivesBackWhatWasStored) {
    const auto games = read_all(file());
    ASSERT_EQ(games.size(), count);
    for (std::uint64_t i = 0; i < count; ++i)
        ASSERT_EQ(games[i], random_game(i)) << i;
}

TEST_F(LongArchive, TellsHeadsWithoutReplayingGames) {
    const auto games = read_all(file());
    auto reader = ArchiveReader::open(file());
    ASSERT_TRUE(reader);
    std::uint64_t seen = 0;
    std::uint64_t plies = 0;
    std::vector<ArchivedHead> heads;
    int blocks = 0;
    while (true) {
        const auto more = reader->next_heads(heads);
        ASSERT_TRUE(more);
        if (!*more) break;
        ++blocks;
        for (const ArchivedHead& head : heads) {
            ASSERT_LT(seen, games.size());
            const ArchivedGame& game = games[seen];
            EXPECT_EQ(head.number, seen);
            EXPECT_EQ(head.plies, game.plies.size());
            EXPECT_EQ(head.result, game.result);
            EXPECT_EQ(head.end, game.end);
            plies += head.plies;
            ++seen;
        }
    }
    EXPECT_EQ(seen, count);
    EXPECT_GT(blocks, 1);
    // Random moves and random steps of the score hold about 6.5 and 7.5 bits each.
    EXPECT_LT(static_cast<double>(std::filesystem::file_size(file())) / static_cast<double>(plies), 2.5);
}

TEST(Archive, IsContinuedWhereItEnded) {
    const test::TempFolder folder;
    write_games(folder / "a", 0, 30);
    write_games(folder / "a", 30, 60);
    const auto games = read_all(folder / "a");
    ASSERT_EQ(games.size(), 60U);
    EXPECT_EQ(games[59], random_game(59));
}

TEST(Archive, KeepsProvenance) {
    const test::TempFolder folder;
    {
        auto writer = ArchiveWriter::open(folder / "a");
        ASSERT_TRUE(writer);
        ASSERT_TRUE(writer->add(random_game(1)));
        ASSERT_TRUE(writer->add_provenance(R"({"nodes": 1000})"));
        ASSERT_TRUE(writer->add(random_game(2)));
        ASSERT_TRUE(writer->flush());
    }
    auto reader = ArchiveReader::open(folder / "a");
    ASSERT_TRUE(reader);
    ArchivedGame game;
    ASSERT_TRUE(*reader->next(game));
    EXPECT_TRUE(reader->provenances().empty());
    ASSERT_TRUE(*reader->next(game));
    EXPECT_EQ(reader->provenances(), std::vector<std::string>{R"({"nodes": 1000})"});
    EXPECT_EQ(game.number, 2U);
}

TEST(Archive, RefusesAnIllegalMoveAndStaysAsItWas) {
    const test::TempFolder folder;
    auto writer = ArchiveWriter::open(folder / "a");
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add(random_game(1)));
    ArchivedGame wrong;
    wrong.plies.push_back({*parse_usi_move("5i5a")});
    const auto added = writer->add(wrong);
    ASSERT_FALSE(added);
    EXPECT_NE(added.error().message.find("5i5a"), std::string::npos);
    ASSERT_TRUE(writer->flush());
    EXPECT_EQ(read_all(folder / "a").size(), 1U);
}

TEST(Archive, LosesOnlyTheBlockThatWasBeingWritten) {
    const test::TempFolder folder;
    write_games(folder / "a", 0, 40);
    const auto whole = std::filesystem::file_size(folder / "a");
    write_games(folder / "a", 40, 80);
    const auto longer = std::filesystem::file_size(folder / "a");
    for (std::uintmax_t size = longer - 1; size > whole; size -= (longer - whole) / 7) {
        std::filesystem::resize_file(folder / "a", size);
        EXPECT_EQ(read_all(folder / "a").size(), 40U);
    }
    write_games(folder / "a", 80, 90);
    const auto games = read_all(folder / "a");
    ASSERT_EQ(games.size(), 50U);
    EXPECT_EQ(games.back(), random_game(89));
}

}  // namespace
}  // namespace tsumugi::record
