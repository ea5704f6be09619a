// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/board_svg.hpp"
#include "app/board_text.hpp"
#include "app/command.hpp"
#include "app/mate_batch.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "mate/soundness.hpp"
#include "record/format.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

struct MateOptions {
    MateTask task;
    std::string input;
    std::string format = "usi";
    std::string results;
    int jobs = 1;
    bool all = false;
    bool sound = false;
    bool count_futile = false;
    bool json = false;
};

void print_record(const shogi::Position& position, const mate::Verdict& verdict, Session& session) {
    record::Game game;
    game.start = position.setup();
    std::size_t node = record::Game::root();
    for (const shogi::Move move : verdict.line) {
        record::Node next;
        next.move = move;
        node = game.add(node, std::move(next));
    }
    record::Node end;
    end.ending = record::Ending::mate;
    game.add(node, std::move(end));
    const auto text = record::write_game(game, record::Format::kif);
    if (!text) return fail(session, text.error().message);
    fmt::print("{}", *text);
}

void print_picture(const shogi::Position& position, const mate::Verdict& verdict, const std::string& name) {
    fmt::print("{}", board_svg(position, fmt::format("{}: mate in {}", name, verdict.length()), shogi::Square::none()));
}

void print_verdict(const shogi::Position& position, const mate::Verdict& verdict, mate::Plies plies) {
    switch (verdict.outcome) {
        case mate::Outcome::no_mate:
            fmt::print("no mate{}\n", plies == mate::unlimited ? "" : fmt::format(" within {} plies", plies));
            break;
        case mate::Outcome::unknown: fmt::print("unknown: neither a mate nor its absence was shown\n"); break;
        case mate::Outcome::mate:
            fmt::print("mate in {}{}: {}\n", verdict.length(), verdict.shortest ? " (the shortest)" : "",
                       usi_line(verdict.line));
            shogi::Position p = position;
            std::string text;
            for (const shogi::Move move : verdict.line) {
                text.append(text.empty() ? "" : " ").append(move_text(p, move));
                p.do_move(move);
            }
            fmt::print("{}\n", text);
            fmt::print("{} positions of the proof verified, ", verdict.checked);
            break;
    }
    fmt::print("{} nodes\n", base::human_count(static_cast<double>(verdict.nodes)));
}

void print_trial(const shogi::Position& position, const mate::Trial& trial) {
    const std::string text = trial.outcome == mate::Outcome::mate      ? fmt::format("mate in {}", trial.length)
                             : trial.outcome == mate::Outcome::no_mate ? "no mate"
                                                                       : "unknown";
    fmt::print("  {:>4}  {:<6} {}\n", trial.ply + position.move_number(), record::to_usi(trial.move), text);
}

void print_soundness(const shogi::Position& position, const mate::Soundness& soundness) {
    fmt::print("{}\n", soundness.sound()                ? "sound: the attacker has no other way to mate"
                       : soundness.alternatives.empty() ? "perhaps sound: some moves could not be settled"
                                                        : "not sound: the attacker can also mate by");
    for (const mate::Trial& trial : soundness.alternatives)
        print_trial(position, trial);
    if (!soundness.open.empty()) fmt::print("not settled within the limits:\n");
    for (const mate::Trial& trial : soundness.open)
        print_trial(position, trial);
    if (soundness.pieces_left) fmt::print("the attacker is left with pieces in hand\n");
}

void run_one(const MateProblem& problem, const MateOptions& options, const std::stop_token& stop, Session& session) {
    if (!problem.position) return fail(session, fmt::format("{}: {}", problem.name, problem.position.error().message));
    const shogi::Position& position = *problem.position;
    auto solver = mate::Solver::create(options.task.solver);
    if (!solver) return fail(session, solver.error().message);
    const auto verdict = solve(*solver, position, options.task, stop);
    if (!verdict) return fail(session, verdict.error().message);
    const bool found = verdict->outcome == mate::Outcome::mate;
    if (options.format == "usi" || !found)
        print_verdict(position, *verdict, options.task.plies);
    else if (options.format == "kif")
        print_record(position, *verdict, session);
    else
        print_picture(position, *verdict, problem.name);
    if (options.all) {
        fmt::print("every check:\n");
        for (const mate::Trial& trial : mate::try_checks(*solver, position, options.task.limits(), stop))
            print_trial(position, trial);
    }
    if (options.sound && found)
        print_soundness(position, mate::examine(*solver, position, verdict->line, options.task.limits(), stop));
}

