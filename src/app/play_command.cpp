// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/terminal_game.hpp"
#include "engine/engine.hpp"
#include "record/handicap.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

struct PlayOptions {
    std::string side = "black";
    std::string handicap;
    std::string sfen;
    int level = 20;
    int move_time = 1000;
    std::string save_to;
    std::string net;
};

base::Result<shogi::Setup> start_of(const PlayOptions& options) {
    if (!options.sfen.empty()) return record::parse_sfen(options.sfen);
    if (options.handicap.empty()) return shogi::Setup::even();
    const record::Handicap* handicap = record::find_handicap_by_kif(options.handicap);
    if (handicap != nullptr) return handicap->setup();
    std::string names;
    for (const record::Handicap& each : record::all_handicaps())
        names.append(names.empty() ? "" : ", ").append(each.kif);
    return base::Error{base::Error::Code::range,
                       fmt::format("there is no handicap '{}'; known are {}", options.handicap, names)};
}

base::Result<void> play(const PlayOptions& options) {
    const auto start = start_of(options);
    if (!start) return start.error();
    engine::Engine engine;
    for (const auto& [name, value] :
         {std::pair{"SkillLevel", std::to_string(options.level)}, {"EvalFile", options.net}})
        if (auto set = engine.options().set(name, value); !set) return set;
    if (auto ready = engine.prepare(); !ready) return ready;
    engine.new_game();
    TerminalGame::Settings settings;
    settings.start = *start;
    settings.person = {options.side == "black" || options.side == "both",
                       options.side == "white" || options.side == "both"};
    settings.limits.move_time = think::Milliseconds(options.move_time);
    settings.save_to = options.save_to;
    const auto read = []() -> std::optional<std::string> {
        std::string line;
        if (!std::getline(std::cin, line)) return std::nullopt;
        return line;
    };
    const auto print = [](std::string_view text) {
        fmt::print("{}", text);
        std::fflush(stdout);
    };
    auto game = TerminalGame::start(std::move(settings), engine, read, print);
    if (!game) return game.error();
    return game->run();
}

}  // namespace

void add_play_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<PlayOptions>();
    CLI::App* command = program.add_subcommand("play", "Play a game at the terminal");
    command->add_option("--side", options->side, "The side you play: black, white, both or none")
        ->check(CLI::IsMember({"black", "white", "both", "none"}))
        ->capture_default_str();
    command->add_option("--level", options->level, "Strength of the engine, 0 to 20")
        ->check(CLI::Range(0, 20))
        ->capture_default_str();
    command->add_option("--movetime", options->move_time, "Milliseconds the engine thinks about a move")
        ->check(CLI::Range(1, 3'600'000))
        ->capture_default_str();
    command->add_option("--handicap", options->handicap, "Start of a handicap game, e.g. 二枚落ち");
    command->add_option("--sfen", options->sfen, "Start from any position");
    command->add_option("--save", options->save_to, "Write the record here at the end (.kif, .csa, …)");
    command->add_option("--net", options->net, "A net to use instead of the built-in one");
    command->footer(
        "Moves may be written as 7g7f or as 7六歩; `help` lists the commands during the game.\n\n"
        "Examples:\n  tsumugi play --level 5\n  tsumugi play --side white --handicap 二枚落ち --save game.kif\n"
        "  printf '7g7f\\nhint\\nresign\\n' | tsumugi play --level 0");
    command->callback([options, &session] {
        const auto played = play(*options);
        if (!played) fail(session, played.error().message);
    });
}

}  // namespace tsumugi::app
