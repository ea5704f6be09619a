// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "book/file.hpp"
#include "book/game_import.hpp"
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
        checked(workspace.add_analysis(position.setup(), changes));
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
    EXPECT_EQ(checked(workspace.steps("think")), 1U);
    EXPECT_TRUE(again.is_analysed(after({}).setup()));
    EXPECT_FALSE(again.is_analysed(after({"7g7f"}).setup()));
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

TEST_F(BookMaking, KnowsWhatItDoesNotKnow) {
    put(after({}), {valued("7g7f", 50), valued("2g2f", 20)});
    StoredMove unknown;
    unknown.move = test::usi("3c3d");
    checked(workspace.add_step("duel", "a game", {{after({"7g7f"}).setup(), unknown, "a test"}}));
    {
        const Outlook outlook(workspace, 0);
        EXPECT_EQ(outlook.choices(after({})).front().value, 50) << "not 0: the reply is of unknown worth";
        EXPECT_TRUE(outlook.choices(after({"7g7f"})).empty());
    }
    checked(store_analysis(workspace, {}, after({"7g7f"}), {valued("3c3d", -35)}));
    EXPECT_EQ(workspace.find(after({"7g7f"}).setup())->find(test::usi("3c3d"))->value, -35);
    EXPECT_EQ(Outlook(workspace, 0).choices(after({})).front().value, 35);
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

TEST_F(BookMaking, ValuesADrawAsEachUserDoes) {
    // White may repeat, or play on for 10 less than nothing.
    put(after({}), {valued("4i4h", 0)});
    put(after({"4i4h"}), {valued("6a6b", 0), valued("3c3d", -10)});
    put(after({"4i4h", "6a6b"}), {valued("4h4i", 0)});
    put(after({"4i4h", "6a6b", "4h4i"}), {valued("6b6a", 0)});
    ThinkSettings settings;
    settings.both = false;
    settings.rule.user = Color::white;
    settings.rule.opponent_margin = 1000;
    settings.draw_black = 500;  // which is of no interest to White
    EXPECT_TRUE(next_leaves(workspace, settings, 10).empty()) << "the repetition is better";
    settings.draw_white = -50;
    const auto chosen = next_leaves(workspace, settings, 10);
    ASSERT_EQ(chosen.size(), 1U);
    EXPECT_EQ(book::position_text(chosen[0].setup()), text({"4i4h", "3c3d"}));
    settings.both = true;
    EXPECT_EQ(next_leaves(workspace, settings, 10).size(), 1U);
}

TEST_F(BookMaking, ThinksAboutPositionsThatAreOnlyKnownFromGames) {
    checked(workspace.add_step("duel", "a game",
                               {{after({}).setup(), valued("7g7f", -150), "led into trouble"},
                                {after({"7g7f", "3c3d"}).setup(), valued("2g2f", 20), "no trouble after it"}}));
    LeafRule rule;
    EXPECT_EQ(leaves(rule), (std::vector{text({}), text({"7g7f"})}));
    ThinkSettings settings;
    settings.effort.lines = 2;
    checked(store_analysis(workspace, settings, after({}), {valued("7g7f", 40), valued("2g2f", 30)}));
    const book::Entry* entry = workspace.find(shogi::Setup::even());
    EXPECT_EQ(entry->find(test::usi("7g7f"))->value, -150) << "what a game has shown is not overruled";
    EXPECT_EQ(entry->find(test::usi("2g2f"))->value, 30);
    checked(store_analysis(workspace, settings, after({"7g7f"}), {valued("8c8d", 10)}));
    checked(store_analysis(workspace, settings, after({}), {valued("2g2f", 30)}));
    EXPECT_EQ(workspace.find(shogi::Setup::even())->find(test::usi("7g7f"))->value, -150)
        << "nor by a line that rejoins";
    EXPECT_EQ(leaves(rule), std::vector{text({"2g2f"})});
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

TEST_F(BookMaking, GoesOnWithARoundThatWasBrokenOff) {
    put(after({"9g9f"}), {valued("3c3d", 0)});  // before there were rounds
    EXPECT_EQ(checked(positions_left(workspace, 1, 20)), 20U);
    put(after({}), {valued("7g7f", 0)});
    put(after({"7g7f"}), {valued("3c3d", 0)});
    workspace = open();
    EXPECT_EQ(checked(positions_left(workspace, 1, 20)), 18U);
    EXPECT_EQ(checked(positions_left(workspace, 1, 1)), 0U);
    EXPECT_EQ(checked(positions_left(workspace, 2, 20)), 20U);
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
    const auto nothing = [](const shogi::Position&) { return std::optional<StoredMove>(); };
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
    const auto reply = [&](const shogi::Position& position) -> std::optional<StoredMove> {
        if (const auto known = move_to_follow(workspace, position)) return known;
        // Whatever White replied: a decision that the book calls fine, and one later that is not.
        for (const char* usi : {"2g2f", "2f2e", "2e2d", "2h2d"})
            if (position.is_legal(test::usi(usi))) return valued(usi, position.move_number() > 6 ? -500 : 0);
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

TEST_F(BookMaking, PlaysTheGamesThatAreMissing) {
    const auto material = eval::material_evaluator();
    DuelResult played;
    played.number = 1;
    played.text = "game 1, by somebody else";
    checked(store_duel(workspace, played));
    EXPECT_EQ(checked(duels_to_play(workspace, 4)), (std::vector<std::uint64_t>{0, 2, 3}));
    const auto ignore = [](const DuelReport&) {};
    EXPECT_EQ(checked(duel(workspace, quick_duels(), material, {{"itself", material}}, 3, 1, ignore, {})).games, 2U);
    EXPECT_EQ(checked(workspace.step_numbers("duel")), (std::set<std::uint64_t>{0, 1, 2}));
}

TEST_F(BookMaking, KnowsTheGamesOfWorkspacesThatDidNotNumberThem) {
    auto old = store::Database::open(folder / "old.work");
    checked(old->execute(
        "CREATE TABLE position (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, ply INTEGER NOT NULL);"
        "CREATE TABLE move (position INTEGER NOT NULL REFERENCES position, move INTEGER NOT NULL, reply INTEGER NOT "
        "NULL, value INTEGER, depth INTEGER, reason TEXT NOT NULL, PRIMARY KEY (position, move)) WITHOUT ROWID;"
        "CREATE TABLE step (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL);"
        "CREATE INDEX step_of_kind ON step (kind);"
        "INSERT INTO step (kind, text) VALUES ('duel', 'game 12, Black against itself: 1600 at move 80'),"
        "('think', 'game'), ('duel', 'game 3, White against itself: -120 at move 9');"
        "PRAGMA user_version = 1"));
    auto opened = Workspace::open(folder / "old.work");
    EXPECT_EQ(checked(opened->step_numbers("duel")), (std::set<std::uint64_t>{3, 12}));
    EXPECT_TRUE(checked(opened->step_numbers("think")).empty());
}

TEST_F(BookMaking, TakesABookOverAndExtendsIt) {
    put(after({}), {valued("7g7f", 50)});
    std::ofstream(folder / "known.db") << "#YANEURAOU-DB2016 1.00\n"
                                          "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
                                          "3c3d none -20 30 1\n3c3e none 0 30 1\n"
                                          "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
                                          "7g7f none 10 30 1\n2g2f none 5 30 1\n1g1f none none none 1\n";
    const auto nothing = [](std::uint64_t, std::uint64_t) {};
    const TakeoverReport report = checked(take_over(workspace, folder / "known.db", nothing));
    EXPECT_EQ(report.positions, 2U);
    EXPECT_EQ(report.moves, 3U) << "7g7f was known, and 3c3e is illegal";
    EXPECT_EQ(checked(take_over(workspace, folder / "known.db", nothing)).moves, 0U);
    workspace = open();
    EXPECT_EQ(workspace.find(shogi::Setup::even())->find(test::usi("7g7f"))->value, 50);
    EXPECT_EQ(workspace.find(shogi::Setup::even())->find(test::usi("2g2f"))->value, 5);
    EXPECT_TRUE(workspace.is_analysed(after({"7g7f"}).setup()));
    EXPECT_EQ(leaves({}), std::vector{text({"7g7f", "3c3d"})}) << "just outside the book";
    EXPECT_EQ(checked(workspace.explain(after({"7g7f"}).setup())).front().reason, "from known.db");
    EXPECT_EQ(checked(workspace.steps("think")), 1U) << "nobody has thought about its positions here";
}

TEST_F(BookMaking, ReplacesOnlyItsOwnBook) {
    std::ofstream(folder / "foreign.db") << "somebody's work";
    EXPECT_FALSE(workspace.claim(folder / "foreign.db", false).ok());
    EXPECT_TRUE(workspace.claim(folder / "book.db", false).ok());
    std::ofstream(folder / "book.db") << "a book";
    workspace = open();
    EXPECT_TRUE(workspace.claim(folder / "book.db", false).ok());
    EXPECT_TRUE(workspace.claim(folder / "foreign.db", true).ok());
}

TEST_F(BookMaking, RefusesAWorkspaceOfGames) {
    ASSERT_TRUE(book::GameImport::open(folder / "games.work", {}, {}).ok());
    const auto opened = Workspace::open(folder / "games.work");
    ASSERT_FALSE(opened.ok());
    EXPECT_NE(opened.error().message.find("games.work: this is a workspace of `book from-games`, not"),
              std::string::npos)
        << opened.error().message;
    EXPECT_FALSE(book::GameImport::open(folder / "book.work", {}, {}).ok());
}

TEST_F(BookMaking, FollowsOwnBestMovesAndAllRepliesThatItKnows) {
    put(after({}), {valued("2g2f", 40), valued("7g7f", 30)});
    put(after({"2g2f", "8c8d"}), {valued("2f2e", 10)});
    put(after({"2g2f", "3c3d"}), {valued("7g7f", 20)});
    put(after({"7g7f", "3c3d"}), {valued("6g6f", 20)});  // after a move that is not the best
    put(after({"2g2f"}), {valued("3c3d", 0)});           // White's
    const auto followed = moves_to_follow(workspace, Color::black, 100);
    std::vector<shogi::Move> moves;
    for (const FollowedMove& each : followed)
        moves.push_back(each.move.move);
    EXPECT_EQ(moves, (std::vector{test::usi("2g2f"), test::usi("7g7f"), test::usi("2f2e")})) << "in order of the moves";
    EXPECT_EQ(followed[0].position, after({}).key());
    EXPECT_EQ(followed[1].position, after({"2g2f", "3c3d"}).key());
    for (const FollowedMove& each : followed)
        EXPECT_TRUE(each.move.value && each.move.depth);
    EXPECT_EQ(moves_to_follow(workspace, Color::black, 1).size(), 1U);
    EXPECT_EQ(moves_to_follow(workspace, Color::white, 100).size(), 1U);
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

TEST_F(BookMaking, WritesNonPromotionsForWhatThePromotionTurnedOutToBeWorth) {
    StoredMove exchange = valued("8h2b+", 80);
    exchange.reply = test::usi("3a2b");
    put(after({"7g7f", "3c3d"}), {exchange, valued("2g2f", 20)});
    put(after({"7g7f", "3c3d", "8h2b+"}), {valued("3a2b", 60)});
    Publication publication;
    publication.output = folder / "book.db";
    publication.non_promotions = true;
    checked(publish(workspace, publication));
    const auto opened = book::open_book(publication.output);
    const auto entry = checked(checked(opened)->find(after({"7g7f", "3c3d"}).setup(), book::Book::Ply::any)).value();
    ASSERT_EQ(entry.moves.size(), 3U);
    EXPECT_EQ(entry.moves.front().move, test::usi("2g2f")) << "the exchange was refuted, with or without promotion";
    EXPECT_EQ(entry.find(test::usi("8h2b+"))->value, -60);
    EXPECT_EQ(entry.find(test::usi("8h2b"))->value, -60);
}

}  // namespace
}  // namespace tsumugi::learn::bookmaking
