// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "arena/match_setting.hpp"
#include "arena/tuning.hpp"
#include "base/atomic_file.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "search/parameter.hpp"

namespace tsumugi::app {
namespace {

using arena::TuneConfig;
using base::Result;

// Which settings of matches make sense here.
constexpr std::array<std::string_view, 13> shared_settings{
    "openings",    "opening-plies", "shuffle",       "seed",       "concurrency", "pin",  "max-moves",
    "declaration", "time-margin",   "longest-think", "on-failure", "resign",      "mate",
};

struct TuneOptions {
    std::vector<std::string> engine{"name=self", "cmd=self"};
    std::vector<std::vector<std::string>> parameters;
    std::vector<arena::Words> settings;  // in the order of shared_settings
    TuneConfig config;
    std::string html;
    bool json = false;
};

// The word "all" stands for every number of the search.
std::vector<arena::Words> with_all_named(const std::vector<arena::Words>& parameters) {
    std::vector<arena::Words> named;
    for (const arena::Words& words : parameters) {
        if (words.front() != "all") {
            named.push_back(words);
            continue;
        }
        for (const search::Tunable& each : search::tunables()) {
            arena::Words one = words;
            one.front() = each.name;
            named.push_back(std::move(one));
        }
    }
    return named;
}

Result<TuneConfig> to_config(const CLI::App& command, const TuneOptions& options) {
    arena::MatchRequest request;
    for (std::size_t i = 0; i < shared_settings.size(); ++i)
        if (command.count(fmt::format("--{}", shared_settings[i])) > 0)
            request.settings.push_back({std::string(shared_settings[i]), options.settings[i]});
    request.engines.push_back(options.engine);
    auto match = request.to_config();
    if (!match) return match.error();
    TuneConfig config = options.config;
    config.engine = match->engines.front();
    if (config.engine.name.empty()) config.engine.name = "engine";
    config.openings = match->openings;
    config.pool = match->pool;
    config.spsa.seed = match->openings.seed;
    for (const auto& words : with_all_named(options.parameters)) {
        auto parameter = arena::parse_tune_parameter(words);
        if (!parameter) return parameter.error();
        config.spsa.parameters.push_back(*std::move(parameter));
    }
    return config;
}

Result<void> tune(const TuneConfig& config, const TuneOptions& options) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    const auto tuning = arena::Tuning::open(config);
    if (!tuning) return tuning.error();
    {
        base::Progress progress("pairs", config.spsa.iterations, (*tuning)->done());
        (*tuning)->on_iteration([&](const arena::Tuning& state) {
            const auto& parameters = config.spsa.parameters;
            progress.note(fmt::format("{} {:.2f}", parameters.front().name, state.spsa().values().front()));
            progress.add();
        });
        if (const auto done = (*tuning)->run((*interrupt)->token()); !done) return done;
    }
    const report::Table table = (*tuning)->table();
    if (!options.html.empty()) {
        const auto page = (*tuning)->to_html();
        if (!page) return page.error();
        if (const auto written = base::write_file(options.html, *page); !written) return written;
    }
    fmt::print("{}", options.json ? table.to_json().dump(2) + "\n" : table.to_text());
    if ((*tuning)->done() < config.spsa.iterations)
        fmt::print(stderr, "interrupted; the same command goes on with the tuning\n");
    return {};
}

void add_options(CLI::App& command, TuneOptions& options) {
    command.add_option("--engine", options.engine, "As for match: cmd=self (default), option.NAME=, nodes=, …")
        ->expected(1, 1000);
    command
        .add_option("--param", options.parameters,
                    "What to tune: the NAME of a number of the search, all for all of them, or an option of another "
                    "program, with start= min= max= step= rate= as wanted")
        ->type_size(1, 6)
        ->allow_extra_args()
        ->required();
    command.add_option("--iterations", options.config.spsa.iterations, "Pairs of games")->capture_default_str();
    options.settings.resize(shared_settings.size());
    for (const arena::MatchSetting& setting : arena::match_settings())
        for (std::size_t i = 0; i < shared_settings.size(); ++i) {
            if (setting.name != shared_settings[i]) continue;
            const std::string name = fmt::format("--{}", setting.name);
            const std::string help(setting.help);
            if (setting.most_words == 0)
                command.add_flag(name, help);
            else
                command.add_option(name, options.settings[i], help)->expected(setting.fewest_words, setting.most_words);
        }
    command.add_option("--out", options.config.folder, "Folder of the state (default tunings/FINGERPRINT)");
    command.add_option("--html", options.html, "Write a page with charts of the values, complete in one file");
    command.add_flag("--json", options.json, "Print the values as JSON");
}

}  // namespace

void add_tune_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<TuneOptions>();
    CLI::App* command = program.add_subcommand("tune", "Improve numbers of an engine by playing it against itself");
    add_options(*command, *options);
    command->footer(
        "Numbers are moved by SPSA: all at once, in small random steps, towards what wins. Running the same command\n"
        "again goes on with an interrupted tuning.\n\nExamples:\n"
        "  tsumugi tune --engine cmd=self nodes=2000 --param LmrBase --param LmrDivisor step=12 \\\n"
        "      --openings balanced.sfen --iterations 20000 --concurrency 2\n"
        "  tsumugi tune --engine cmd=./engine nodes=5000 --param Contempt start=0 min=-100 max=100 step=10");
    command->callback([options, command, &session] {
        const auto config = to_config(*command, *options);
        if (!config) return fail(session, config.error().message);
        if (const auto done = tune(*config, *options); !done) fail(session, done.error().message);
    });
}

}  // namespace tsumugi::app
