// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record/tool/check.hpp"
#include "record/tool/convert.hpp"
#include "record/tool/statistics.hpp"
#include "record/usi_game.hpp"
#include "support/data.hpp"

namespace tsumugi::record::tool {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A folder of files that goes away with the test.
class RecordTool : public testing::Test {
protected:
    RecordTool() : folder_(fs::path(testing::TempDir()) / ("tsumugi-tool-" + std::to_string(::getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~RecordTool() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void put(const std::string& name, const std::string& text) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    ConvertReport run(const ConvertOptions& options) {
        complaints_.clear();
        auto report = convert(
            options, [&](const std::string& line) { complaints_.push_back(line); }, [](std::size_t) {});
        EXPECT_TRUE(report.ok()) << report.error().message;
        return *report;
    }

    fs::path folder_;
    std::vector<std::string> complaints_;
};

TEST_F(RecordTool, ConvertsAFileByTheNameOfItsTarget) {
    put("game.usi", "startpos moves 7g7f 3c3d\n");
    ConvertOptions options;
    options.inputs = {path("game.usi")};
    options.output = path("game.csa");
    EXPECT_EQ(run(options).games, 1U);
    EXPECT_THAT(test::read_file(path("game.csa")), HasSubstr("+7776FU\n-3334FU\n"));
}

TEST_F(RecordTool, NeverReplacesAFileUnlessTold) {
    put("game.usi", "startpos moves 7g7f\n");
    put("game.csa", "precious");
    ConvertOptions options;
    options.inputs = {path("game.usi")};
    options.output = path("game.csa");
    EXPECT_EQ(run(options).refused, 1U);
    EXPECT_THAT(complaints_, ElementsAre(HasSubstr("--force")));
    EXPECT_EQ(test::read_file(path("game.csa")), "precious");
    options.overwrite = true;
    EXPECT_EQ(run(options).games, 1U);
    EXPECT_THAT(test::read_file(path("game.csa")), HasSubstr("+7776FU"));
}

TEST_F(RecordTool, ConvertsFoldersWithTheirShapeAndNumbersGamesThatNeedFilesOfTheirOwn) {
    put("in/a.usi", "startpos moves 7g7f\n");
    put("in/sub/b.csa", "PI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n/\nPI\n+\n+9998FU\n");
    put("in/notes.txt", "not a record");
    put("in/.hidden.usi", "startpos moves 7g7f\n");
    ConvertOptions options;
    options.inputs = {path("in")};
    options.output = path("out");
    options.format = Format::kif;
    const ConvertReport report = run(options);
    EXPECT_EQ(report.files, 2U);
    EXPECT_EQ(report.games, 3U);
    EXPECT_EQ(report.broken, 1U);
    EXPECT_THAT(complaints_, ElementsAre(HasSubstr("b.csa:11:1: there is KY on 99")));
    for (const auto* name : {"out/a.kif", "out/sub/b-0001.kif", "out/sub/b-0002.kif"}) {
        const GameFile file = read_games(test::read_file(path(name)), Format::kif);
        EXPECT_EQ(file.games.size(), 1U) << name;
        EXPECT_EQ(file.encoding, Encoding::cp932) << name;
    }
}

TEST_F(RecordTool, AsksForAFormatItCannotGuess) {
    put("game.usi", "startpos moves 7g7f\n");
    ConvertOptions options;
    options.inputs = {path("game.usi")};
    options.output = path("game.out");
    const auto report = convert(
        options, [](const std::string&) {}, [](std::size_t) {});
    ASSERT_FALSE(report.ok());
    EXPECT_THAT(report.error().message, HasSubstr("--to"));
    options.inputs = {path("absent.usi")};
    EXPECT_FALSE(convert(
                     options, [](const std::string&) {}, [](std::size_t) {})
                     .ok());
}

TEST_F(RecordTool, ChecksEveryGameAndGoesOn) {
    put("list.usi",
        "startpos moves 7g7f 3c3d 8h2b+\nstartpos moves 7g7x\nstartpos moves 7g7f 7g7f\nstartpos moves 2g2f\n");
    put("one.csa", "PI\n+\n+7775FU\n");
    std::vector<std::string> complaints;
    const auto report = check(
        {path("list.usi"), path("one.csa")}, [&](const std::string& line) { complaints.push_back(line); },
        [](std::size_t) {});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->files, 2U);
    EXPECT_EQ(report->games, 4U);
    EXPECT_EQ(report->malformed, 1U);
    EXPECT_EQ(report->illegal, 2U);
    EXPECT_FALSE(report->clean());
    EXPECT_THAT(complaints,
                ElementsAre(HasSubstr("list.usi:2:16: "), HasSubstr("list.usi:3:1: game 2: move 2 (7g7f) is illegal"),
                            HasSubstr("one.csa:1:1: move 1 (7g7e) is illegal")));
}

TEST(FindIllegality, LooksAtVariationsAndForgivesWhatTheRecordAdmits) {
    Game game = parse_usi_game("startpos moves 7g7f 3c3d").value();
    EXPECT_THAT(find_illegality(game), IsEmpty());
    Node branch;
    branch.move = shogi::Move::board(shogi::Square::at(2, 7), shogi::Square::at(2, 5));
    const std::size_t illegal = game.add(Game::root(), branch);
    EXPECT_EQ(find_illegality(game), "move 1 (2g2e) is illegal");
    Node ending;
    ending.ending = Ending::illegal_by_black;
    game.add(illegal, ending);
    EXPECT_THAT(find_illegality(game), IsEmpty());
}

TEST(FindIllegality, FindsNothingInChampionshipGames) {
    const auto folder = test::shared_data("games/wcsc28");
    if (folder.empty()) GTEST_SKIP() << "the collection of games is not beside the checkout";
    std::vector<std::string> complaints;
    const auto report = check(
        {folder.string()}, [&](const std::string& line) { complaints.push_back(line); }, [](std::size_t) {});
    ASSERT_TRUE(report.ok());
    EXPECT_THAT(complaints, IsEmpty());
    EXPECT_EQ(report->games, 262U);
    EXPECT_EQ(report->moves, 30364U);
}

TEST(GameStatistics, CountsResultsForBothPlayers) {
    GameStatistics statistics;
    const auto add = [&](std::string_view usi, std::optional<Ending> ending) {
        Game game = parse_usi_game(usi).value();
        game.set_header("先手", "a");
        game.set_header("後手", "b");
        Node node;
        node.ending = ending;
        if (ending) game.add(game.node_count() - 1, node);
        statistics.add(game);
    };
    add("startpos moves 7g7f 3c3d", Ending::resign);                // Black resigns
    add("startpos moves 7g7f", Ending::resign);                     // White resigns
    add("startpos moves 7g7f 3c3d 2g2f", Ending::declaration_win);  // White declares
    add("startpos moves 7g7f", Ending::repetition);
    add("startpos", std::nullopt);
    EXPECT_EQ(statistics.games, 5U);
    EXPECT_EQ(statistics.moves, 7U);
    EXPECT_EQ(statistics.shortest, 0U);
    EXPECT_EQ(statistics.longest, 3U);
    EXPECT_EQ(statistics.black_wins, 1U);
    EXPECT_EQ(statistics.white_wins, 2U);
    EXPECT_EQ(statistics.undecided, 2U);
    EXPECT_DOUBLE_EQ(statistics.average_length(), 1.4);
    const auto json = nlohmann::json::parse(statistics.json());
    EXPECT_EQ(json["endings"]["TORYO"], 2);
    EXPECT_EQ(json["endings"]["none"], 1);
    EXPECT_EQ(json["players"]["b"]["wins"], 2);
    EXPECT_EQ(json["players"]["a"]["losses"], 2);
    EXPECT_THAT(statistics.text(), HasSubstr("Black won 1, White won 2, undecided 2"));
}

TEST(GameStatistics, OfChampionshipGamesAgreeWithTheirDescription) {
    const auto folder = test::shared_data("games/wcsc28");
    if (folder.empty()) GTEST_SKIP() << "the collection of games is not beside the checkout";
    const auto statistics = gather({folder.string()}, [](std::size_t) {});
    ASSERT_TRUE(statistics.ok());
    EXPECT_EQ(statistics->games, 262U);
    EXPECT_EQ(statistics->moves, 30364U);
    EXPECT_EQ(statistics->endings.at("TORYO"), 228U);
    EXPECT_EQ(statistics->endings.at("ILLEGAL_MOVE"), 12U);
    EXPECT_EQ(statistics->endings.at("TIME_UP"), 9U);
    EXPECT_EQ(statistics->endings.at("SENNICHITE"), 5U);
    EXPECT_EQ(statistics->endings.at("KACHI"), 3U);
}

}  // namespace
}  // namespace tsumugi::record::tool
