// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/analysis.hpp"
#include "app/command.hpp"
#include "base/atomic_file.hpp"
#include "base/file.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "engine/engine.hpp"
#include "record/format.hpp"
#include "record/notation.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Result;
using Json = nlohmann::ordered_json;

constexpr std::string_view mark = ".analyzed";

struct AnalyzeOptions {
    std::vector<std::string> inputs;
    std::string output;
    std::uint64_t nodes = 0;
    int depth = 0;
    int move_time = 1000;
    int threads = 1;
    int table_mib = 256;
    std::string net;
    bool again = false;
    bool json = false;

    [[nodiscard]] think::Limits limits() const {
        think::Limits limits;
        if (nodes > 0) limits.nodes = nodes;
        if (depth > 0) limits.depth = depth;
        if (nodes == 0 && depth == 0) limits.move_time = think::Milliseconds(move_time);
        return limits;
    }
    // Findings of one setting must not be mixed with those of another.
    [[nodiscard]] std::string signature(const std::string& evaluation) const {
        return fmt::format("nodes {} depth {} movetime {} {}", nodes, depth,
                           nodes + static_cast<unsigned>(depth) == 0 ? move_time : 0, evaluation);
    }
};

// A game to analyse and where the result goes.
struct Task {
    fs::path output;
    record::Format format = record::Format::kif;
    record::Encoding encoding = record::Encoding::utf8;
    record::Game game;
    std::vector<shogi::Position> positions;

    // What is known so far, kept beside the result until that is written.
    [[nodiscard]] fs::path state_file() const { return output.string() + ".part"; }
};

bool is_marked(const fs::path& file) { return file.stem().extension() == mark; }

