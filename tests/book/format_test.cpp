// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "book/format/apery.hpp"
#include "book/format/db.hpp"
#include "book/format/sbk.hpp"
#include "book/format/ybb.hpp"
#include "book/output.hpp"
#include "book/tool/check.hpp"
#include "book/tool/difference.hpp"
#include "book/tool/pipeline.hpp"
#include "book/tool/statistics.hpp"
#include "book_fixture.hpp"
#include "record/hcp.hpp"
#include "record/packed_sfen.hpp"
#include "support/damage.hpp"
#include "support/random_play.hpp"

namespace tsumugi::book {
namespace {

using testing::HasSubstr;

std::string first_error(std::string_view text) {
    DbReader reader(text);
    if (const auto header = reader.read_header(); !header) return header.error().message;
    Entry each;
    for (;;) {
        const auto more = reader.next(each);
        if (!more) return more.error().message;
        if (!*more) return "none";
    }
}

TEST(DbFormat, ReadsEveryFormOfLine) {
    const auto entries = read_all(test::own_data("book/sample.db"));
    ASSERT_EQ(entries.size(), 4U);
    EXPECT_EQ(entries[0].position.move_number, 3);
    EXPECT_EQ(entries[0].comment, "a position may have\ntwo lines of comment");
    ASSERT_EQ(entries[0].moves.size(), 2U);
    EXPECT_EQ(entries[0].moves[0], [] {
        StoredMove move = stored("2g2f", 52, 24, 310);
        move.reply = test::usi("8c8d");
        return move;
    }());
    EXPECT_EQ(entries[0].moves[1].comment, "Black closes the diagonal");
    EXPECT_TRUE(entries[0].moves[1].reply.is_none());
    EXPECT_EQ(entries[1].moves[0], stored("8c8d", {}, {}, 400)) << "'none' is no value";
    EXPECT_EQ(entries[1].moves[1].count, 163) << "two spaces have an unknown value between them";
    EXPECT_EQ(entries[1].moves[1].value, std::nullopt);
    EXPECT_EQ(entries[2].moves[0].count, std::nullopt) << "columns at the end may be missing";
    EXPECT_EQ(entries[2].moves[0].comment, "White may wait");
}

TEST(DbFormat, NamesTheLineOfAMistake) {
    const std::string good = "#YANEURAOU-DB2016 1.00\nsfen " + std::string(record::even_sfen) + "\n";
    EXPECT_THAT(first_error(good + "7g7f none 1 2 3\n9z9z none 1 2 3\n"), HasSubstr("line 4"));
    EXPECT_THAT(first_error(good + "7g7f none much 2 3\n"), HasSubstr("line 3: value"));
    EXPECT_THAT(first_error(good + "7g7f none 1 2 3 4\n"), HasSubstr("line 3"));
    EXPECT_THAT(first_error("7g7f none 1 2 3\n"), HasSubstr("line 1: expected 'sfen'"));
    EXPECT_THAT(first_error("sfen lnsgkgsn/9 b - 1\n"), HasSubstr("line 1"));
    EXPECT_THAT(first_error("#YANEURAOU-DB2016 2.00\n"), HasSubstr("not known"));
    EXPECT_THAT(first_error("#YANEURAOU-POLICY-DB2024 1.00\n"), HasSubstr("not known"));
}

TEST(DbFormat, PassesOverWhatIsNoMove) {
    EXPECT_EQ(first_error("sfen " + std::string(record::even_sfen) + "\nnone none 0 0 0\nresign none\n\n \n"), "none");
}

TEST(DbFormat, WritesWhatItReads) {
    const test::TempFolder folder;
    const auto entries = read_all(test::own_data("book/sample.db"));
    write_book(folder / "copy.db", entries);
    EXPECT_EQ(read_all(folder / "copy.db"), entries);
    EXPECT_EQ(folder.entries(), 1U) << "nothing temporary is left";
}

TEST(DbFormat, SurvivesDamage) {
    test::for_each_damaged(test::read_file(test::own_data("book/sample.db")), 300, [](const std::string& text) {
        DbReader reader(text);
        Entry each;
        for (;;) {
            const auto more = reader.next(each);
            if (!more || !*more) return;
        }
    });
}

// A book of random games, as entries with one or more moves, in the order of the format.
std::vector<Entry> random_book(Format format) {
    std::map<std::string, Entry> sorted;
    test::play_random_games(6, 40, 11, [&](shogi::Position& position) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        Entry each;
        each.position = position.setup();
        for (std::size_t i = 0; i < moves.size() && i < 1 + position.key() % 5; ++i)
            each.moves.push_back(stored(record::to_usi(moves[i]), static_cast<int>(position.key() % 2000) - 1000,
                                        1 + static_cast<int>(i)));
        if (!each.moves.empty()) sorted.emplace(*order_key(format, each.position), each);
    });
    std::vector<Entry> entries;
    for (auto& [key, each] : sorted)
        entries.push_back(std::move(each));
    return entries;
}

TEST(DbBook, FindsEveryPositionOnTheDisk) {
    const test::TempFolder folder;
    auto entries = random_book(Format::db);
    write_book(folder / "book.db", entries);
    for (const bool trust : {true, false}) {
        const auto book = open_book(folder / "book.db", trust);
        ASSERT_TRUE(book.ok()) << book.error().message;
        for (const Entry& each : entries) {
            const auto found = (*book)->find(each.position, Book::Ply::any);
            ASSERT_TRUE(found.ok() && found->has_value()) << record::to_sfen(each.position);
            EXPECT_EQ(**found, each);
        }
        EXPECT_FALSE((*book)->find(after("1g1f 1c1d 1f1e"), Book::Ply::any)->has_value());
    }
}

TEST(DbBook, FindsPositionsInSmallFilesAndAroundBlankLines) {
    const test::TempFolder folder;
    const std::string position = "sfen " + std::string(record::even_sfen) + "\n";
    for (const std::string& text :
         {std::string(""), std::string("\n"), position, position + "7g7f none 0 20 1\n",
          position + "7g7f none 0 20 1\n\n\n\n", "\xef\xbb\xbf" + position + "7g7f none 0 20 1\r\n",
          "#YANEURAOU-DB2016 1.00\n\n" + position + "7g7f none 0 20 1", std::string("sfen ")}) {
        write_text(folder / "book.db", text);
        const auto book = open_book(folder / "book.db");
        ASSERT_TRUE(book.ok());
        const auto found = (*book)->find(shogi::Setup::even(), Book::Ply::any);
        ASSERT_TRUE(found.ok());
        EXPECT_EQ(found->has_value(), text.find(position) != std::string::npos) << text;
        if (*found && text.size() > position.size() + 10) {
            EXPECT_NE((*found)->find(test::usi("7g7f")), nullptr) << text;
        }
    }
}

TEST(DbBook, FindsPositionsInAFileOutOfOrder) {
    const test::TempFolder folder;
    auto entries = random_book(Format::db);
    std::reverse(entries.begin(), entries.end());
    write_book(folder / "book.db", entries);
    const auto book = open_book(folder / "book.db");
    ASSERT_TRUE(book.ok());
    for (const Entry& each : entries)
        EXPECT_EQ((*book)->find(each.position, Book::Ply::any)->value(), each);
}

TEST(DbBook, TellsPliesApartWhenAsked) {
    const test::TempFolder folder;
    Entry early = entry("", {stored("7g7f")});
    Entry late = early;
    late.position.move_number = 5;
    late.moves = {stored("2g2f")};
    write_book(folder / "book.db", {early, late});
    const auto book = open_book(folder / "book.db");
    shogi::Setup wanted = early.position;
    EXPECT_EQ((*book)->find(wanted, Book::Ply::same)->value(), early);
    wanted.move_number = 5;
    EXPECT_EQ((*book)->find(wanted, Book::Ply::any)->value(), late) << "the same ply is preferred";
    wanted.move_number = 7;
    EXPECT_EQ((*book)->find(wanted, Book::Ply::any)->value(), early);
    EXPECT_FALSE((*book)->find(wanted, Book::Ply::same)->has_value());
}

TEST(YbbFormat, WritesWhatItReadsAndFindsEveryPosition) {
    const test::TempFolder folder;
    const auto entries = random_book(Format::ybb);
    write_book(folder / "book.ybb", entries);
    EXPECT_EQ(read_all(folder / "book.ybb"), entries);
    const std::string bytes = test::read_file(folder / "book.ybb");
    for (const bool in_memory : {false, true}) {
        const auto book = in_memory ? YbbBook::of(bytes, "in memory") : open_book(folder / "book.ybb");
        ASSERT_TRUE(book.ok()) << book.error().message;
        for (const Entry& each : entries)
            EXPECT_EQ((*book)->find(each.position, Book::Ply::any)->value(), each);
        EXPECT_FALSE((*book)->find(after("1g1f 1c1d 1f1e"), Book::Ply::any)->has_value());
    }
    EXPECT_EQ(folder.entries(), 1U) << "nothing temporary is left";
}

TEST(YbbFormat, RefusesPositionsOutOfOrder) {
    const test::TempFolder folder;
    auto entries = random_book(Format::ybb);
    std::swap(entries[0], entries[1]);
    EXPECT_THROW(write_book(folder / "book.ybb", entries), std::runtime_error);
    EXPECT_EQ(folder.entries(), 0U) << "what could not be finished leaves nothing behind";
}

TEST(YbbFormat, SurvivesDamageAndSaysWhereItIs) {
    const test::TempFolder folder;
    write_book(folder / "book.ybb", random_book(Format::ybb));
    std::string bytes = test::read_file(folder / "book.ybb");
    bytes.resize(32 + 44 * 3);
    EXPECT_THAT(YbbView::of(bytes).error().message, HasSubstr("byte 16"));
    EXPECT_THAT(YbbView::of("YANE-BINBOOK-V2\0").error().message, HasSubstr("byte 0"));

    write_book(folder / "small.ybb", {entry("", {stored("7g7f", 10, 20)})});
    test::for_each_damaged(test::read_file(folder / "small.ybb"), 2000, [](const std::string& text) {
        const auto view = YbbView::of(text);
        if (!view) return;
        for (std::uint64_t i = 0; i < view->size(); ++i)
            if (const auto each = view->entry(i); !each) {
                EXPECT_THAT(each.error().message, HasSubstr("byte "));
            }
    });
}

TEST(AperyFormat, HasTheKeysOfOtherPrograms) {
    // The first record of published books.
    EXPECT_EQ(apery_key(shogi::Setup::even()), 0xeebe8ee7e1ad7e15);
}

void add_apery(std::string& bytes, const shogi::Setup& position, std::string_view move, int count, int value) {
    put<std::uint64_t>(bytes, apery_key(position));
    put<std::uint16_t>(bytes, record::to_apery_move(test::usi(move)));
    put<std::uint16_t>(bytes, static_cast<std::uint16_t>(count));
    put<std::uint32_t>(bytes, static_cast<std::uint32_t>(value));
}

TEST(AperyFormat, FindsMovesByKeyAndWalksToThePositions) {
    const test::TempFolder folder;
    std::string bytes;  // out of order on purpose
    add_apery(bytes, after("2g2f 3c3d 7g7f"), "4c4d", 5, -31);
    add_apery(bytes, shogi::Setup::even(), "2g2f", 9, 40);
    add_apery(bytes, shogi::Setup::even(), "7g7f", 7, 35);
    add_apery(bytes, after("2g2f 3c3d"), "7g7f", 3, 41);
    write_text(folder / "book.bin", bytes);
    const auto book = open_book(folder / "book.bin");
    ASSERT_TRUE(book.ok()) << book.error().message;
    const auto start = (*book)->find(shogi::Setup::even(), Book::Ply::any);
    ASSERT_TRUE(start.ok() && start->has_value());
    EXPECT_EQ((*start)->moves, (std::vector<StoredMove>{stored("2g2f", 40, {}, 9), stored("7g7f", 35, {}, 7)}));

    // After 2g2f the book has no position of its own, but the next one can be reached over any reply.
    const auto entries = read_all(folder / "book.bin");
    EXPECT_EQ(entries.size(), 3U);
}

TEST(AperyFormat, SaysWhichKeysItHasNotReached) {
    const test::TempFolder folder;
    std::string bytes;
    add_apery(bytes, shogi::Setup::even(), "2g2f", 9, 40);
    write_text(folder / "all.bin", bytes);
    EXPECT_EQ((*open_source(folder / "all.bin"))->omission(), "");
    add_apery(bytes, after("9g9f 9c9d 1g1f"), "1c1d", 5, 0);
    write_text(folder / "some.bin", bytes);
    EXPECT_THAT((*open_source(folder / "some.bin"))->omission(), HasSubstr("1 of 2 keys were not reached"));
    tool::Pipeline pipeline;
    pipeline.inputs = {folder / "some.bin"};
    pipeline.output = folder / "some.db";
    const auto nothing = [](std::uint64_t, std::uint64_t) {};
    EXPECT_EQ(tool::run(pipeline, nothing)->omissions.size(), 1U);
    EXPECT_THAT(tool::check(
                    folder / "some.bin", [](const std::string&) {}, nothing)
                    ->omission,
                HasSubstr("1 of 2"));
    EXPECT_THAT(tool::gather(folder / "some.bin", nothing)->omission, HasSubstr("1 of 2"));
    EXPECT_EQ(tool::compare(
                  folder / "some.bin", folder / "all.bin", 1 << 20, [](const std::string&) {}, nothing)
                  ->omissions.size(),
              1U);
}

TEST(AperyFormat, IsNotWhatBeginsWithNoPosition) {
    const test::TempFolder folder;
    write_text(folder / "other.bin", std::string(160, 'x'));
    EXPECT_THAT(open_source(folder / "other.bin").error().message, HasSubstr("none of the 1 keys"));
    for (const char* name : {"empty.bin", "empty.sbk"}) {
        write_text(folder / name, "");
        EXPECT_THAT(open_source(folder / name).error().message, HasSubstr("the file is empty"));
        EXPECT_THAT(open_book(folder / name).error().message, HasSubstr("the file is empty"));
        EXPECT_TRUE(tool::check(
                        folder / name, [](const std::string&) {}, [](std::uint64_t, std::uint64_t) {})
                        ->malformed);
    }
}

TEST(AperyFormat, SaysWhereAFileIsDamaged) {
    const test::TempFolder folder;
    std::string bytes;
    add_apery(bytes, shogi::Setup::even(), "2g2f", 9, 40);
    write_text(folder / "cut.bin", bytes.substr(0, 15));
    EXPECT_THAT(open_book(folder / "cut.bin").error().message, HasSubstr("byte 0"));
    bytes[8] = '\x7f';  // square 127
    write_text(folder / "wrong.bin", bytes);
    EXPECT_THAT((*open_book(folder / "wrong.bin"))->find(shogi::Setup::even(), Book::Ply::any).error().message,
                HasSubstr("byte 8"));
}

// Just enough of Protocol Buffers to write a ShogiGUI book.
std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 128; value >>= 7)
        bytes += static_cast<char>(128 | (value & 127));
    return bytes + static_cast<char>(value);
}
std::string number(int field, std::uint64_t value) {
    return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}
