// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/probe.hpp"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "book_fixture.hpp"
#include "support/damage.hpp"

namespace tsumugi::book {
namespace {

using shogi::Position;
using testing::Contains;
using testing::HasSubstr;

// A book in memory.
class ListedBook : public Book {
public:
    explicit ListedBook(std::vector<Entry> entries) : entries_(std::move(entries)) {}

    base::Result<std::optional<Entry>> find(const shogi::Setup& position, Ply ply) const override {
        for (const Entry& each : entries_)
            if (position_text(each.position) == position_text(position) &&
                (ply == Ply::any || each.position.move_number == position.move_number))
                return std::optional<Entry>(each);
        return std::optional<Entry>();
    }

private:
    std::vector<Entry> entries_;
};

class DamagedBook : public Book {
public:
    base::Result<std::optional<Entry>> find(const shogi::Setup&, Ply) const override {
        return base::Error{base::Error::Code::syntax, "book.db: line 7: expected a move"};
    }
};

Shelf shelf(std::vector<Entry> entries) { return {{{"test.db", std::make_shared<ListedBook>(std::move(entries))}}}; }

// Accepts everything that is legal.
ProbeSettings lenient() {
    ProbeSettings settings;
    settings.value_diff = {100'000, 100'000};
    settings.value_limit = {-100'000, -100'000};
    settings.depth_limit = {0, 0};
    return settings;
}

ProbeResult ask(const Shelf& books, const ProbeSettings& settings, const Position& position = Position::even(),
                std::uint64_t seed = 1) {
    base::Random random(seed);
    return probe(books, position, {}, settings, random);
}

std::string played(const ProbeResult& result) {
    return result.chosen ? record::to_usi(result.candidates[*result.chosen].stored.move) : "none";
}

// How often each move is chosen among many seeds.
std::map<std::string, int> choices(const Shelf& books, const ProbeSettings& settings) {
    std::map<std::string, int> count;
    for (std::uint64_t seed = 0; seed < 1000; ++seed)
        ++count[played(ask(books, settings, Position::even(), seed))];
    return count;
}

TEST(Probe, SaysWhyEachMoveIsNotPlayed) {
    StoredMove bad = stored("9g9f", 50, 30);
    bad.mark = Mark::blunder;
    const Shelf books = shelf({entry("", {stored("2g2f", 50, 30), stored("7g7f", 10, 30), stored("5g5f", 45, 9),
                                          stored("1g1f", -20, 30), stored("2g2e", 50, 30), bad})});
    ProbeSettings settings;
    const ProbeResult result = ask(books, settings);
    EXPECT_EQ(played(result), "2g2f");
    EXPECT_EQ(result.book, "test.db");
    EXPECT_THAT(result.remarks, Contains(HasSubstr("7g7f is not played: it is worth 40 less than the best")));
    EXPECT_THAT(result.remarks, Contains(HasSubstr("5g5f is not played: its depth 9 is below the limit of 16")));
    EXPECT_THAT(result.remarks, Contains(HasSubstr("1g1f is not played: its value -20 is below the limit of 0")));
    EXPECT_THAT(result.remarks, Contains(HasSubstr("2g2e is not played: it is illegal")));
    EXPECT_THAT(result.remarks, Contains(HasSubstr("9g9f is not played: the book marks it as bad")));
    EXPECT_EQ(result.remarks.size(), 5U);
}

TEST(Probe, HoldsLimitsByColour) {
    const Shelf books = shelf({entry("", {stored("7g7f", -100, 30)}), entry("7g7f", {stored("3c3d", -100, 30)})});
    ProbeSettings settings;
    settings.value_limit = {0, -140};
    EXPECT_EQ(played(ask(books, settings)), "none");
    EXPECT_EQ(played(ask(books, settings, *Position::from(after("7g7f")))), "3c3d");
    settings.value_limit = {-140, 0};
    EXPECT_EQ(played(ask(books, settings)), "7g7f");
    EXPECT_EQ(played(ask(books, settings, *Position::from(after("7g7f")))), "none");
}

TEST(Probe, LetsUnknownValuesPass) {
    EXPECT_EQ(played(ask(shelf({entry("", {stored("7g7f", {}, {}, 3)})}), {})), "7g7f");
}

TEST(Probe, ChoosesEvenlyOrByCountAndTheSameForTheSameSeed) {
    const Shelf books =
        shelf({entry("", {stored("2g2f", 0, 30, 900), stored("7g7f", 0, 30, 99), stored("5g5f", 0, 30, 1)})});
    ProbeSettings settings = lenient();
    auto even = choices(books, settings);
    EXPECT_GT(even["5g5f"], 250);
    settings.by_count = true;
    auto by_count = choices(books, settings);
    EXPECT_GT(by_count["2g2f"], 850);
    EXPECT_LT(by_count["5g5f"], 10);
    settings.by_count = false;
    settings.narrow = true;
    auto narrow = choices(books, settings);
    EXPECT_EQ(narrow["2g2f"], 1000) << "99 and 1 of 1000 are less than a tenth";
    EXPECT_EQ(played(ask(books, lenient(), Position::even(), 5)), played(ask(books, lenient(), Position::even(), 5)));
}

TEST(Probe, ChoosesByCountAmongMovesNobodyPlayed) {
    ProbeSettings settings = lenient();
    settings.by_count = true;
    EXPECT_EQ(played(ask(shelf({entry("", {stored("2g2f", 0, 30, 0)})}), settings)), "2g2f");
}

TEST(Probe, IgnoresTheBookAsOftenAsAsked) {
    const Shelf books = shelf({entry("", {stored("2g2f")})});
    ProbeSettings settings = lenient();
    settings.ignore_percent = 30;
    const int ignored = choices(books, settings)["none"];
    EXPECT_GT(ignored, 230);
    EXPECT_LT(ignored, 370);
}

TEST(Probe, EndsWithTheLastMoveOfTheBook) {
    const Shelf books = shelf({entry("7g7f", {stored("3c3d")})});
    ProbeSettings settings = lenient();
    settings.last_ply = 2;
    EXPECT_EQ(played(ask(books, settings, *Position::from(after("7g7f")))), "3c3d");
    settings.last_ply = 1;
    const ProbeResult late = ask(books, settings, *Position::from(after("7g7f")));
    EXPECT_EQ(played(late), "none");
    EXPECT_THAT(late.remarks,
                testing::ElementsAre("book test.db: 3c3d is not played: BookMoves ends the book at move 1"));
    EXPECT_TRUE(ask(books, settings, *Position::from(after("2g2f"))).remarks.empty()) << "nothing is passed over";
}

TEST(Probe, FindsAPositionWithColoursExchanged) {
    // The book knows White's side of it only.
    const Shelf books = shelf({flipped(entry("7g7f 3c3d", {stored("2g2f", 20, 30)}))});
    const Position position = *Position::from(after("7g7f 3c3d"));
    EXPECT_EQ(played(ask(books, lenient(), position)), "2g2f");
    ProbeSettings settings = lenient();
    settings.flipped = false;
    const ProbeResult result = ask(books, settings, position);
    EXPECT_EQ(played(result), "none");
    EXPECT_THAT(result.remarks, testing::ElementsAre(HasSubstr("2g2f is not played: the book knows it with colours "
                                                               "exchanged and FlippedBook is false")));
}

TEST(Probe, ComparesMoveNumbersWhenAsked) {
    shogi::Setup later = shogi::Setup::even();
    later.move_number = 9;
    const Shelf books = shelf({entry("", {stored("2g2f")})});
    ProbeSettings settings = lenient();
    EXPECT_EQ(played(ask(books, settings, *Position::from(later))), "2g2f");
    settings.ignore_ply = false;
    const ProbeResult result = ask(books, settings, *Position::from(later));
    EXPECT_EQ(played(result), "none");
    EXPECT_THAT(result.remarks,
                testing::ElementsAre(HasSubstr("2g2f is not played: the book knows the position as move "
                                               "1 and IgnoreBookPly is false")));
    EXPECT_EQ(played(ask(books, settings)), "2g2f");
}

TEST(Probe, AsksTheNextBookWhenTheFirstHasNothingToPlay) {
    Shelf books = shelf({entry("", {stored("2g2f", -500, 30)})});
    books.volumes.push_back(
        {"second.db", std::make_shared<ListedBook>(std::vector{entry("", {stored("7g7f", 20, 30)})})});
    const ProbeResult result = ask(books, {});
    EXPECT_EQ(played(result), "7g7f");
    EXPECT_EQ(result.book, "second.db");
    EXPECT_THAT(result.remarks, Contains(HasSubstr("book test.db: 2g2f is not played")));
    books.volumes[0].book = std::make_shared<ListedBook>(std::vector{entry("", {stored("5g5f", 0, 30)})});
    EXPECT_EQ(played(ask(books, {})), "5g5f") << "the first book decides where it can";
}

TEST(Probe, RemarksOnADamagedBookAndGoesOn) {
    Shelf books{{{"broken.db", std::make_shared<DamagedBook>()}}};
    books.volumes.push_back(
        {"second.db", std::make_shared<ListedBook>(std::vector{entry("", {stored("7g7f", 20, 30)})})});
    const ProbeResult result = ask(books, {});
    EXPECT_EQ(played(result), "7g7f");
    EXPECT_THAT(result.remarks, Contains(HasSubstr("line 7")));
}

TEST(Probe, PlaysMovesThatASearchWouldNotConsider) {
    // Leaving bishop or pawn unpromoted is pointless, and legal.
    const Position position = *Position::from(after("7g7f 3c3d"));
    Entry each;
    each.position = position.setup();
    each.moves = {stored("8h2b", 100, 30)};
    EXPECT_EQ(played(ask(shelf({each}), {}, position)), "8h2b");
}

TEST(Probe, PlaysOnlyMovesAskedFor) {
    const Shelf books = shelf({entry("", {stored("2g2f", 10, 30), stored("7g7f", 10, 30)})});
    base::Random random(1);
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(played(probe(books, Position::even(), {test::usi("7g7f")}, {}, random)), "7g7f");
}

TEST(Probe, ShowsTheLineTheBookExpects) {
    StoredMove first = stored("7g7f", 10, 30);
    first.reply = test::usi("8c8d");
    const Shelf books = shelf({entry("", {first}), entry("7g7f", {stored("3c3d", 0, 30), stored("8c8d", -9, 30)}),
                               entry("7g7f 8c8d", {stored("2g2f", 5, 30), stored("7i6h", 9, 30)})});
    const auto line = ask(books, {}).candidates.front().line;
    EXPECT_EQ(line, (std::vector{test::usi("7g7f"), test::usi("8c8d"), test::usi("7i6h")}));
    ProbeSettings settings;
    settings.line_length = 1;
    EXPECT_EQ(ask(books, settings).candidates.front().line.size(), 1U);
}

TEST(Probe, DoesNotGivePerpetualCheckAFourthTime) {
    Position position = test::position("4k4/9/9/9/9/9/9/9/4K2R1 b - 1");
    // The rook checks for ever; the king goes to and fro.
    position.do_move(test::usi("2i2a"));
    for (int i = 0; i < 3; ++i)
        for (const char* move : {"5a5b", "2a2b", "5b5a", "2b2a"})
            if (i < 2 || move != std::string("2b2a")) position.do_move(test::usi(move));
    Entry each;
    each.position = position.setup();
    shogi::MoveList moves;
    shogi::legal_moves(position, moves);
    bool forbidden = false;
    for (const shogi::Move move : moves) {
        Position next = position;
        next.do_move(move);
        each.moves = {stored(record::to_usi(move))};
        const ProbeResult result = ask(shelf({each}), lenient(), position);
        const bool loses = next.game_repetition() == shogi::Repetition::win;
        EXPECT_EQ(result.chosen.has_value(), !loses) << record::to_usi(move);
        forbidden = forbidden || loses;
    }
    EXPECT_TRUE(forbidden) << "the position does not show the case";
}

TEST(Probe, NeverPlaysAnIllegalMoveWhateverTheFileSays) {
    const test::TempFolder folder(test::fast_place());
    write_book(folder / "book.ybb", {entry("", {stored("7g7f", 10, 20), stored("2g2f", 10, 20)})});
    const std::string bytes = test::read_file(folder / "book.ybb");
    int answers = 0;
    test::for_each_damaged(bytes, 1500, [&](const std::string& damaged) {
        write_text(folder / "damaged.ybb", damaged);
        auto book = open_book(folder / "damaged.ybb");
        if (!book) return;
        const ProbeResult result = ask({{{"damaged.ybb", *std::move(book)}}}, lenient());
        if (!result.chosen) return;
        ++answers;
        EXPECT_TRUE(Position::even().is_legal(result.candidates[*result.chosen].stored.move));
    });
    EXPECT_GT(answers, 20) << "some damage leaves the book usable";
}

}  // namespace
}  // namespace tsumugi::book