// Files named on the command line and the records in folders named there.
Result<std::vector<fs::path>> find_inputs(const AnalyzeOptions& options) {
    std::vector<fs::path> files;
    for (const std::string& input : options.inputs) {
        std::error_code problem;
        if (!fs::is_directory(input, problem)) {
            files.emplace_back(input);
            continue;
        }
        std::vector<fs::path> found;
        for (auto entry = fs::recursive_directory_iterator(input, problem); entry != fs::recursive_directory_iterator();
             entry.increment(problem)) {
            const bool record = record::format_of_name(entry->path()).has_value();
            if (record && !is_marked(entry->path()) && entry->is_regular_file(problem)) found.push_back(entry->path());
        }
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    if (files.empty()) return Error{Error::Code::io, "no records to analyse were found"};
    return files;
}

bool keeps_comments(record::Format format) {
    switch (format) {
        case record::Format::kif:
        case record::Format::ki2:
        case record::Format::csa:
        case record::Format::jkf: return true;
        case record::Format::sfen:
        case record::Format::usi:
        case record::Format::usen: return false;
    }
    std::abort();  // unreachable: the switch names every value
}

// game.kif -> game.analyzed.kif; the second game of games.usi -> games-2.analyzed.kifu.
fs::path output_name(const fs::path& input, std::size_t number, std::size_t games, bool same_format,
                     const AnalyzeOptions& options) {
    const std::string stem = input.stem().string() + (games > 1 ? fmt::format("-{}", number + 1) : "");
    const std::string extension = same_format ? input.extension().string() : ".kifu";
    const fs::path folder = options.output.empty() ? input.parent_path() : fs::path(options.output);
    return folder / (stem + std::string(mark) + extension);
}

void add_tasks(const fs::path& input, const AnalyzeOptions& options, std::vector<Task>& tasks, Session& session) {
    const auto bytes = base::read_file(input);
    if (!bytes) return fail(session, bytes.error().message);
    record::GameFile file = record::read_games(*bytes, record::format_of_name(input));
    for (const record::Problem& problem : file.problems)
        fail(session, problem.text(input.string()));
    for (std::size_t i = 0; i < file.games.size(); ++i) {
        Task task;
        const bool same_format = file.format && keeps_comments(*file.format);
        if (same_format) {
            task.format = *file.format;
            task.encoding = file.encoding;
        }
        task.output = output_name(input, i, file.games.size(), same_format, options);
        task.game = std::move(file.games[i]);
        auto positions = positions_of(task.game);
        if (!positions) {
            fail(session, input.string() + ": " + positions.error().message);
            continue;
        }
        task.positions = *std::move(positions);
        tasks.push_back(std::move(task));
    }
}

Json to_json(const Finding& finding) {
    Json line = Json::array();
    for (const shogi::Move move : finding.line)
        line.push_back(record::to_usi(move));
    return {{"mate", finding.score.kind == think::Score::Kind::mate},
            {"value", finding.score.value},
            {"depth", finding.depth},
            {"nodes", finding.nodes},
            {"line", line}};
}

// Findings of an interrupted run with the same settings; nothing when there are none or they are damaged.
std::vector<Finding> load_state(const Task& task, const std::string& signature) {
    const auto text = base::read_file(task.state_file());
    if (!text) return {};
    const Json state = Json::parse(*text, nullptr, false);
    if (!state.is_object() || state.value("settings", "") != signature || !state.contains("findings")) return {};
    std::vector<Finding> findings;
    for (const Json& each : state["findings"]) {
        Finding finding;
        finding.score.kind = each.value("mate", false) ? think::Score::Kind::mate : think::Score::Kind::centipawns;
        finding.score.value = each.value("value", 0);
        finding.depth = each.value("depth", 0);
        finding.nodes = each.value("nodes", std::uint64_t{0});
        for (const Json& move : each.value("line", Json::array()))
            if (const auto parsed = record::parse_usi_move(move.get<std::string>())) finding.line.push_back(*parsed);
        findings.push_back(std::move(finding));
    }
    if (findings.size() > task.positions.size()) findings.clear();
    return findings;
}

Result<void> save_state(const Task& task, const std::string& signature, const std::vector<Finding>& findings) {
    Json state{{"settings", signature}, {"findings", Json::array()}};
    for (const Finding& finding : findings)
        state["findings"].push_back(to_json(finding));
    return base::write_file(task.state_file(), state.dump());
}

Result<void> write_result(Task& task, const std::vector<Finding>& findings, const std::string& engine_name) {
    annotate(task.game, task.positions, findings, judge(task.positions, findings), engine_name);
    auto bytes = record::write_game(task.game, task.format, {.encoding = task.encoding, .csa_version = {}});
    // A comment of ours may need a character that the old encoding lacks.
    if (!bytes)
        bytes = record::write_game(task.game, task.format, {.encoding = record::Encoding::utf8_bom, .csa_version = {}});
    if (!bytes) return bytes.error().in(task.output.string());
    if (auto written = base::write_file(task.output, *bytes); !written) return written;
    std::error_code ignored;
    fs::remove(task.state_file(), ignored);
    return {};
}

void print_summary(const Task& task, const std::vector<Verdict>& verdicts) {
    fmt::print("{}: {} moves\n", task.output.string(), verdicts.size());
    const auto players = summarize(verdicts);
    for (const shogi::Color color : shogi::both_colors) {
        const PlayerSummary& player = players[index(color)];
        const std::string* name = task.game.header(color == shogi::Color::black ? "先手" : "後手");
        fmt::print("  {} {}: mean loss {:.1f} points, as the engine {:.0f} %, 緩手 {} 疑問手 {} 悪手 {} 大悪手 {}\n",
                   record::color_mark(color), name != nullptr ? *name : "", 100 * player.mean_loss(),
                   player.moves == 0 ? 0 : 100.0 * static_cast<double>(player.best) / static_cast<double>(player.moves),
                   player.count[1], player.count[2], player.count[3], player.count[4]);
    }
    for (const Verdict& verdict : verdicts)
        if (verdict.grade >= Grade::mistake)
            fmt::print("  {:>4} {} {} ({:.0f} % -> {:.0f} %), better {}\n", verdict.ply,
                       line_text(task.positions[verdict.ply - 1], {verdict.played}), grade_name(verdict.grade),
                       100 * verdict.before, 100 * verdict.after,
                       line_text(task.positions[verdict.ply - 1], {verdict.best}));
}

Json summary_json(const Task& task, const std::vector<Verdict>& verdicts) {
    const auto players = summarize(verdicts);
    Json report{{"file", task.output.string()}, {"moves", verdicts.size()}};
    for (const shogi::Color color : shogi::both_colors) {
        const PlayerSummary& player = players[index(color)];
        report[color == shogi::Color::black ? "black" : "white"] = {
            {"moves", player.moves},         {"best", player.best},        {"mean_loss", player.mean_loss()},
            {"inaccuracy", player.count[1]}, {"dubious", player.count[2]}, {"mistake", player.count[3]},
            {"blunder", player.count[4]}};
    }
    report["mistakes"] = Json::array();
    for (const Verdict& verdict : verdicts)
        if (verdict.grade != Grade::good)
            report["mistakes"].push_back({{"ply", verdict.ply},
                                          {"played", record::to_usi(verdict.played)},
                                          {"best", record::to_usi(verdict.best)},
                                          {"before", verdict.before},
                                          {"after", verdict.after}});
    return report;
}

// Analyses one game after another and can be interrupted at any position.
class Batch {
public:
    Batch(const AnalyzeOptions& options, engine::Engine& engine, std::stop_token stop)
        : options_(options),
          engine_(engine),
          stop_(std::move(stop)),
          signature_(options.signature(engine.evaluator()->description())) {}

    Result<void> run(std::vector<Task>& tasks) {
        std::uint64_t total = 0;
        std::uint64_t already = 0;
        std::vector<std::vector<Finding>> known;
        for (const Task& task : tasks) {
            known.push_back(load_state(task, signature_));
            total += task.positions.size();
            already += known.back().size();
        }
        base::Progress progress("analyze", total, already);
        for (std::size_t i = 0; i < tasks.size() && !stop_.stop_requested(); ++i) {
            progress.note(tasks[i].output.filename().string());
            if (auto done = analyze(tasks[i], std::move(known[i]), progress); !done) return done;
        }
        return {};
    }
    // Print after the progress display has ended.
    void print_results(const std::vector<Task>& tasks) const {
        Json report = Json::array();
        for (std::size_t i = 0; i < verdicts_.size(); ++i) {
            if (options_.json)
                report.push_back(summary_json(tasks[i], verdicts_[i]));
            else
                print_summary(tasks[i], verdicts_[i]);
        }
        if (options_.json) fmt::print("{}\n", report.dump(2));
    }
    [[nodiscard]] std::size_t finished() const { return verdicts_.size(); }

private:
    Result<void> analyze(Task& task, std::vector<Finding> findings, base::Progress& progress) {
        engine_.new_game();
        base::Stopwatch since_saved;
        while (findings.size() < task.positions.size()) {
            Finding finding = examine(engine_, task.positions[findings.size()], options_.limits(), stop_);
            if (stop_.stop_requested()) return save_state(task, signature_, findings);  // the last finding is cut short
            findings.push_back(std::move(finding));
            progress.add();
            if (since_saved.seconds() < 10) continue;
            if (auto saved = save_state(task, signature_, findings); !saved) return saved;
            since_saved.restart();
        }
        verdicts_.push_back(judge(task.positions, findings));
        return write_result(task, findings, engine_.name());
    }

    const AnalyzeOptions& options_;
    engine::Engine& engine_;
    std::stop_token stop_;
    std::string signature_;
    std::vector<std::vector<Verdict>> verdicts_;
};

Result<void> set_up(engine::Engine& engine, const AnalyzeOptions& options) {
    const std::array<std::pair<const char*, std::string>, 6> values{{
        {"USI_OwnBook", "false"},
        {"Threads", std::to_string(options.threads)},
        {"USI_Hash", std::to_string(options.table_mib)},
        {"EvalFile", options.net},
        {"PvInterval", "0"},
        {"ConsiderationMode", "true"},
    }};
    for (const auto& [name, value] : values)
        if (auto set = engine.options().set(name, value); !set) return set;
    return engine.prepare();
}

void run(const AnalyzeOptions& options, Session& session) {
    const auto inputs = find_inputs(options);
    if (!inputs) return fail(session, inputs.error().message);
    if (!options.output.empty()) {
        std::error_code problem;
        fs::create_directories(options.output, problem);
        if (problem)
            return fail(session, fmt::format("cannot create the folder '{}': {}", options.output, problem.message()));
    }
    std::vector<Task> tasks;
    for (const fs::path& input : *inputs)
        add_tasks(input, options, tasks, session);
    const std::size_t all = tasks.size();
    if (!options.again) std::erase_if(tasks, [](const Task& task) { return fs::exists(task.output); });
    if (tasks.size() < all)
        fmt::print(stderr, "{} of {} games have a result already; --again replaces them\n", all - tasks.size(), all);

    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return fail(session, interrupt.error().message);
    engine::Engine engine;
    if (const auto ready = set_up(engine, options); !ready) return fail(session, ready.error().message);
    Batch batch(options, engine, (*interrupt)->token());
    const auto done = batch.run(tasks);
    batch.print_results(tasks);
    if (!done) return fail(session, done.error().message);
    if (batch.finished() < tasks.size()) fail(session, "interrupted; the same command goes on from here");
}

}  // namespace