std::string text(int field, const std::string& value) {
    return varint((static_cast<std::uint64_t>(field) << 3) | 2) + varint(value.size()) + value;
}
std::string sbk_move(std::uint64_t from_file, std::uint64_t from_rank, std::uint64_t file, std::uint64_t rank, int mark,
                     int weight, int next) {
    return text(9, number(1, file << 12 | rank << 8 | from_file << 4 | from_rank) +
                       number(2, static_cast<std::uint64_t>(mark)) + number(3, static_cast<std::uint64_t>(weight)) +
                       number(4, static_cast<std::uint64_t>(next)));
}

std::string sample_sbk() {
    return text(1, "an author") +
           text(3, number(1, 0) + text(7, std::string(record::even_sfen)) + text(8, "the start") +
                       sbk_move(2, 7, 2, 6, 2, 30, 1) + sbk_move(7, 7, 7, 6, 4, 10, 2)) +
           text(3, number(1, 1) + sbk_move(3, 3, 3, 4, 0, 5, 7)) + text(3, number(1, 2));
}

TEST(SbkFormat, FollowsMovesToThePositions) {
    const auto entries = parse_sbk(sample_sbk());
    ASSERT_TRUE(entries.ok()) << entries.error().message;
    ASSERT_EQ(entries->size(), 2U) << "a state that says nothing is no entry";
    EXPECT_EQ((*entries)[0].comment, "the start");
    EXPECT_EQ((*entries)[0].moves[0].count, 30);
    EXPECT_EQ((*entries)[0].moves[0].mark, Mark::good);
    EXPECT_EQ((*entries)[0].moves[1].mark, Mark::blunder);
    EXPECT_EQ(position_text((*entries)[1].position), position_text(after("2g2f")));
    EXPECT_EQ(record::to_usi((*entries)[1].moves[0].move), "3c3d");

    const test::TempFolder folder;
    write_text(folder / "book.sbk", sample_sbk());
    const auto book = open_book(folder / "book.sbk");
    ASSERT_TRUE(book.ok());
    EXPECT_EQ((*book)->find(after("2g2f"), Book::Ply::any)->value(), (*entries)[1]);
}

