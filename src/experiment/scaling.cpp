// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "experiment/output.hpp"
#include "experiment/planned_match.hpp"
#include "experiment/score_cell.hpp"

namespace tsumugi::experiment {
namespace {

using base::Error;
using base::Result;
using report::Cell;

// One comparison of one amount of the same thing against another.
struct Step {
    std::uint64_t amount;
    std::uint64_t base;
    PlannedMatch match;
};

arena::EngineSpec player(const ScalingOptions& options, std::string name) {
    arena::EngineSpec engine;
    engine.name = std::move(name);
    engine.options = {{"USI_Hash", std::to_string(options.hash_mib)}, {"USI_OwnBook", "false"}};
    if (!options.net.empty()) engine.options.emplace_back("EvalFile", options.net);
    return engine;
}

Step step(const ScalingOptions& options, std::string_view of, std::uint64_t amount, std::uint64_t base,
          std::uint64_t games) {
    Step made{amount, base, {fmt::format("{} against {} {}", amount, base, of), {}}};
    arena::MatchConfig& config = made.match.config;
    config.games = games;
    config.openings = {.file = options.openings, .shuffle = true, .seed = options.seed};
    config.pool.concurrency = options.concurrency;
    config.pool.play.adjudication = usual_adjudication();
    if (!options.output.empty()) config.folder = options.output / fmt::format("{}-{}", of, amount);
    return made;
}

std::vector<Step> node_steps(const ScalingOptions& options) {
    std::vector<Step> steps;
    for (std::size_t i = 1; i < options.nodes.size(); ++i) {
        const std::uint64_t games = options.games[std::min(i - 1, options.games.size() - 1)];
        Step each = step(options, "nodes", options.nodes[i], options.nodes[i - 1], games);
        for (const std::uint64_t nodes : {each.amount, each.base}) {
            arena::EngineSpec engine = player(options, fmt::format("{} nodes", nodes));
            engine.allowance.nodes = nodes;
            each.match.config.engines.push_back(std::move(engine));
        }
        steps.push_back(std::move(each));
    }
    return steps;
}

std::vector<Step> thread_steps(const ScalingOptions& options) {
    std::vector<Step> steps;
    for (std::size_t i = 1; i < options.threads.size(); ++i) {
        Step each = step(options, "threads", static_cast<std::uint64_t>(options.threads[i]),
                         static_cast<std::uint64_t>(options.threads[0]), options.thread_games);
        each.match.config.pool.concurrency = 1;
        for (const std::uint64_t threads : {each.amount, each.base}) {
            arena::EngineSpec engine = player(options, fmt::format("{} threads", threads));
            engine.allowance.move_time = std::chrono::milliseconds(options.move_time);
            for (const auto& [name, value] :
                 {std::pair("Threads", std::to_string(threads)), std::pair("NetworkDelay", std::string("0")),
                  std::pair("NetworkDelay2", std::string("0")), std::pair("MinimumThinkingTime", std::string("0"))})
                engine.options.emplace_back(name, value);
            each.match.config.engines.push_back(std::move(engine));
        }
        steps.push_back(std::move(each));
    }
    return steps;
}

report::Table table_of(const char* of, const std::vector<Step>& steps, std::span<const MatchResult> results) {
    report::Table table(score_columns({of, "against"}));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::vector<Cell> row{steps[i].amount, steps[i].base};
        add_score(row, results[i].scores.at(0));
        table.add(std::move(row));
    }
    return table;
}

report::Chart chart_of(const std::vector<Step>& steps, std::span<const MatchResult> results) {
    report::Chart chart;
    chart.title = "What more nodes are worth";
    chart.x_label = "nodes a move, against the number before";
    chart.y_label = "Elo";
    chart.x_scale = report::Scale::logarithmic;
    report::Series& series = chart.series.emplace_back();
    series.name = "Elo (95 %)";
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (const auto estimate = results[i].scores.at(0).estimate())
            series.points.push_back({static_cast<double>(steps[i].amount), estimate->elo, estimate->elo_interval});
    return chart;
}

Result<void> check(const ScalingOptions& options) {
    if (options.nodes.size() < 2 && options.threads.size() < 2)
        return Error{Error::Code::range, "nothing to compare: name at least two numbers of --nodes or of --threads"};
    if (options.openings.empty())
        return Error{Error::Code::syntax,
                     "no openings to play from; name a file with --openings, or all games would be the same"};
    const auto repeats = [](const auto& numbers) {
        return std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal()) != numbers.end();
    };
    if (repeats(options.nodes) || repeats(options.threads))
        return Error{Error::Code::range, "--nodes and --threads must grow from number to number"};
    if (options.games.empty()) return Error{Error::Code::range, "--games names no number of games"};
    return {};
}

}  // namespace

Result<void> run_scaling(const ScalingOptions& options, std::ostream& out, const std::stop_token& stop) {
    if (auto fine = check(options); !fine) return fine;
    const std::vector<Step> by_nodes = node_steps(options);
    const std::vector<Step> by_threads = thread_steps(options);
    std::vector<PlannedMatch> plan;
    for (const auto* steps : {&by_nodes, &by_threads})
        for (const Step& each : *steps)
            plan.push_back(each.match);
    const auto played = play_planned(plan, base::ProgressOutput::standard_error(), stop);
    if (!played) return played.error();

    const std::span results(played->matches);
    std::vector<NamedTable> tables;
    std::vector<NamedChart> charts;
    if (!by_nodes.empty()) {
        tables.push_back({"nodes", "More nodes", table_of("nodes", by_nodes, results.first(by_nodes.size()))});
        charts.push_back({"nodes", chart_of(by_nodes, results.first(by_nodes.size()))});
    }
    if (!by_threads.empty())
        tables.push_back({"threads", fmt::format("More threads, {} ms a move", options.move_time),
                          table_of("threads", by_threads, results.last(by_threads.size()))});
    print(out, tables);
    if (!played->complete()) out << "interrupted: the same command goes on\n";
    if (options.output.empty()) return {};
    const nlohmann::json facts{{"net", options.net},
                               {"hash", options.hash_mib},
                               {"seed", options.seed},
                               {"openings", options.openings.filename().string()},
                               {"complete", played->complete()}};
    if (auto written = write_output(options.output, "scaling", facts, tables); !written) return written;
    return write_page(options.output, "scaling", "What nodes and threads are worth", tables, charts);
}

}  // namespace tsumugi::experiment
