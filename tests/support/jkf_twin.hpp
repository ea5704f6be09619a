// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record/game.hpp"

namespace tsumugi::test {

// Compares a game with the same game in JSON Kifu Format, read here without our own JKF code so that the two
// sides of the comparison have nothing in common.
class JkfTwin {
public:
    explicit JkfTwin(const record::Game& game) : game_(game) {}

    // Compares moves, comments, times, endings and forks; returns the number of moves and endings compared.
    int compare(const nlohmann::json& jkf) {
        compared_ = 0;
        const auto& moves = jkf.at("moves");
        expect_comment(game_.node(record::Game::root()), moves.at(0));
        compare_line(record::Game::root(), 0, moves, 1);
        return compared_;
    }

private:
    // `moves[first]` and what follows is the line that leaves `parent` by its child number `branch`.
    void compare_line(std::size_t parent, std::size_t branch, const nlohmann::json& moves, std::size_t first) {
        for (std::size_t i = first; i < moves.size(); ++i, branch = 0) {
            const auto& children = game_.node(parent).children;
            ASSERT_LT(branch, children.size()) << "move " << i << " is missing";
            const auto forks = moves[i].value("forks", nlohmann::json::array());
            for (std::size_t k = 0; k < forks.size(); ++k)
                compare_line(parent, k + 1, forks[k], 0);
            compare_node(game_.node(children[branch]), moves[i]);
            parent = children[branch];
        }
        EXPECT_TRUE(game_.node(parent).children.empty()) << "moves that the twin does not have";
    }

    void compare_node(const record::Node& node, const nlohmann::json& twin) {
        ++compared_;
        expect_comment(node, twin);
        if (twin.contains("time")) {
            ASSERT_TRUE(node.time && node.total);
            EXPECT_EQ(*node.time, duration(twin["time"].at("now")));
            EXPECT_EQ(*node.total, duration(twin["time"].at("total")));
        }
        if (twin.contains("special")) {
            ASSERT_TRUE(node.ending.has_value());
            EXPECT_EQ(*node.ending, ending(twin["special"]));
            return;
        }
        const auto& move = twin.at("move");
        EXPECT_EQ(node.move.to(), square(move.at("to"))) << move;
        EXPECT_EQ(node.move.is_drop(), !move.contains("from")) << move;
        if (move.contains("from")) {
            EXPECT_EQ(node.move.from(), square(move["from"])) << move;
        }
        EXPECT_EQ(node.move.promotes(), move.value("promote", false)) << move;
    }

    static void expect_comment(const record::Node& node, const nlohmann::json& twin) {
        std::string joined;
        for (const std::string line : twin.value("comments", nlohmann::json::array()))
            joined.append(joined.empty() ? "" : "\n").append(line);
        EXPECT_EQ(node.comment, joined);
    }
    // Those that occur in the twins at hand.
    static record::Ending ending(const std::string& special) {
        EXPECT_TRUE(special == "TORYO" || special == "TSUMI" || special == "CHUDAN") << special;
        if (special == "TSUMI") return record::Ending::mate;
        return special == "TORYO" ? record::Ending::resign : record::Ending::interrupted;
    }
    static shogi::Square square(const nlohmann::json& place) {
        return shogi::Square::at(place.at("x").get<int>(), place.at("y").get<int>());
    }
    static std::chrono::milliseconds duration(const nlohmann::json& time) {
        return std::chrono::hours(time.value("h", 0)) + std::chrono::minutes(time.at("m").get<int>()) +
               std::chrono::seconds(time.at("s").get<int>());
    }

    const record::Game& game_;
    int compared_ = 0;
};

}  // namespace tsumugi::test
