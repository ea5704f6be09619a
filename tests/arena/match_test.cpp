// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/match.hpp"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "arena/game_record.hpp"
#include "arena/match_report.hpp"
#include "arena/mock_engine.hpp"
#include "base/process.hpp"
#include "record/format.hpp"
#include "record/sfen.hpp"
#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::arena {
namespace {

using test::mock_engine;

constexpr const char* three_openings = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\nstartpos moves 5g5f 5c5d\n";

// A quick match of two mock engines, with its openings in the folder.
MatchConfig quick_match(const std::filesystem::path& folder, std::uint64_t games) {
    std::ofstream(folder / "openings.sfen") << three_openings;
    MatchConfig config;
    config.engines = {mock_engine("A"), mock_engine("B")};
    config.games = games;
    config.openings.file = folder / "openings.sfen";
    config.pool.play.rules.max_moves = 40;
    config.folder = folder / "match";
    return config;
}

void play(const MatchConfig& config, std::stop_token stop = {}) {
    const auto match = Match::open(config);
    ASSERT_TRUE(match.ok()) << match.error().message;
    const auto done = (*match)->run(std::move(stop));
    ASSERT_TRUE(done.ok()) << done.error().message;
}

std::vector<StoredGame> stored_games(const std::filesystem::path& folder) {
    std::vector<StoredGame> games;
    auto results = ResultStore::read(folder / result_file);
    EXPECT_TRUE(results.ok());
    EXPECT_TRUE(results->for_each_game([&](const StoredGame& game) { games.push_back(game); }).ok());
    return games;
}

TEST(Match, PlaysPairsFromTheOpeningsAndKeepsEverything) {
    const test::TempFolder folder;
    const MatchConfig config = quick_match(folder.path(), 8);
    play(config);
    const auto games = stored_games(config.folder);
    ASSERT_EQ(games.size(), 8U);
    const std::vector<std::string> openings{"startpos moves 7g7f 3c3d", "startpos moves 2g2f 8c8d",
                                            "startpos moves 5g5f 5c5d", "startpos moves 7g7f 3c3d"};
    for (const StoredGame& game : games) {
        EXPECT_EQ(game.game.opening.text(), openings[game.number / 2]);
        EXPECT_EQ(game.engine[0], game.number % 2);
        EXPECT_FALSE(game.game.moves.empty());
        ASSERT_TRUE(game.game.moves[0].score.has_value());
        EXPECT_EQ(game.game.moves[0].nodes, 100U);
    }
    // Players that ignore who they are play both games of a pair alike.
    EXPECT_EQ(games[0].game.moves.size(), games[1].game.moves.size());
}

TEST(Match, TellsPlayersWhichGameItIs) {
    const test::TempFolder folder;
    MatchConfig config = quick_match(folder.path(), 6);
    for (EngineSpec& engine : config.engines) {
        engine.command.clear();
        engine.options = {
            {"USI_Hash", "1"}, {"EvalFile", "material"}, {"EvalNoiseSigma", "300"}, {"EvalNoiseSeed", "{game}"}};
        engine.allowance.nodes = 50;
    }
    std::ofstream(folder / "openings.sfen") << "startpos\n";
    play(config);
    std::set<std::string> different;
    for (const StoredGame& game : stored_games(config.folder)) {
        std::string line;
        for (const auto& each : game.game.moves)
            line += record::to_usi(each.move) + ' ';
        different.insert(line);
    }
    EXPECT_GE(different.size(), 5U) << "without the number all six games would be the same";
}

TEST(Match, GoesOnAfterAnInterruption) {
    const test::TempFolder folder;
    const MatchConfig config = quick_match(folder.path(), 20);
    {
        const auto match = Match::open(config);
        ASSERT_TRUE(match.ok()) << match.error().message;
        std::stop_source stop;
        int seen = 0;
        (*match)->on_game([&](const StoredGame&, const Standing&) {
            if (++seen == 7) stop.request_stop();
        });
        ASSERT_TRUE((*match)->run(stop.get_token()).ok());
        EXPECT_FALSE((*match)->complete());
    }
    const auto before = stored_games(config.folder);
    EXPECT_GE(before.size(), 7U);
    EXPECT_LT(before.size(), 20U);
    play(config);
    const auto after = stored_games(config.folder);
    ASSERT_EQ(after.size(), 20U);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(after[i].game.moves, before[i].game.moves) << "played games stay as they were";
}

TEST(Match, CanBeExtendedButNotChanged) {
    const test::TempFolder folder;
    MatchConfig config = quick_match(folder.path(), 2);
    play(config);
    config.games = 4;
    config.pool.concurrency = 2;
    play(config);
    EXPECT_EQ(stored_games(config.folder).size(), 4U);
    config.pool.play.rules.max_moves = 30;
    const auto other = Match::open(config);
    ASSERT_FALSE(other.ok());
    EXPECT_NE(other.error().message.find("another match"), std::string::npos) << other.error().message;
}

TEST(Match, RefusesToBePlayedTwiceAtOnce) {
    const test::TempFolder folder;
    const MatchConfig config = quick_match(folder.path(), 2);
    const auto first = Match::open(config);
    ASSERT_TRUE(first.ok());
    EXPECT_FALSE(Match::open(config).ok());
}

TEST(Match, StopsWhenTheSequentialTestIsDecided) {
    const test::TempFolder folder;
    MatchConfig config = quick_match(folder.path(), 1000);
    config.engines[1] = mock_engine("resigns", {"resign", "1"});
    config.sprt = report::Sprt::Bounds{report::Sprt::Model::logistic, 0, 200, 0.05, 0.05};
    const auto match = Match::open(config);
    ASSERT_TRUE(match.ok());
    // Its second game is not resigned (it does so once in its life), which gives the results some spread.
    ASSERT_TRUE((*match)->run({}).ok());
    EXPECT_TRUE((*match)->complete());
    EXPECT_NE((*match)->standing().decision(), report::Sprt::State::undecided);
    EXPECT_LT((*match)->standing().games(), 1000U);
}

TEST(Match, WritesRecordsThatCanBeReadBack) {
    const test::TempFolder folder;
    MatchConfig config = quick_match(folder.path(), 2);
    config.records = {record::Format::csa, record::Format::kif, record::Format::usi};
    play(config);
    const auto games = stored_games(config.folder);
    const auto records = config.folder / "records";
    for (const char* name : {"000001-A-B.csa", "000001-A-B.kifu", "000001-A-B.usi"}) {
        ASSERT_TRUE(std::filesystem::exists(records / name)) << name;
        const auto read = record::read_games(test::read_file(records / name), record::format_of_name(name));
        ASSERT_EQ(read.games.size(), 1U) << name;
        EXPECT_EQ(read.games[0].main_moves().size(), 2 + games[0].game.moves.size()) << name;
    }
    // A lost file is written again.
    std::filesystem::remove(records / "000002-B-A.csa");
    ASSERT_TRUE(Match::open(config).ok());
    EXPECT_TRUE(std::filesystem::exists(records / "000002-B-A.csa"));
}

TEST(Match, ReportsInThreeForms) {
    const test::TempFolder folder;
    MatchConfig config = quick_match(folder.path(), 4);
    config.engines.push_back(mock_engine("quits", {"crash", "3"}));
    play(config);
    auto results = ResultStore::read(config.folder / result_file);
    ASSERT_TRUE(results.ok());
    const auto report = MatchReport::collect(*results);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->standing.games(), 12U);
    EXPECT_EQ(report->usage[2].losses_by.at(Reason::crash), 8U);
    EXPECT_EQ(report->openings.size(), 2U);
    const auto json = report->to_json();
    EXPECT_EQ(json["games"], 12);
    EXPECT_EQ(json["pairings"].size(), 3U);
    EXPECT_EQ(json["endings"]["crash"], 8);
    EXPECT_NE(report->to_text().find("A against quits: 4 games, 4-0-0"), std::string::npos) << report->to_text();
    EXPECT_NE(report->to_html().find("<svg"), std::string::npos);
    EXPECT_EQ(report->to_html().find("http"), report->to_html().find("http://www.w3.org/2000/svg"))
        << "the page needs nothing from elsewhere";
}

