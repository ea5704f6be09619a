// SPDX-License-Identifier: GPL-3.0-or-later
// runner FOLDER GAMES: plays a match of our own engine against itself in the folder and prints a line for every game
// once it is stored.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "arena/match.hpp"

int main(int argc, char** argv) {
    using namespace tsumugi;
    if (argc != 3) return 2;
    arena::MatchConfig config;
    config.folder = argv[1];
    config.games = static_cast<std::uint64_t>(std::atoi(argv[2]));
    config.pool.concurrency = 2;
    config.pool.play.rules.max_moves = 60;
    for (const char* name : {"A", "B"}) {
        arena::EngineSpec& engine = config.engines.emplace_back();
        engine.name = name;
        engine.allowance.nodes = 50;
        engine.options = {{"USI_Hash", "1"}};
    }
    const auto match = arena::Match::open(config);
    if (!match) {
        fmt::print(stderr, "{}\n", match.error().message);
        return 1;
    }
    (*match)->on_game([](const arena::StoredGame& game, const arena::Standing&) {
        fmt::print("{}\n", game.number);
        std::fflush(stdout);
    });
    return (*match)->run({}).ok() ? 0 : 1;
}
