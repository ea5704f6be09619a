// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::app {
namespace {

void list_moves(std::istream& in, Session& session) {
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const auto setup = record::parse_sfen(line);
        if (!setup) {
            fail(session, fmt::format("line {}: {}", number, setup.error().message));
            fmt::print("\n");
            continue;
        }
        const auto position = shogi::Position::from(*setup);
        if (!position) {
            fail(session, fmt::format("line {}: {}", number, position.error().message));
            fmt::print("\n");
            continue;
        }
        shogi::MoveList moves;
        shogi::legal_moves(*position, moves);
        std::vector<std::string> texts;
        for (const shogi::Move move : moves)
            texts.push_back(record::to_usi(move));
        std::sort(texts.begin(), texts.end());
        fmt::print("{}\n", fmt::join(texts, " "));
        std::fflush(stdout);
    }
}

}  // namespace

void add_moves_command(CLI::App& program, Session& session) {
    CLI::App* command = program.add_subcommand("moves", "List the legal moves of positions read from standard input");
    command->footer(
        "One SFEN a line in, the sorted legal moves as USI on one line out; a line that is not a position gives an\n"
        "empty line and a message on stderr.\n\n"
        "Example:\n  echo 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1' | tsumugi moves");
    command->callback([&session] { list_moves(std::cin, session); });
}

}  // namespace tsumugi::app