TEST(SbkFormat, SurvivesDamageAndSaysWhereItIs) {
    EXPECT_THAT(parse_sbk(sample_sbk().substr(0, 40)).error().message, HasSubstr("byte "));
    test::for_each_damaged(sample_sbk(), 3000, [](const std::string& bytes) {
        if (const auto entries = parse_sbk(bytes); !entries) {
            EXPECT_THAT(entries.error().message, HasSubstr("byte "));
        }
    });
}

TEST(BookFile, IsKnownByItsExtension) {
    EXPECT_EQ(format_of_name("a/BOOK.DB"), Format::db);
    EXPECT_THAT(open_source("book.txt").error().message, HasSubstr(".ybb"));
    EXPECT_THAT(create_writer("book.sbk").error().message, HasSubstr("read only"));
    EXPECT_THAT(open_source("/nonexistent/book.db").error().message, HasSubstr("/nonexistent/book.db"));
}

// Published fixtures of another program, where they stand beside the checkout.
class PublishedBooks : public testing::Test {
protected:
    void SetUp() override {
        folder_ = test::shared_data("book/shogihome");
        if (folder_.empty()) GTEST_SKIP() << "the collection is not beside the checkout";
    }
    std::filesystem::path folder_;
};

TEST_F(PublishedBooks, OfTextAreAllTheSame) {
    const auto entries = read_all(folder_ / "yaneuraou-copy.db");
    ASSERT_EQ(entries.size(), 5U);
    for (const char* name : {"yaneuraou.db", "yaneuraou-crlf.db", "yaneuraou-bom-crlf.db", "yaneuraou-bom-no-header.db",
                             "yaneuraou-no-header.db"})
        EXPECT_EQ(read_all(folder_ / name), entries) << name;
    EXPECT_THAT(open_source(folder_ / "yaneuraou-invalid-header.db").error().message, HasSubstr("line 1"));
}

