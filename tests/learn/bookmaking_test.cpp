// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "book/file.hpp"
#include "data_support.hpp"
#include "eval/material.hpp"
#include "learn/bookmaking/duel.hpp"
#include "learn/bookmaking/publication.hpp"
#include "record/sfen.hpp"
#include "support/position.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn::bookmaking {
namespace {

using book::StoredMove;
using shogi::Color;
using test::checked;

StoredMove valued(const char* usi, int value) {
    StoredMove move;
    move.move = test::usi(usi);
    move.value = value;
    move.depth = 10;
    return move;
}

shogi::Position after(std::initializer_list<const char*> moves) {
    shogi::Position position = shogi::Position::even();
    for (const char* move : moves)
        position.do_move(test::usi(move));
    return position;
}

// A workspace in a folder of its own.
class BookMaking : public testing::Test {
protected:
    BookMaking() : workspace(open()) {}
    Workspace open() { return std::move(*Workspace::open(folder / "book.work")); }
    void put(const shogi::Position& position, const std::vector<StoredMove>& moves) {
        std::vector<Change> changes;
        for (const StoredMove& move : moves)
            changes.push_back({position.setup(), move, "a test"});
        checked(workspace.add_step("test", "", changes));
    }
    std::vector<std::string> leaves(const LeafRule& rule, std::size_t count = 100) {
        std::vector<std::string> texts;
        for (const shogi::Position& each : find_leaves(Outlook(workspace, 0), rule, count))
            texts.push_back(book::position_text(each.setup()));
        return texts;
    }
    static std::string text(std::initializer_list<const char*> moves) {
        return book::position_text(after(moves).setup());
    }

