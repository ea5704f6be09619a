// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "arena/game_record.hpp"
#include "arena/match.hpp"
#include "arena/match_report.hpp"
#include "arena/match_setting.hpp"
#include "arena/usi_check.hpp"
#include "base/atomic_file.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tsumugi::app {
namespace {

using arena::MatchConfig;
using arena::MatchRequest;
using base::Error;
using base::Result;

// The words of the command line, before they are understood.
struct MatchOptions {
    std::string file;
    std::vector<arena::Words> settings;  // in the order of arena::match_settings()
    MatchRequest request;
    std::string check_usi;
    bool json = false;
};

struct ReportOptions {
    std::string folder;
    bool json = false;
    std::string html;
    std::string records;
    std::string to = "records";
};

Result<MatchConfig> to_config(const CLI::App& command, const MatchOptions& options) {
    MatchRequest request;
    if (!options.file.empty()) {
        auto loaded = MatchRequest::load(options.file);
        if (!loaded) return loaded.error();
        request = *std::move(loaded);
    }
    MatchRequest said = options.request;
    const auto known = arena::match_settings();
    for (std::size_t i = 0; i < known.size(); ++i)
        if (command.count(fmt::format("--{}", known[i].name)) > 0)
            said.settings.push_back({std::string(known[i].name), options.settings[i]});
    request.add(said);
    return request.to_config();
}

// Worth a line of its own: not every game that is lost by resignation, but everything that asks for a look.
bool is_remarkable(arena::Reason reason) {
    return arena::is_failure(reason) || reason == arena::Reason::time || reason == arena::Reason::illegal_move ||
           reason == arena::Reason::wrong_declaration;
}

std::string loss_line(const MatchConfig& config, const arena::StoredGame& stored) {
    const auto& verdict = stored.game.verdict;
    const shogi::Color loser = ~*verdict.winner;
    return fmt::format("game {}: {} lost by {}{}{}", stored.number + 1,
                       config.engines[stored.engine[shogi::index(loser)]].name, name(verdict.reason),
                       verdict.detail.empty() ? "" : ": ", verdict.detail);
}

Result<void> run_with_progress(arena::Match& match, const MatchConfig& config, std::stop_token stop) {
    base::Progress progress("games", match.games(), match.standing().games());
    progress.note(match.standing().summary());
    match.on_game([&](const arena::StoredGame& game, const arena::Standing& standing) {
        if (is_remarkable(game.game.verdict.reason)) progress.print(loss_line(config, game));
        progress.note(standing.summary());
        progress.add();
    });
    match.on_failure([&](const arena::StoredFailure& failure) {
        progress.print(fmt::format("game {}: {} failed ({}: {}); the game is played again", failure.game + 1,
                                   config.engines[failure.engine].name, failure.reason, failure.detail));
    });
    return match.run(std::move(stop));
}

Result<arena::MatchReport> read_report(const std::filesystem::path& folder) {
    auto results = arena::ResultStore::read(folder / arena::result_file);
    if (!results) return results.error().in(folder.string());
    return arena::MatchReport::collect(*results);
}

Result<void> play(const MatchConfig& config, bool json) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    const auto match = arena::Match::open(config);
    if (!match) return match.error();
    if (const auto done = run_with_progress(**match, config, (*interrupt)->token()); !done) return done;
    const auto report = read_report((*match)->folder());
    if (!report) return report.error();
    if (json) {
        fmt::print("{}\n", report->to_json().dump(2));
    } else {
        fmt::print("{}results: {}\n", report->to_text(), (*match)->folder().string());
        if (!(*match)->complete()) fmt::print("interrupted; the same command goes on with the match\n");
    }
    return {};
}

Result<void> write_all_records(const ReportOptions& options, const arena::MatchReport& report) {
    const auto format = record::find_format(options.records);
    if (!format) return Error{Error::Code::syntax, fmt::format("no format is called '{}'", options.records)};
    auto results = arena::ResultStore::read(std::filesystem::path(options.folder) / arena::result_file);
    if (!results) return results.error();
    Result<void> written;
    const auto read = results->for_each_game([&](const arena::StoredGame& stored) {
        const arena::GameLabels labels{report.engines[stored.engine[0]], report.engines[stored.engine[1]],
                                       stored.ended};
        if (written) written = arena::write_record(stored.game, labels, *format, options.to, stored.number);
    });
    return read ? written : read;
}

