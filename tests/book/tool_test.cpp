// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "book/line.hpp"
#include "book/sorter.hpp"
#include "book/tool/check.hpp"
#include "book/tool/difference.hpp"
#include "book/tool/pipeline.hpp"
#include "book/tool/statistics.hpp"
#include "book_fixture.hpp"

namespace tsumugi::book::tool {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const auto ignore = [](std::uint64_t, std::uint64_t) {};

std::vector<std::string> sorted_values(std::size_t budget) {
    const test::TempFolder folder;
    Sorter sorter(folder.path(), budget);
    for (int i = 0; i < 1000; ++i) {
        const int key = i * 37 % 101;
        EXPECT_TRUE(sorter.add(std::string(1, static_cast<char>(key)), std::to_string(i)).ok());
    }
    std::vector<std::string> values;
    std::string last;
    EXPECT_TRUE(sorter
                    .for_each([&](std::string_view key, std::string_view value) -> base::Result<void> {
                        EXPECT_LE(last, key);
                        last = key;
                        values.emplace_back(value);
                        return {};
                    })
                    .ok());
    EXPECT_EQ(folder.entries(), 0U) << "parts on the disk have no name";
    return values;
}

TEST(Sorter, SortsTheSameWayInMemoryAndOnTheDisk) {
    const auto in_memory = sorted_values(1 << 20);
    ASSERT_EQ(in_memory.size(), 1000U);
    EXPECT_EQ(sorted_values(500), in_memory);
    EXPECT_EQ(sorted_values(1), in_memory);
}

// A folder with two small books.
class BookTool : public testing::Test {
protected:
    void SetUp() override {
        write_text(folder / "a.db", test::read_file(test::own_data("book/sample.db")));
        Entry other = entry("7g7f 3c3d", {stored("2g2f", 99, 30, 5), stored("7i7h", 12, 20, 2)});
        other.position.move_number = 3;
        write_book(folder / "b.db", {other, entry("5g5f", {stored("3c3d", 0, 12, 1)})});
    }
    PipelineReport run_to(const std::string& name, std::vector<std::filesystem::path> inputs, const Filter& filter = {},
                          const Output::Options& options = {}) {
        Pipeline pipeline;
        pipeline.inputs = std::move(inputs);
        pipeline.output = folder / name;
        pipeline.filter = filter;
        pipeline.options = options;
        const auto report = run(pipeline, ignore);
        if (!report) throw std::runtime_error(report.error().message);
        return *report;
    }
    test::TempFolder folder;
};

TEST_F(BookTool, ConvertsThereAndBack) {
    run_to("a.ybb", {folder / "a.db"});
    run_to("back.db", {folder / "a.ybb"});
    const auto first = read_all(folder / "a.db");
    const auto back = read_all(folder / "back.db");
    ASSERT_EQ(back.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(back[i].position, first[i].position);
        ASSERT_EQ(back[i].moves.size(), first[i].moves.size());
        for (std::size_t k = 0; k < first[i].moves.size(); ++k) {
            EXPECT_EQ(back[i].moves[k].move, first[i].moves[k].move);
            EXPECT_EQ(back[i].moves[k].value, first[i].moves[k].value) << "also where it is not known";
        }
    }
}

TEST_F(BookTool, SortsWithLittleMemory) {
    auto entries = read_all(folder / "a.db");
    std::reverse(entries.begin(), entries.end());
    write_book(folder / "mixed.db", entries);
    Output::Options small;
    small.budget_bytes = 1;
    run_to("sorted.db", {folder / "mixed.db"}, {}, small);
    std::reverse(entries.begin(), entries.end());
    EXPECT_EQ(read_all(folder / "sorted.db"), entries);
    EXPECT_EQ(folder.entries(), 4U) << "nothing temporary is left";
}

TEST_F(BookTool, MergesWithTheFirstBookBeingRight) {
    const auto report = run_to("all.db", {folder / "a.db", folder / "b.db"});
    EXPECT_EQ(report.read, 6U);
    EXPECT_EQ(report.written, 5U);
    const auto book = open_book(folder / "all.db");
    const Entry joined = (*book)->find(after("7g7f 3c3d"), Book::Ply::any)->value();
    ASSERT_EQ(joined.moves.size(), 3U);
    EXPECT_EQ(joined.moves[0].value, 52);
    EXPECT_EQ(joined.moves[0].count, 310);
    EXPECT_EQ(joined.moves[2].move, test::usi("7i7h"));
    Output::Options add;
    add.add_counts = true;
    run_to("sum.db", {folder / "a.db", folder / "b.db"}, {}, add);
    EXPECT_EQ((*open_book(folder / "sum.db"))->find(after("7g7f 3c3d"), Book::Ply::any)->value().moves[0].count, 315);
}

TEST_F(BookTool, RefusesToReplaceABookUnasked) {
    Pipeline pipeline;
    pipeline.inputs = {folder / "a.db"};
    pipeline.output = folder / "b.db";
    EXPECT_THAT(run(pipeline, ignore).error().message, HasSubstr("--force"));
    pipeline.overwrite = true;
    EXPECT_TRUE(run(pipeline, ignore).ok());
}

TEST_F(BookTool, LeavesTheOldBookWhenTheInputIsDamaged) {
    write_text(folder / "broken.db", "sfen " + std::string(record::even_sfen) + "\n7g7f\nnonsense\n");
    const std::string before = test::read_file(folder / "b.db");
    Pipeline pipeline;
    pipeline.inputs = {folder / "a.db", folder / "broken.db"};
    pipeline.output = folder / "b.db";
    pipeline.overwrite = true;
    EXPECT_THAT(run(pipeline, ignore).error().message, HasSubstr("broken.db: line 3"));
    EXPECT_EQ(test::read_file(folder / "b.db"), before);
}

TEST_F(BookTool, FiltersPositionsAndMoves) {
    const auto filtered = [&](const Filter& filter, const std::string& name) {
        run_to(name, {folder / "a.db"}, filter);
        return read_all(folder / name);
    };
    Filter plies;
    plies.first_ply = 2;
    plies.last_ply = 2;
    EXPECT_EQ(filtered(plies, "plies.db").size(), 2U);
    Filter side;
    side.side = shogi::Color::black;
    EXPECT_EQ(filtered(side, "side.db").size(), 2U);
    Filter best;
    best.best = 1;
    for (const Entry& each : filtered(best, "best.db"))
        EXPECT_EQ(each.moves.size(), 1U);
    Filter near;
    near.value_diff = 10;
    EXPECT_EQ(filtered(near, "near.db").back().moves.size(), 2U) << "38 and 35, not -60";
    Filter often;
    often.least_count = 900;
    EXPECT_EQ(filtered(often, "often.db").size(), 2U) << "one move has no count and passes";
    Filter deep;
    deep.least_depth = 27;
    EXPECT_EQ(filtered(deep, "deep.db").back().moves.size(), 2U);
}

TEST_F(BookTool, LeavesOutIllegalMoves) {
    write_book(folder / "illegal.db", {entry("", {stored("7g7f"), stored("7g7e")})});
    Filter legal;
    legal.legal_only = true;
    run_to("legal.db", {folder / "illegal.db"}, legal);
    EXPECT_EQ(read_all(folder / "legal.db")[0].moves, std::vector{stored("7g7f")});
}

TEST_F(BookTool, ChecksOrderRulesAndRepetition) {
    std::vector<std::string> complaints;
    const auto complain = [&](const std::string& line) { complaints.push_back(line); };
    EXPECT_TRUE(check(folder / "a.db", complain, ignore)->clean());
    EXPECT_THAT(complaints, ElementsAre());

    Entry impossible = entry("", {stored("7g7f")});
    impossible.position.put(shogi::Square::at(5, 9), {});
    impossible.position.put(shogi::Square::at(5, 8), {shogi::Color::white, shogi::Kind::king});
    write_book(folder / "wrong.db", {entry("", {stored("7g7f"), stored("7g7f"), stored("7g7e")}),
                                     entry("", {stored("2g2f")}), entry("7g7f 3c3d", {stored("2g2f")}), impossible});
    const auto report = check(folder / "wrong.db", complain, ignore);
    ASSERT_TRUE(report.ok());
    EXPECT_FALSE(report->clean());
    EXPECT_EQ(report->doubled, 1U);
    EXPECT_EQ(report->illegal, 1U);
    EXPECT_EQ(report->repeated, 1U);
    EXPECT_EQ(report->out_of_order, 1U);
    EXPECT_EQ(report->impossible, 1U);
    EXPECT_THAT(complaints, Contains(HasSubstr("7g7e is illegal")));

    complaints.clear();
    write_text(folder / "cut.db", "sfen " + std::string(record::even_sfen) + "\n7g7f none x\n");
    EXPECT_TRUE(check(folder / "cut.db", complain, ignore)->malformed);
    EXPECT_THAT(complaints, ElementsAre(HasSubstr("line 2")));
    EXPECT_FALSE(check(folder / "missing.db", complain, ignore).ok());
}

TEST_F(BookTool, ShowsDifferences) {
    std::vector<std::string> lines;
    const auto show = [&](const std::string& line) { lines.push_back(line); };
    const auto same = compare(folder / "a.db", folder / "a.db", 1 << 20, show, ignore);
    ASSERT_TRUE(same.ok());
    EXPECT_TRUE(same->none());
    EXPECT_EQ(same->same, 4U);
    const auto report = compare(folder / "a.db", folder / "b.db", 1, show, ignore);
    EXPECT_EQ(report->only_first, 3U);
    EXPECT_EQ(report->only_second, 1U);
    EXPECT_EQ(report->changed, 1U);
    EXPECT_EQ(report->best_changed, 0U);
    EXPECT_THAT(lines, Contains("- 2g2f 8c8d 52 24 310"));
    EXPECT_THAT(lines, Contains("+ 2g2f none 99 30 5"));
    EXPECT_THAT(lines, Contains("+ 7i7h none 12 20 2"));
}

TEST_F(BookTool, CountsWhatIsInABook) {
    const auto statistics = gather(folder / "a.db", ignore);
    ASSERT_TRUE(statistics.ok());
    EXPECT_EQ(statistics->positions, 4U);
    EXPECT_EQ(statistics->moves, 9U);
    EXPECT_EQ(statistics->with_value, 7U);
    EXPECT_EQ(statistics->lowest_value, -60);
    EXPECT_EQ(statistics->count_sum, 310 + 41 + 400 + 163 + 77 + 935 + 812 + 12);
    EXPECT_EQ(statistics->by_ply.at(2), 2U);
    EXPECT_THAT(statistics->json(), HasSubstr("\"positions\": 4"));
    EXPECT_THAT(statistics->text(), HasSubstr("positions        4"));
}

TEST_F(BookTool, FindsLinesAndWaysThroughABook) {
    const auto book = open_book(folder / "a.db");
    const auto found = lines(**book, {.plies = 3, .value_limit = {}, .value_diff = {}});
    ASSERT_TRUE(found.ok());
    std::set<std::string> ends;
    for (const Moves& line : *found) {
        shogi::Position position = shogi::Position::even();
        for (const shogi::Move move : line) {
            ASSERT_TRUE(position.is_legal(move));
            position.do_move(move);
        }
        EXPECT_TRUE(ends.insert(position_text(position.setup())).second) << "each position ends one line";
    }
    EXPECT_EQ(found->size(), 6U);
    // 5g5f is worth too little, and so are the lines it begins.
    EXPECT_EQ(lines(**book, {.plies = 1, .value_limit = 50, .value_diff = {}})->size(), 2U);
    EXPECT_EQ(lines(**book, {.plies = 3, .shortest = 3, .value_limit = {}, .value_diff = {}})->size(), 2U);
    EXPECT_EQ(lines(**book, {.plies = 3, .most = 2, .value_limit = {}, .value_diff = {}})->size(), 2U);

    const auto path = shortest_path(**book, after("7g7f 3c3d 6g6f"));
    ASSERT_TRUE(path.ok() && path->has_value());
    EXPECT_EQ(**path, (Moves{test::usi("7g7f"), test::usi("3c3d"), test::usi("6g6f")}));
    EXPECT_FALSE(shortest_path(**book, after("1g1f"))->has_value());
    EXPECT_TRUE(shortest_path(**book, shogi::Setup::even())->value().empty());
}

}  // namespace
}  // namespace tsumugi::book::tool
