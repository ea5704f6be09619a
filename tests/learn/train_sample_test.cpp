// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/atomic_file.hpp"
#include "learn/train/sample.hpp"
#include "record/archive.hpp"
#include "support/random_play.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn {
namespace {

// Random games of 40 plies with scores that count up from 0.
std::vector<record::ArchivedGame> games(int count) {
    std::vector<record::ArchivedGame> made;
    base::Random random(3);
    for (int g = 0; g < count; ++g) {
        record::ArchivedGame& game = made.emplace_back();
        game.number = static_cast<std::uint64_t>(g);
        game.result = static_cast<record::HcpeResult>(g % 3);
        shogi::Position position = shogi::Position::even();
        for (int ply = 0; ply < 40; ++ply) {
            shogi::MoveList moves;
            shogi::legal_moves(position, moves);
            if (moves.empty()) break;
            const shogi::Move move = moves[random.below(moves.size())];
            game.plies.push_back({move, static_cast<std::int16_t>(ply)});
            position.do_move(move);
        }
    }
    return made;
}

std::filesystem::path write_archive(const test::TempFolder& folder, const std::vector<record::ArchivedGame>& all) {
    const auto path = folder / "games.archive";
    auto writer = record::ArchiveWriter::open(path);
    for (const auto& game : all)
        EXPECT_TRUE(writer->add(game).ok());
    EXPECT_TRUE(writer->flush().ok());
    return path;
}

SampleFilter everything() {
    SampleFilter filter;
    filter.min_ply = 0;
    filter.in_check = true;
    filter.max_score = 40000;
    return filter;
}

TEST(SampleSet, TakesPositionsOfGamesWithScoreAndResultOfTheSideToMove) {
    const test::TempFolder folder(test::fast_place());
    const auto all = games(3);
    const auto set = load_samples({write_archive(folder, all)}, everything(), 2, {});
    ASSERT_TRUE(set.ok()) << set.error().message;
    EXPECT_EQ(set->games, 3U);
    std::size_t at = 0;
    for (const auto& game : all) {
        auto position = *shogi::Position::from(game.start);
        for (const auto& ply : game.plies) {
            ASSERT_LT(at, set->training.size());
            const Sample& sample = set->training[at++];
            EXPECT_EQ(sample.position, *record::to_packed_sfen(position.setup()));
            EXPECT_EQ(sample.score, ply.score);
            const bool black = position.side_to_move() == shogi::Color::black;
            const int expected = game.result == record::HcpeResult::draw                   ? 0
                                 : (game.result == record::HcpeResult::black_win) == black ? 1
                                                                                           : -1;
            EXPECT_EQ(sample.result, expected);
            position.do_move(ply.move);
        }
    }
    EXPECT_EQ(at, set->training.size());
}

TEST(SampleSet, LeavesOutWhatTheFilterNames) {
    const test::TempFolder folder(test::fast_place());
    auto all = games(30);
    all[0].plies[20].score = record::ArchivedPly::no_score;
    all[0].plies[22].score = record::ArchivedPly::mate_score - 3;
    const auto path = write_archive(folder, all);
    std::size_t checks = 0;
    std::size_t loud = 0;
    std::size_t late = 0;
    std::size_t total = 0;
    for (const auto& game : all) {
        auto position = *shogi::Position::from(game.start);
        for (std::size_t i = 0; i < game.plies.size(); ++i) {
            const auto& ply = game.plies[i];
            if (ply.has_score() && !ply.is_mate()) {
                ++total;
                checks += position.in_check() ? 1U : 0U;
                loud += ply.move.promotes() || position.is_capture(ply.move) ? 1U : 0U;
                late += i >= 10 && ply.score < 30 ? 1U : 0U;
            }
            position.do_move(ply.move);
        }
    }
    ASSERT_GT(checks, 0U);
    ASSERT_GT(loud, 0U);
    const auto count = [&](const SampleFilter& filter) { return load_samples({path}, filter, 1, {})->training.size(); };
    EXPECT_EQ(count(everything()), total);
    SampleFilter filter = everything();
    filter.in_check = false;
    EXPECT_EQ(count(filter), total - checks);
    filter = everything();
    filter.captures = false;
    EXPECT_EQ(count(filter), total - loud);
    filter = everything();
    filter.min_ply = 10;
    filter.max_score = 30;
    EXPECT_EQ(count(filter), late);
    filter = everything();
    filter.limit = 100;
    EXPECT_EQ(count(filter), 100U);
}

TEST(SampleSet, HoldsOutWholeGames) {
    const test::TempFolder folder(test::fast_place());
    SampleFilter filter = everything();
    const auto all = games(60);
    const auto path = write_archive(folder, all);
    filter.validation = 0.25;
    const auto set = load_samples({path}, filter, 1, {});
    const auto whole = load_samples({path}, everything(), 1, {});
    EXPECT_EQ(set->training.size() + set->validation.size(), whole->training.size());
    EXPECT_GT(set->validation.size(), whole->training.size() / 10);
    EXPECT_LT(set->validation.size(), whole->training.size() / 2);
    // Every game starts with score 0 and counts up, so a whole game is a run of growing scores.
    int last = -1;
    for (const Sample& sample : set->validation) {
        EXPECT_TRUE(sample.score == last + 1 || sample.score == 0);
        last = sample.score;
    }
}

TEST(SampleSet, ReadsPackedSfenValuesAndHoldsOutTheLast) {
    const test::TempFolder folder(test::fast_place());
    std::string bytes;
    std::vector<record::PackedSfenValue> values;
    test::play_random_games(4, 30, 9, [&](const shogi::Position& position) {
        record::PackedSfenValue value;
        value.position = *record::to_packed_sfen(position.setup());
        value.score = static_cast<std::int16_t>(values.size());
        value.game_ply = static_cast<std::uint16_t>(position.move_number());
        value.result = static_cast<std::int8_t>(static_cast<int>(values.size() % 3) - 1);
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        if (values.size() % 2 == 0) value.move = moves[0];
        std::array<std::uint8_t, record::PackedSfenValue::size> record{};
        write(value, record);
        bytes.append(record.begin(), record.end());
        values.push_back(value);
    });
    const auto path = folder / "positions.psv";
    ASSERT_TRUE(base::write_file(path, bytes).ok());
    SampleFilter filter = everything();
    filter.validation = 0.1;
    const auto set = load_samples({path}, filter, 2, {});
    ASSERT_TRUE(set.ok()) << set.error().message;
    EXPECT_EQ(set->validation.size(), values.size() / 10);
    std::vector<Sample> all = set->training;
    all.insert(all.end(), set->validation.begin(), set->validation.end());
    ASSERT_EQ(all.size(), values.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].position, values[i].position);
        EXPECT_EQ(all[i].score, values[i].score);
        EXPECT_EQ(all[i].result, values[i].result);
        EXPECT_EQ(all[i].played, i % 2 == 0 ? 1 : 0) << "without a move nobody played on";
    }
    filter = everything();
    filter.min_ply = 8;
    EXPECT_EQ(load_samples({path}, filter, 2, {})->training.size(), values.size() - 4 * 8);

    ASSERT_TRUE(base::write_file(path, bytes + "x").ok());
    EXPECT_FALSE(load_samples({path}, filter, 2, {}).ok());
    bytes[40 * 7] = static_cast<char>(0xff);
    bytes[40 * 7 + 1] = static_cast<char>(0xff);
    ASSERT_TRUE(base::write_file(path, bytes).ok());
    const auto broken = load_samples({path}, everything(), 2, {});
    ASSERT_FALSE(broken.ok());
    EXPECT_NE(broken.error().message.find("record 8"), std::string::npos) << broken.error().message;
}

}  // namespace
}  // namespace tsumugi::learn