TEST_F(PublishedBooks, AreWrittenAsTheyWere) {
    const test::TempFolder folder;
    for (const char* name : {"yaneuraou-copy.db", "yaneuraou-merge.db", "yaneuraou.ybb", "yaneuraou-edit.ybb"}) {
        write_book(folder / name, read_all(folder_ / name));
        EXPECT_EQ(test::read_file(folder / name), test::read_file(folder_ / name)) << name;
    }
}

TEST_F(PublishedBooks, OfTextAndBytesSayTheSame) {
    const test::TempFolder folder;
    auto output = Output::create(folder / "book.ybb", {});
    ASSERT_TRUE(output.ok());
    for (Entry each : read_all(folder_ / "yaneuraou.db")) {
        // The other program has written 0 for what it did not know.
        for (StoredMove& move : each.moves)
            move.value = move.value.value_or(0);
        ASSERT_TRUE(output->add(each).ok());
    }
    ASSERT_TRUE(output->finish([] {}).ok());
    EXPECT_EQ(test::read_file(folder / "book.ybb"), test::read_file(folder_ / "yaneuraou.ybb"));
}

TEST_F(PublishedBooks, OfAperyAreFoundByKey) {
    for (const char* name : {"apery.bin", "apery-merge.bin"}) {
        const auto book = AperyBook::open(folder_ / name);
        ASSERT_TRUE(book.ok());
        const auto start = (*book)->find(shogi::Setup::even(), Book::Ply::any);
        ASSERT_TRUE(start.ok() && start->has_value()) << name;
        EXPECT_EQ((*start)->moves.front(), stored("2g2f", 30, {}, 100));
        EXPECT_GT(read_all(folder_ / name).size(), 10U) << name;
        for (const Entry& each : read_all(folder_ / name)) {
            const auto position = shogi::Position::from(each.position);
            for (const StoredMove& move : each.moves)
                EXPECT_TRUE(position->is_legal(move.move)) << record::to_sfen(each.position);
        }
    }
}

TEST_F(PublishedBooks, OfShogiGuiHaveLegalMovesAndEqualCopies) {
    for (const char* name : {"shogigui01", "shogigui02"}) {
        const auto entries = read_all(folder_ / (std::string(name) + ".sbk"));
        EXPECT_GT(entries.size(), 20U) << name;
        for (const Entry& each : entries) {
            const auto position = shogi::Position::from(each.position);
            ASSERT_TRUE(position.ok());
            for (const StoredMove& move : each.moves)
                EXPECT_TRUE(position->is_legal(move.move))
                    << name << ' ' << record::to_sfen(each.position) << ' ' << record::to_usi(move.move);
        }
        const auto moves = [](std::vector<Entry> list) {
            std::map<std::string, std::vector<StoredMove>> by_position;
            for (Entry& each : list)
                if (!each.moves.empty()) by_position[position_text(each.position)] = each.moves;
            return by_position;
        };
        for (const char* kind : {"-copy.sbk", "-copy-otf.sbk"})
            EXPECT_EQ(moves(read_all(folder_ / (std::string(name) + kind))), moves(entries)) << name << kind;
    }
}

}  // namespace
}  // namespace tsumugi::book