    test::TempFolder folder;
    Workspace workspace;
};

TEST_F(BookMaking, RemembersMovesReasonsAndSteps) {
    put(after({}), {valued("7g7f", 30), valued("2g2f", 20)});
    checked(workspace.add_step("duel", "a game", {{after({}).setup(), valued("7g7f", -5), "second thoughts"}}));
    const Workspace again = open();
    const book::Entry* entry = again.find(after({}).setup());
    ASSERT_NE(entry, nullptr);
    ASSERT_EQ(entry->moves.size(), 2U);
    EXPECT_EQ(entry->find(test::usi("7g7f"))->value, -5) << "the later verdict replaces the earlier";
    EXPECT_EQ(entry->find(test::usi("2g2f"))->depth, 10);
    EXPECT_EQ(checked(workspace.steps("duel")), 1U);
    EXPECT_EQ(checked(workspace.steps("think")), 0U);
    const auto reasons = checked(workspace.explain(after({}).setup()));
    ASSERT_EQ(reasons.size(), 2U);
    EXPECT_EQ(reasons[0].reason, "a test");
    EXPECT_EQ(reasons[1].reason, "second thoughts");
}

TEST_F(BookMaking, FindsAPositionWhateverItsMoveNumber) {
    put(after({}), {valued("7g7f", 30)});
    shogi::Setup later = shogi::Setup::even();
    later.move_number = 9;
    EXPECT_NE(workspace.find(later), nullptr);
}

TEST_F(BookMaking, BacksValuesUpBeforeItChooses) {
    put(after({}), {valued("7g7f", 50), valued("2g2f", 20)});
    put(after({"7g7f"}), {valued("3c3d", 10), valued("8c8d", 5)});
    const Outlook outlook(workspace, 0);
    const auto choices = outlook.choices(after({}));
    ASSERT_EQ(choices.size(), 2U);
    EXPECT_EQ(choices[0].move, test::usi("2g2f")) << "the reply 3c3d is worth 10 to White";
    EXPECT_EQ(choices[1].value, -10);
    EXPECT_TRUE(outlook.choices(after({"2g2f"})).empty());
}

TEST_F(BookMaking, LeavesAreWhatBestPlayOfTheUserLeadsTo) {
    put(after({}), {valued("7g7f", 50), valued("2g2f", 20)});
    put(after({"7g7f"}), {valued("3c3d", -40), valued("8c8d", -60), valued("9c9d", -300)});
    LeafRule rule;
    rule.user = Color::black;
    rule.opponent_margin = 50;
    EXPECT_EQ(leaves(rule), (std::vector{text({"7g7f", "3c3d"}), text({"7g7f", "8c8d"})}))
        << "the smaller concession first, and nobody plays 9c9d or lets Black play 2g2f";
    rule.opponent_margin = 1000;
    EXPECT_EQ(leaves(rule).size(), 3U);
    rule.own_margin = 50;
    EXPECT_EQ(leaves(rule).size(), 4U);
    EXPECT_EQ(leaves(rule, 2).size(), 2U);
    rule.plies = 2;
    EXPECT_EQ(leaves(rule), std::vector{text({"2g2f"})}) << "the others come later in the game";
    rule.roots = {after({"7g7f", "8c8d"}).setup()};
    rule.plies = 60;
    EXPECT_EQ(leaves(rule), std::vector{text({"7g7f", "8c8d"})});
}

TEST_F(BookMaking, NoticesLinesThatRejoin) {
    put(after({"2g2f", "3c3d", "7g7f"}), {valued("8c8d", 0)});
    const auto moves = rejoining_moves(workspace, after({"7g7f", "3c3d"}), {});
    ASSERT_EQ(moves.size(), 1U);
    EXPECT_EQ(moves[0].move, test::usi("2g2f"));
    EXPECT_TRUE(rejoining_moves(workspace, after({"7g7f", "3c3d"}), {valued("2g2f", 1)}).empty());
}

TEST_F(BookMaking, ThinksAboutOnePositionAfterTheOther) {
    ThinkSettings settings;
    settings.effort = {.nodes = 300, .depth = {}, .lines = 2, .table_mib = 1};
    settings.positions = 9;
    settings.workers = 2;
    int told = 0;
    const ThinkReport report = checked(think_on(workspace, settings, eval::material_evaluator(), [&] { ++told; }, {}));
    EXPECT_EQ(report.positions, 9U);
    EXPECT_EQ(told, 9);
    EXPECT_EQ(workspace.entries().size(), 9U);
    EXPECT_NE(workspace.find(shogi::Setup::even()), nullptr);
    for (const auto& [key, entry] : workspace.entries()) {
        const auto position = shogi::Position::from(entry.position);
        for (const StoredMove& move : entry.moves)
            EXPECT_TRUE(position->is_legal(move.move)) << key;
    }
    EXPECT_EQ(checked(workspace.steps("think")), 9U);
}

DuelSettings quick_duels() {
    DuelSettings settings;
    settings.maker_nodes = 400;
    settings.opponent_nodes = 100;
    settings.table_mib = 1;
    settings.max_moves = 60;
    settings.plies = 30;
    return settings;
}

TEST_F(BookMaking, StoresTheMovesOfGamesWithoutTrouble) {
    DuelSettings settings = quick_duels();
    settings.margin = 30'000;  // never in trouble
    const auto material = eval::material_evaluator();
    Duellist duellist(material, {{"itself", material}}, settings);
    const auto nothing = [](const shogi::Setup&) { return std::optional<book::Entry>(); };
    const auto result = duellist.play(0, shogi::Position::even(), nothing, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->ending, DuelResult::Ending::no_trouble);
    EXPECT_EQ(result->changes.size(), 15U) << "Black's moves up to move 30";
    for (const Change& change : result->changes)
        EXPECT_EQ(change.position.side_to_move, Color::black);
    EXPECT_EQ(result->changes.front().move.move, result->moves.front());
    const auto repeated = duellist.play(0, shogi::Position::even(), nothing, {});
    EXPECT_EQ(repeated->moves, result->moves) << "a game depends on its number only";
    EXPECT_EQ(duellist.play(1, shogi::Position::even(), nothing, {})->changes.front().position.side_to_move,
              Color::white);
}

TEST_F(BookMaking, PlaysFromTheBookAndCorrectsItWhereItLedIntoTrouble) {
    // Black is told to open with a move and then to give his rook away for nothing.
    put(after({}), {valued("7g7f", 0)});
    const auto reply = [&](const shogi::Setup& setup) -> std::optional<book::Entry> {
        if (book::position_text(setup) == book::position_text(shogi::Setup::even()))
            return *workspace.find(shogi::Setup::even());
        if (setup.side_to_move != Color::black) return std::nullopt;
        // Whatever White replied: a decision that the book calls fine, and one later that is not.
        book::Entry entry{setup, {}, {}};
        const auto position = shogi::Position::from(setup);
        for (const char* usi : {"2g2f", "2f2e", "2e2d", "2h2d"})
            if (position->is_legal(test::usi(usi))) {
                entry.moves.push_back(valued(usi, setup.move_number > 6 ? -500 : 0));
                return entry;
            }
        return std::nullopt;
    };
    DuelSettings settings = quick_duels();
    settings.margin = 100;
    settings.varied_plies = 0;
    const auto material = eval::material_evaluator();
    Duellist duellist(material, {{"itself", material}}, settings);
    const auto result = duellist.play(0, shogi::Position::even(), reply, {});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->ending, DuelResult::Ending::alternative) << result->text;
    // The last own decision before the trouble got an alternative and a corrected value.
    ASSERT_EQ(result->changes.size(), 2U);
    const Change& alternative = result->changes[0];
    const Change& corrected = result->changes[1];
    EXPECT_EQ(alternative.position, corrected.position);
    EXPECT_EQ(alternative.position.move_number, 5);
    EXPECT_NE(alternative.move.move, corrected.move.move);
    EXPECT_EQ(corrected.move.value, -500);
    EXPECT_GE(*alternative.move.value, -100);
    EXPECT_NE(alternative.reason.find("in place of"), std::string::npos);
}

