// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "arena/match.hpp"
#include "arena/match_report.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"

namespace tsumugi::app {
namespace {

using arena::MatchConfig;
using base::Result;

// The words of the command line, before they are understood.
struct Options {
    std::vector<std::vector<std::string>> engines;
    std::vector<std::string> each;
    std::vector<std::string> sprt;
    std::vector<std::string> resign;
    std::vector<std::string> draw;
    std::vector<std::string> mate;
    std::string declaration = "27";
    std::string tournament = "round-robin";
    std::string on_failure = "loss";
    std::string time_margin = "50";
    std::string longest_think = "300s";
    std::vector<std::string> records;
    MatchConfig config;
    bool quiet = false;
};

Result<std::vector<arena::EngineSpec>> parse_engines(const Options& options) {
    arena::EngineSpec defaults;
    for (const std::string& word : options.each)
        if (const auto set = defaults.set(word); !set) return set.error().in("--each");
    std::vector<arena::EngineSpec> engines;
    for (const auto& words : options.engines) {
        arena::EngineSpec engine;
        for (const std::string& word : words)
            if (const auto set = engine.set(word); !set) return set.error().in("--engine");
        engine.fill_from(defaults);
        engines.push_back(std::move(engine));
    }
    return engines;
}

template <typename Target, typename Value>
Result<void> store(Target& target, Result<Value> value) {
    if (!value) return value.error();
    target = *std::move(value);
    return {};
}

Result<std::vector<record::Format>> parse_records(const std::vector<std::string>& names) {
    std::vector<record::Format> formats;
    for (const std::string& name : names) {
        const auto format = record::find_format(name);
        if (!format)
            return base::Error{base::Error::Code::syntax, fmt::format("--records: no format is called '{}'", name)};
        formats.push_back(*format);
    }
    return formats;
}

Result<MatchConfig> parse(const CLI::App& command, const Options& options) {
    MatchConfig config = options.config;
    arena::PlaySettings& play = config.pool.play;
    std::vector<Result<void>> results;
    results.push_back(store(config.engines, parse_engines(options)));
    results.push_back(store(play.rules.declaration, arena::parse_declaration_rule(options.declaration)));
    results.push_back(store(play.time_margin, arena::parse_duration(options.time_margin)));
    results.push_back(store(play.longest_think, arena::parse_duration(options.longest_think)));
    results.push_back(store(config.records, parse_records(options.records)));
    if (command.count("--sprt") > 0) results.push_back(store(config.sprt, arena::parse_sprt(options.sprt)));
    if (command.count("--resign") > 0)
        results.push_back(store(play.adjudication.resign, arena::parse_resign(options.resign)));
    if (command.count("--draw") > 0) results.push_back(store(play.adjudication.draw, arena::parse_draw(options.draw)));
    if (command.count("--mate") > 0) results.push_back(store(play.adjudication.mate, arena::parse_mate(options.mate)));
    for (const auto& result : results)
        if (!result) return result.error();
    if (options.tournament == "gauntlet") config.tournament = arena::Tournament::gauntlet;
    if (options.on_failure == "replay") config.pool.on_failure = arena::FailurePolicy::replay;
    return config;
}

std::string failure_line(const MatchConfig& config, const arena::StoredGame& stored) {
    const auto& verdict = stored.game.verdict;
    const shogi::Color loser = ~*verdict.winner;
    return fmt::format("game {}: {} lost by {}{}{}", stored.number + 1,
                       config.engines[stored.engine[shogi::index(loser)]].name, name(verdict.reason),
                       verdict.detail.empty() ? "" : ": ", verdict.detail);
}

bool is_remarkable(arena::Reason reason) {
    return arena::is_failure(reason) || reason == arena::Reason::time || reason == arena::Reason::illegal_move ||
           reason == arena::Reason::wrong_declaration;
}

Result<void> play(const MatchConfig& config) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    auto match = arena::Match::open(config);
    if (!match) return match.error();
    {
        base::Progress progress("games", (*match)->games(), (*match)->standing().games());
        progress.note((*match)->standing().summary());
        (*match)->on_game([&](const arena::StoredGame& game, const arena::Standing& standing) {
            if (is_remarkable(game.game.verdict.reason)) progress.print(failure_line(config, game));
            progress.note(standing.summary());
            progress.add();
        });
        (*match)->on_failure([&](const arena::StoredFailure& failure) {
            progress.print(fmt::format("game {}: {} failed ({}: {}); the game is played again", failure.game + 1,
                                       config.engines[failure.engine].name, failure.reason, failure.detail));
        });
        if (const auto done = (*match)->run((*interrupt)->token()); !done) return done;
    }
    auto results = arena::ResultStore::read((*match)->folder() / arena::result_file);
    if (!results) return results.error();
    const auto report = arena::MatchReport::collect(*results);
    if (!report) return report.error();
    fmt::print("{}results: {}\n", report->to_text(), (*match)->folder().string());
    if (!(*match)->complete()) fmt::print("interrupted; the same command goes on with the match\n");
    return {};
}

void add_options(CLI::App& command, Options& options) {
    MatchConfig& config = options.config;
    command
        .add_option("--engine", options.engines,
                    "One engine: name=… cmd=… [dir=…] [option.NAME=…] [param.NAME=…] [ponder=true] and limits nodes=, "
                    "depth=, movetime=, time=, inc=, byoyomi=; cmd=self is this program without a process")
        ->type_size(1, 1000)
        ->allow_extra_args();
    command.add_option("--each", options.each, "Settings for every engine that does not say otherwise")
        ->expected(1, 1000);
    command.add_option("--games", config.games, "Games of each pairing")->capture_default_str();
    command.add_option("--tournament", options.tournament, "Who plays whom")
        ->check(CLI::IsMember({"round-robin", "gauntlet"}))
        ->capture_default_str();
    command.add_option("--openings", config.openings.file, "Start positions: SFEN, USI move lists or game records")
        ->check(CLI::ExistingFile);
    command.add_option("--opening-plies", config.openings.plies, "Cut openings after so many moves");
    command.add_flag("--shuffle", config.openings.shuffle, "Take the openings in random order");
    command.add_option("--seed", config.openings.seed, "Of the random order")->capture_default_str();
    command.add_option("--concurrency", config.pool.concurrency, "Games at once")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command.add_flag("--pin", config.pool.pin, "Keep every game on a processor of its own");
    command
        .add_option("--sprt", options.sprt,
                    "Stop when decided: gain [0, 2], keep [-1.75, 0.25], large [0, 10], or elo0= elo1= alpha= "
                    "beta= model=normalized|logistic")
        ->expected(0, 8);
    command.add_option("--out", config.folder, "Folder of the results (default: matches/NAMES-FINGERPRINT)");
    command.add_option("--records", options.records, "Also write every game as csa, kif, usi, … (comma between)")
        ->delimiter(',');
}

void add_rule_options(CLI::App& command, Options& options) {
    MatchConfig& config = options.config;
    command.add_option("--max-moves", config.pool.play.rules.max_moves, "A draw after this move; 0 for never")
        ->check(CLI::Range(0, 100'000))
        ->capture_default_str();
    command.add_option("--declaration", options.declaration, "Rule: 27, 24, 27-handicap, 24-handicap, try, none")
        ->capture_default_str();
    command.add_option("--time-margin", options.time_margin, "How much too late an answer may come")
        ->capture_default_str();
    command.add_option("--longest-think", options.longest_think, "When a player without a clock counts as hanging")
        ->capture_default_str();
    command
        .add_option("--on-failure", options.on_failure, "Games in which a program crashes, hangs or answers nonsense")
        ->check(CLI::IsMember({"loss", "replay"}))
        ->capture_default_str();
    command.add_option("--resign", options.resign, "End games that both give up: cp=3000 moves=3")->expected(0, 2);
    command.add_option("--draw", options.draw, "End games that both find level: cp=10 moves=20 from=160")
        ->expected(0, 3);
    command.add_option("--mate", options.mate, "End games in which both announce the same mate: moves=1")
        ->expected(0, 1);
}

}  // namespace

void add_match_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("match", "Play matches between USI engines and judge them");
    add_options(*command, *options);
    add_rule_options(*command, *options);
    command->footer(
        "Running the same command again continues an interrupted match.\n\nExamples:\n"
        "  tsumugi match --engine name=new cmd=self --engine name=old cmd=./tsumugi-old --each nodes=20000 \\\n"
        "      --openings balanced.sfen --games 2000 --concurrency 2 --sprt large\n"
        "  tsumugi match --engine name=A cmd='./a --fast' option.USI_Hash=64 time=10s inc=100ms \\\n"
        "      --engine name=B cmd=./b dir=/opt/b byoyomi=500");
    command->callback([options, command, &session] {
        const auto config = parse(*command, *options);
        if (!config) return fail(session, config.error().message);
        if (const auto done = play(*config); !done) fail(session, done.error().message);
    });
}

}  // namespace tsumugi::app
