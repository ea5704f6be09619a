// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "record/sfen.hpp"
#include "shogi/perft.hpp"

namespace tsumugi::app {
namespace {

struct PerftOptions {
    int depth = 5;
    std::string sfen{record::even_sfen};
    bool divide = false;
    bool full = false;
    int threads = 1;
    std::string check_file;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

base::Result<shogi::Position> position_from(const std::string& sfen) {
    const auto setup = record::parse_sfen(sfen);
    if (!setup) return setup.error();
    return shogi::Position::from(*setup);
}

// Leaves below each root move; threads take root moves as they become free.
std::vector<std::uint64_t> count_by_move(const shogi::Position& root, const shogi::MoveList& moves,
                                         const PerftOptions& options) {
    std::vector<std::uint64_t> leaves(moves.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        shogi::Position position = root;
        for (std::size_t i = next++; i < moves.size(); i = next++) {
            position.do_move(moves[i]);
            leaves[i] = shogi::perft(position, options.depth - 1, !options.full);
            position.undo_move();
        }
    };
    std::vector<std::jthread> helpers;
    for (int i = 1; i < options.threads; ++i)
        helpers.emplace_back(work);
    work();
    helpers.clear();
    return leaves;
}

std::uint64_t run_one(const shogi::Position& root, const PerftOptions& options) {
    if (options.depth == 0) return 1;
    shogi::MoveList moves;
    shogi::legal_moves(root, moves);
    const auto leaves = count_by_move(root, moves, options);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (options.divide) fmt::print("{} {}\n", record::to_usi(moves[i]), leaves[i]);
        total += leaves[i];
    }
    return total;
}

void run_position(const PerftOptions& options, Session& session) {
    const auto position = position_from(options.sfen);
    if (!position) return fail(session, position.error().message);
    const auto start = Clock::now();
    const std::uint64_t leaves = run_one(*position, options);
    const double seconds = seconds_since(start);
    fmt::print("depth {}  leaves {}  time {:.3f} s  {:.1f} million leaves/s\n", options.depth, leaves, seconds,
               static_cast<double>(leaves) / seconds / 1e6);
}

struct Row {
    std::string id;
    std::string sfen;
    int depth;
    std::uint64_t expected;
};

// Rows of "id <tab> sfen <tab> depth <tab> leaves"; further columns and lines that start with '#' are ignored.
base::Result<std::vector<Row>> read_rows(const std::string& file) {
    std::ifstream in(file);
    if (!in) return base::Error{base::Error::Code::io, fmt::format("cannot read '{}'", file)};
    std::vector<Row> rows;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream cells(line);
        Row row;
        std::string depth;
        std::string expected;
        std::getline(cells, row.id, '\t');
        std::getline(cells, row.sfen, '\t');
        std::getline(cells, depth, '\t');
        std::getline(cells, expected, '\t');
        const bool numbers = !depth.empty() && !expected.empty() &&
                             (depth + expected).find_first_not_of("0123456789") == std::string::npos;
        if (!numbers || depth.size() > 2 || expected.size() > 19)
            return base::Error{
                base::Error::Code::syntax,
                fmt::format("{}:{}: expected id, SFEN, depth and leaves separated by tabs", file, number)};
        row.depth = std::stoi(depth);
        row.expected = std::stoull(expected);
        rows.push_back(row);
    }
    return rows;
}

void run_check(const PerftOptions& options, Session& session) {
    const auto rows = read_rows(options.check_file);
    if (!rows) return fail(session, rows.error().message);
    int wrong = 0;
    for (const Row& row : *rows) {
        const auto position = position_from(row.sfen);
        PerftOptions one = options;
        one.depth = row.depth;
        one.divide = false;
        const auto start = Clock::now();
        const std::uint64_t leaves = position ? run_one(*position, one) : 0;
        const bool agrees = position && leaves == row.expected;
        wrong += agrees ? 0 : 1;
        const std::string verdict = agrees     ? "ok"
                                    : position ? fmt::format("WRONG, expected {}", row.expected)
                                               : position.error().message;
        fmt::print("{:<24} depth {}  {:>14}  {:7.3f} s  {}\n", row.id, row.depth, leaves, seconds_since(start),
                   verdict);
    }
    fmt::print("{} of {} rows agree\n", static_cast<int>(rows->size()) - wrong, rows->size());
    if (wrong > 0) session.exit_code = 1;
}

}  // namespace

void add_perft_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<PerftOptions>();
    CLI::App* command =
        program.add_subcommand("perft", "Count the leaves of the game tree, to test move generation and its speed");
    command->add_option("depth", options->depth, "Plies to look ahead")
        ->check(CLI::Range(0, 20))
        ->capture_default_str();
    command->add_option("--sfen", options->sfen, "Position to start from (default: the even game)");
    command->add_flag("--divide", options->divide, "Print the leaves below each root move");
    command->add_flag("--full", options->full, "Play the moves of the last ply too instead of only counting them");
    command->add_option("--threads", options->threads, "Threads to use")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--check", options->check_file,
                        "Check every row of a table: id, SFEN, depth, leaves, separated by tabs");
    command->footer(
        "Examples:\n  tsumugi perft 6\n  tsumugi perft 4 --divide --sfen "
        "'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'\n"
        "  tsumugi perft --check perft.tsv");
    command->callback([options, &session] {
        options->check_file.empty() ? run_position(*options, session) : run_check(*options, session);
    });
}

}  // namespace tsumugi::app