void run_many(const std::vector<MateProblem>& problems, const MateOptions& options, const std::stop_token& stop,
              Session& session) {
    const auto rows = solve_all(problems, options.task, options.jobs, options.results, stop);
    if (!rows) return fail(session, rows.error().message);
    if (options.results.empty() && !options.json)
        for (const MateRow& row : *rows)
            fmt::print("{}\t{}\t{}\t{}\n", row.name, row.outcome, row.plies, row.line);
    const report::Table table = summary_of(*rows);
    fmt::print("{}", options.json ? table.to_json().dump(2) + "\n" : table.to_text());
    if (stop.stop_requested() && !options.results.empty())
        fmt::print(stderr, "interrupted; the same command goes on where this one ended\n");
}

void run(MateOptions& options, Session& session) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return fail(session, interrupt.error().message);
    if (options.count_futile) options.task.counting = mate::Counting::every_move;
    const std::stop_token stop = (*interrupt)->token();
    if (!std::filesystem::exists(options.input) && options.input.find(' ') == std::string::npos)
        return fail(session, fmt::format("there is no file '{}', and it is not a position either", options.input));
    if (!std::filesystem::exists(options.input))
        return run_one(problem_from("problem", options.input), options, stop, session);
    const auto problems = read_problems(options.input);
    if (!problems) return fail(session, problems.error().message);
    if (problems->size() == 1 && options.results.empty()) return run_one(problems->front(), options, stop, session);
    run_many(*problems, options, stop, session);
}

void add_options(CLI::App& command, MateOptions& options) {
    command.add_option("problem", options.input, "A position as SFEN, or a file of problems")->required();
    command.add_flag("--shortest", options.task.shortest, "Go on until no shorter mate exists");
    command.add_flag("--count-futile", options.count_futile,
                     "With --shortest, count futile interpositions like any other move");
    command.add_flag("--all", options.all, "Also say of every check whether it mates");
    command.add_flag("--sound", options.sound, "Also look for other mating moves along the line");
    command.add_flag("--defender-first", options.task.defender_first, "The side to move is the one to be mated");
    command.add_option("--plies", options.task.plies, "Only mates of at most this many plies")
        ->check(CLI::Range(1, mate::unlimited));
    command.add_option("--time", options.task.seconds, "Seconds for each problem (default: no limit)")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--nodes", options.task.nodes, "Nodes for each problem (default: no limit)");
    command.add_option("--hash", options.task.solver.mebibytes, "Memory in MiB, for all problems at a time together")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command.add_option("--threads", options.task.solver.threads, "Threads for each problem")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command.add_option("--jobs", options.jobs, "Problems of a file to solve at a time")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command.add_option("--format", options.format, "How to print the mate of a single problem")
        ->check(CLI::IsMember({"usi", "kif", "svg"}))
        ->capture_default_str();
    command.add_option("--results", options.results,
                       "File to add a row to for each problem; problems that have one are not solved again");
    command.add_flag("--json", options.json, "Print the summary of a file as JSON");
}

}  // namespace

void add_mate_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<MateOptions>();
    CLI::App* command = program.add_subcommand("mate", "Solve mate problems, with a verified proof");
    add_options(*command, *options);
    command->footer(
        "Files: lines of SFEN or of a name, a tab and SFEN (.sfen, .tsv, .txt); KIF, CSA, KI2, JKF and .bod diagrams.\n"
        "The side to move attacks, with or without a king of its own, in check or not.\n\n"
        "Examples:\n  tsumugi mate '4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1'\n"
        "  tsumugi mate problem.kif --shortest --sound\n"
        "  tsumugi mate problems.tsv --time 10 --jobs 2 --results solved.tsv");
    command->callback([options, &session] { run(*options, session); });
}

}  // namespace tsumugi::app