void add_analyze_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<AnalyzeOptions>();
    CLI::App* command = program.add_subcommand("analyze", "Add the engine's scores and lines to game records");
    command->add_option("records", options->inputs, "Records in any format, or folders of them")->required();
    command->add_option("--output", options->output, "Folder for the results (default: beside each record)");
    command->add_option("--movetime", options->move_time, "Milliseconds per position, if nothing else is given")
        ->check(CLI::Range(1, 3'600'000))
        ->capture_default_str();
    command->add_option("--nodes", options->nodes, "Nodes per position");
    command->add_option("--depth", options->depth, "Depth per position")->check(CLI::Range(1, 100));
    command->add_option("--threads", options->threads, "Search threads")
        ->check(CLI::Range(1, 512))
        ->capture_default_str();
    command->add_option("--hash", options->table_mib, "Size of the transposition table in MiB")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command->add_option("--net", options->net, "A net to use instead of the built-in one");
    command->add_flag("--again", options->again, "Analyse games that have a result already");
    command->add_flag("--json", options->json, "Print the summary as JSON");
    command->footer(
        "game.kif becomes game.analyzed.kif with comments that ShogiHome draws as a graph; formats without comments\n"
        "become KIF. Interrupted work goes on when the same command is run again.\n\n"
        "Examples:\n  tsumugi analyze game.kif\n  tsumugi analyze games/ --nodes 500000 --output analysed\n"
        "  tsumugi analyze match.csa --movetime 5000 --threads 4 --json");
    command->callback([options, &session] { run(*options, session); });
}

}  // namespace tsumugi::app