TEST_F(BookMaking, GoesOnWithTheGamesOfAnEarlierRun) {
    const auto material = eval::material_evaluator();
    std::uint64_t told = 0;
    const auto count = [&](const DuelReport&) { ++told; };
    checked(duel(workspace, quick_duels(), material, {{"itself", material}}, 2, 1, count, {}));
    EXPECT_EQ(told, 2U);
    workspace = open();
    const DuelReport more = checked(duel(workspace, quick_duels(), material, {{"itself", material}}, 5, 2, count, {}));
    EXPECT_EQ(more.games, 3U);
    EXPECT_EQ(more.no_trouble + more.alternatives + more.given_up, 3U);
    EXPECT_EQ(checked(workspace.steps("duel")), 5U);
    EXPECT_FALSE(workspace.entries().empty());
}

TEST_F(BookMaking, PublishesBackedUpValues) {
    put(after({}), {valued("7g7f", 50), valued("2g2f", 20)});
    put(after({"7g7f"}), {valued("3c3d", 10)});
    Publication publication;
    publication.output = folder / "book.db";
    for (int time = 0; time < 2; ++time) {
        const auto report = checked(publish(workspace, publication));
        EXPECT_EQ(report.positions, 2U);
        const auto opened = book::open_book(publication.output);
        const auto entry = checked(checked(opened)->find(shogi::Setup::even(), book::Book::Ply::any));
        ASSERT_TRUE(entry);
        EXPECT_EQ(entry->moves.front().move, test::usi("2g2f"));
        EXPECT_EQ(entry->find(test::usi("7g7f"))->value, -10);
    }
    std::set<std::string> files;
    for (const auto& each : std::filesystem::directory_iterator(publication.output.parent_path()))
        files.insert(each.path().extension().string());
    EXPECT_EQ(files.count(".db"), 1U);
    EXPECT_FALSE(std::filesystem::exists(folder / ".book.db.plain.db"));
}

}  // namespace
}  // namespace tsumugi::learn::bookmaking