Result<void> print_report(const ReportOptions& options) {
    const auto report = read_report(options.folder);
    if (!report) return report.error();
    if (!options.html.empty())
        if (const auto written = base::write_file(options.html, report->to_html()); !written) return written;
    if (!options.records.empty())
        if (const auto written = write_all_records(options, *report); !written) return written;
    fmt::print("{}", options.json ? report->to_json().dump(2) + "\n" : report->to_text());
    return {};
}

// Status 1 when the program breaks the protocol.
Result<bool> check_usi(const MatchOptions& options) {
    const auto words = base::split_command(options.check_usi);
    if (!words) return words.error();
    const arena::UsiCheckReport report = arena::check_usi(*words);
    fmt::print("{}", options.json ? report.to_json().dump(2) + "\n" : report.to_text());
    return report.passed();
}

void add_options(CLI::App& command, MatchOptions& options) {
    command.add_option("file", options.file, "A TOML file with the same settings")->check(CLI::ExistingFile);
    command
        .add_option("--engine", options.request.engines,
                    "One engine: name=… cmd=… [dir=…] [option.NAME=…] [param.NAME=…] [ponder=true] and limits nodes=, "
                    "depth=, movetime=, time=, inc=, byoyomi=; cmd=self is this program without a process")
        ->type_size(1, 1000)
        ->allow_extra_args();
    command.add_option("--each", options.request.each, "Settings for every engine that does not say otherwise")
        ->expected(1, 1000);
    const auto known = arena::match_settings();
    options.settings.resize(known.size());
    for (std::size_t i = 0; i < known.size(); ++i) {
        const std::string name = fmt::format("--{}", known[i].name);
        const std::string help(known[i].help);
        if (known[i].most_words == 0)
            command.add_flag(name, help);
        else
            command.add_option(name, options.settings[i], help)->expected(known[i].fewest_words, known[i].most_words);
    }
    command.add_option("--check-usi", options.check_usi, "Test whether a program keeps to the USI protocol");
    command.add_flag("--json", options.json, "Print the results as JSON");
}

CLI::App* add_report_command(CLI::App& match, Session& session) {
    auto options = std::make_shared<ReportOptions>();
    CLI::App* command = match.add_subcommand("report", "Show the results of a match, also while it is played");
    command->add_option("folder", options->folder, "Folder of the match")->required();
    command->add_flag("--json", options->json, "Print everything as JSON");
    command->add_option("--html", options->html, "Write a page with charts, complete in one file");
    command->add_option("--records", options->records, "Write all games as csa, kif, usi, …");
    command->add_option("--to", options->to, "Folder for --records")->capture_default_str();
    command->callback([options, &session] {
        if (const auto done = print_report(*options); !done) fail(session, done.error().message);
    });
    return command;
}

}  // namespace

void add_match_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<MatchOptions>();
    CLI::App* command = program.add_subcommand("match", "Play matches between USI engines and judge them");
    command->require_subcommand(0, 1);
    add_options(*command, *options);
    CLI::App* report = add_report_command(*command, session);
    command->footer(
        "Running the same command again continues an interrupted match.\n\nExamples:\n"
        "  tsumugi match --engine name=new cmd=self --engine name=old cmd=./tsumugi-old --each nodes=20000 \\\n"
        "      --openings balanced.sfen --games 2000 --concurrency 2 --sprt large\n"
        "  tsumugi match --engine name=A cmd='./a --fast' option.USI_Hash=64 time=10s inc=100ms \\\n"
        "      --engine name=B cmd=./b dir=/opt/b byoyomi=500\n"
        "  tsumugi match tournament.toml --games 500\n"
        "  tsumugi match report matches/new-old-1a2b3c4d --html match.html\n"
        "  tsumugi match --check-usi ./engine");
    command->callback([options, command, report, &session] {
        if (report->parsed()) return;
        if (!options->check_usi.empty()) {
            const auto passed = check_usi(*options);
            if (!passed) return fail(session, passed.error().message);
            if (!*passed) session.exit_code = 1;
            return;
        }
        const auto config = to_config(*command, *options);
        if (!config) return fail(session, config.error().message);
        if (const auto done = play(*config, options->json); !done) fail(session, done.error().message);
    });
}

}  // namespace tsumugi::app