// Kills the program of tests/arena/mock/runner.cpp again and again while it plays.
TEST(Match, LosesOnlyGamesInFlightWhenItIsKilled) {
    const test::TempFolder folder;
    const auto match_folder = folder / "match";
    const base::Command command{
        .words = {std::string(TSUMUGI_MOCK_DIR) + "/arena_mock_runner", match_folder.string(), "60"},
        .errors = base::Command::Errors::discard};
    std::size_t known = 0;
    bool finished = false;
    for (int attempt = 0; attempt < 200 && !finished; ++attempt) {
        auto process = base::Process::start(command);
        ASSERT_TRUE(process.ok());
        // A line for every game that is safe.
        std::size_t promised = known;
        const int let_live = 3 + attempt % 5;
        for (int i = 0; i < let_live && !finished; ++i) {
            const auto line = process->read_line(base::Deadline::after(std::chrono::seconds(30)));
            ASSERT_NE(line.kind, base::Process::Line::Kind::timeout);
            finished = line.kind == base::Process::Line::Kind::end;
            promised += finished ? 0 : 1;
        }
        process->kill(SIGKILL);
        static_cast<void>(process->wait(base::Deadline::after(std::chrono::seconds(10))));
        const std::size_t stored = stored_games(match_folder).size();
        EXPECT_GE(stored, promised) << "a finished game was lost";
        known = stored;
    }
    EXPECT_TRUE(finished);
    const auto games = stored_games(match_folder);
    std::set<std::uint64_t> numbers;
    for (const StoredGame& game : games)
        numbers.insert(game.number);
    EXPECT_EQ(games.size(), 60U);
    EXPECT_EQ(numbers.size(), 60U);
}

}  // namespace
}  // namespace tsumugi::arena
