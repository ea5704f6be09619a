// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/jkf.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record/csa.hpp"
#include "record/encoding.hpp"
#include "record/format.hpp"
#include "record/sfen.hpp"
#include "record/usi_game.hpp"
#include "support/data.hpp"
#include "support/jkf_twin.hpp"

namespace tsumugi::record {
namespace {

using std::chrono::milliseconds;

Game game_of(std::string_view text) {
    auto game = parse_jkf(text);
    EXPECT_TRUE(game.ok()) << game.error().message;
    return game.value();
}

std::string jkf_error(std::string_view text) {
    const auto game = parse_jkf(text);
    return game.ok() ? "no error" : game.error().message;
}

std::vector<std::filesystem::path> json_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& folder : {test::own_data("csa"), test::own_data("kifu"), test::shared_data("kifu")}) {
        if (folder.empty()) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".json" || entry.path().extension() == ".jkf")
                files.push_back(entry.path());
    }
    return files;
}

TEST(Jkf, EveryFixtureIsReadAsItStandsAndSurvivesWriting) {
    int read = 0;
    for (const auto& file : json_files()) {
        const std::string text = test::read_file(file);
        const Game game = game_of(text);
        EXPECT_EQ(test::JkfTwin(game).compare(nlohmann::json::parse(text)) + 1, static_cast<int>(game.node_count()))
            << file;
        const auto written = to_jkf(game);
        ASSERT_TRUE(written.ok()) << file << ": " << written.error().message;
        EXPECT_EQ(game_of(*written), game) << file;
        ++read;
    }
    EXPECT_GE(read, 8);
}

// What a reader of another format makes of a game: comments apart, of which CSA marks some differently.
std::string outline(const Game& game) {
    std::string text = to_sfen(game.start);
    for (const std::size_t i : game.main_line()) {
        const Node& node = game.node(i);
        text += node.ending ? " end" + std::to_string(static_cast<int>(*node.ending)) : ' ' + to_usi(node.move);
        if (node.time) text += '@' + std::to_string(node.time->count());
    }
    return text;
}

TEST(Jkf, EqualsTheSameGameInItsOtherFormat) {
    int compared = 0;
    for (auto file : json_files()) {
        const Game game = game_of(test::read_file(file));
        for (const auto* extension : {".csa", ".kif", ".kifu", ".ki2", ".ki2u"}) {
            file.replace_extension(extension);
            if (!std::filesystem::exists(file)) continue;
            const GameFile twin = read_games(test::read_file(file), format_of_name(file));
            ASSERT_EQ(twin.games.size(), 1U) << file;
            EXPECT_EQ(outline(twin.games[0]), outline(game)) << file;
            for (const auto& [name, value] : game.headers)
                if (const std::string* const other = twin.games[0].header(name)) {
                    EXPECT_EQ(*other, value) << file << name;
                }
            ++compared;
        }
    }
    EXPECT_GE(compared, 7);
}

TEST(Jkf, ReadsMovesAsPeopleWriteThem) {
    const Game game = game_of(R"({"moves":[{},
        {"move":{"to":{"x":7,"y":6},"piece":"FU"}},
        {"move":{"to":{"x":3,"y":4},"piece":"FU","color":1}},
        {"move":{"to":{"x":2,"y":2},"piece":"KA","promote":true}},
        {"move":{"same":true,"piece":"GI"}},
        {"move":{"to":{"x":5,"y":5},"piece":"KA","relative":"H"}},
        {"move":{"to":{"x":5,"y":2},"piece":"KI","relative":"L"}}]})");
    EXPECT_EQ(to_usi_game(game), "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e 4a5b");
    EXPECT_EQ(to_usi_game(game_of(test::read_file(test::own_data("csa/same_move_minimal.jkf")))),
              "startpos moves 7g7f 3c3d 8h2b+ 3a2b 2g2f");
}

TEST(Jkf, ReadsTimesCommentsEndingsAndForks) {
    const Game game =
        game_of(R"({"header":{"先手":"a","棋戦":"b"},"initial":{"preset":"2"},"moves":[{"comments":["start","two"]},
        {"move":{"from":{"x":6,"y":1},"to":{"x":6,"y":2},"piece":"KI","color":1},"time":{"now":{"m":1,"s":2.5},"total":{"h":1,"m":0,"s":3}},
         "forks":[[{"move":{"from":{"x":4,"y":1},"to":{"x":4,"y":2},"piece":"KI","color":1}},{"special":"TIME_UP"}],[{"special":"CHUDAN"}]]},
        {"comments":["given up"],"special":"TORYO"}]})");
    EXPECT_EQ(*game.header("先手"), "a");
    EXPECT_EQ(to_sfen(game.start), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    EXPECT_EQ(game.node(0).comment, "start\ntwo");
    ASSERT_EQ(game.node(0).children.size(), 3U);
    const Node& first = game.node(game.node(0).children[0]);
    EXPECT_EQ(to_usi(first.move), "6a6b");
    EXPECT_EQ(first.time, milliseconds(62500));
    EXPECT_EQ(first.total, milliseconds(3603000));
    EXPECT_EQ(game.main_ending(), Ending::resign);
    const Node& fork = game.node(game.node(0).children[1]);
    EXPECT_EQ(to_usi(fork.move), "4a4b");
    EXPECT_EQ(game.node(fork.children.at(0)).ending, Ending::time_up);
    EXPECT_EQ(game.node(game.node(0).children[2]).ending, Ending::interrupted);
    EXPECT_EQ(game_of(*to_jkf(game)), game);
}

TEST(Jkf, SaysWhatIsWrong) {
    EXPECT_EQ(jkf_error("{\n  \"moves\": [}"), "line 2, column 13: JKF: this is not well-formed JSON");
    EXPECT_NE(jkf_error("[]").find("one object"), std::string::npos);
    EXPECT_NE(jkf_error("{}").find("\"moves\""), std::string::npos);
    EXPECT_NE(jkf_error(R"({"initial":{"preset":"9"},"moves":[]})").find("unknown initial.preset '9'"),
              std::string::npos);
    EXPECT_NE(jkf_error(R"({"moves":[{},{"move":{"piece":"FU"}}]})").find("moves[1]"), std::string::npos);
    EXPECT_NE(jkf_error(R"({"moves":[{},{"move":{"to":{"x":0,"y":6}}}]})").find("a square must be"), std::string::npos);
    EXPECT_NE(jkf_error(R"({"moves":[{},{"move":{"color":1,"to":{"x":7,"y":6}}}]})").find("side to move"),
              std::string::npos);
    EXPECT_NE(jkf_error(R"({"moves":[{},{"time":{"now":{"s":-1}}}]})").find("negative"), std::string::npos);
}

TEST(Jkf, RefusesVariationsNestedBeyondItsLimit) {
    std::string text = R"({"moves":[{},)";
    for (int i = 0; i < 5000; ++i)
        text += R"({"special":"TORYO","forks":[[)";
    text += R"({"special":"TORYO"})";
    for (int i = 0; i < 5000; ++i)
        text += "]]}";
    EXPECT_NE(jkf_error(text + "]}").find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace tsumugi::record
