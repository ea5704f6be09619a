// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "learn/data/branch.hpp"
#include "learn/data/filter.hpp"
#include "learn/data/flow.hpp"
#include "learn/data/foresight.hpp"
#include "learn/data/leaf.hpp"
#include "learn/data/relabel.hpp"
#include "learn/data/shuffle.hpp"
#include "learn/data/split.hpp"
#include "learn/data/statistics.hpp"

namespace tsumugi::app {
namespace {

namespace data = learn::data;
using base::Result;

// Runs work(monitor) with a display of progress; Ctrl-C stops it. Returns what the work did.
template <typename Work>
auto watched(const std::string& label, Work&& work) -> decltype(work(data::Monitor())) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    std::optional<base::Progress> progress;
    data::Monitor monitor;
    monitor.begin = [&](std::uint64_t total, std::uint64_t already) { progress.emplace(label, total, already); };
    monitor.advance = [&](std::uint64_t done) { progress->add(done); };
    monitor.stop = (*interrupt)->token();
    return work(monitor);
}

std::string describe(const data::FlowReport& report) {
    return report.games > 0 ? fmt::format("{} games with {} positions", report.games, report.positions)
                            : fmt::format("{} positions", report.positions);
}

void warn_of_damage(const data::FlowReport& report) {
    if (report.damaged_bytes > 0) fmt::print(stderr, "{} damaged bytes were skipped\n", report.damaged_bytes);
}

// Prints what was done, or why not.
template <typename Report, typename Print>
void conclude(const Result<Report>& report, Session& session, Print&& print) {
    if (!report) return fail(session, report.error().message);
    print(*report);
}

void add_inputs(CLI::App& command, std::vector<std::filesystem::path>& inputs) {
    command.add_option("inputs", inputs, "Archives of games, or .hcpe3, .psv, .bin, .hcpe")
        ->required()
        ->check(CLI::ExistingFile);
}

void add_output(CLI::App& command, std::filesystem::path& output, bool& overwrite) {
    command.add_option("-o,--output", output, "File to write; its name tells the format")->required();
    command.add_flag("--force", overwrite, "Replace a file that exists");
}

void add_stats(CLI::App& group, Session& session) {
    auto inputs = std::make_shared<std::vector<std::filesystem::path>>();
    auto json = std::make_shared<bool>(false);
    CLI::App* command = group.add_subcommand("stats", "Count games, positions, results, scores, repeated positions");
    add_inputs(*command, *inputs);
    command->add_flag("--json", *json, "Print JSON");
    command->footer("Example:\n  tsumugi data stats games.tsa");
    command->callback([=, &session] {
        const auto gathered =
            watched("bytes", [&](const data::Monitor& monitor) { return data::gather_statistics(*inputs, monitor); });
        conclude(gathered, session,
                 [&](const data::Statistics& all) { fmt::print("{}", *json ? all.json() : all.text()); });
    });
}

void run_copy(const data::CopySettings& settings, Session& session) {
    const auto report = watched("bytes", [&](const data::Monitor& monitor) { return data::copy(settings, monitor); });
    conclude(report, session, [&](const data::FlowReport& done) {
        warn_of_damage(done);
        fmt::print("{}: {}\n", settings.output.string(), describe(done));
    });
}

void add_data_convert(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::CopySettings>();
    settings->inputs.resize(1);
    CLI::App* command = group.add_subcommand("convert", "Convert to another format");
    command->add_option("input", settings->inputs.front(), "An archive of games, or .hcpe3, .psv, .bin, .hcpe")
        ->required()
        ->check(CLI::ExistingFile);
    command->add_option("output", settings->output, "File to write; its name tells the format")->required();
    command->add_flag("--force", settings->overwrite, "Replace a file that exists");
    command->footer(
        "Games become positions (those with a score), but positions never become games.\n\nExamples:\n"
        "  tsumugi data convert games.tsa positions.psv\n  tsumugi data convert games.hcpe3 games.tsa");
    command->callback([=, &session] { run_copy(*settings, session); });
}

void add_merge(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::CopySettings>();
    CLI::App* command = group.add_subcommand("merge", "Put files together");
    command->add_option("output", settings->output, "File to write; its name tells the format")->required();
    add_inputs(*command, settings->inputs);
    command->add_flag("--force", settings->overwrite, "Replace a file that exists");
    command->add_flag("--renumber", settings->renumber, "Number the games from 0 on instead of keeping their numbers");
    command->footer("Example:\n  tsumugi data merge all.tsa monday.tsa tuesday.tsa --renumber");
    command->callback([=, &session] { run_copy(*settings, session); });
}

void add_shuffle(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::ShuffleSettings>();
    auto mebibytes = std::make_shared<std::size_t>(1024);
    CLI::App* command = group.add_subcommand("shuffle", "Bring positions into a random order, on the disk");
    add_inputs(*command, settings->inputs);
    add_output(*command, settings->output, settings->overwrite);
    command->add_option("--seed", settings->seed, "Another seed gives another order")->capture_default_str();
    command->add_option("--memory", *mebibytes, "MiB to use; the order does not depend on it")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command->footer("Example:\n  tsumugi data shuffle a.tsa b.tsa -o shuffled.psv");
    command->callback([=, &session] {
        settings->memory = *mebibytes << 20;
        const auto report =
            watched("bytes", [&](const data::Monitor& monitor) { return data::shuffle(*settings, monitor); });
        conclude(report, session, [&](const data::FlowReport& done) {
            warn_of_damage(done);
            fmt::print("{}: {} positions\n", settings->output.string(), done.positions);
        });
    });
}

void add_split(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::SplitSettings>();
    auto parts = std::make_shared<std::vector<std::string>>();
    CLI::App* command = group.add_subcommand("split", "Divide games among files by their numbers");
    add_inputs(*command, settings->inputs);
    command->add_option("--part", *parts, "SHARE=FILE, once for every part")->required()->allow_extra_args(false);
    command->add_option("--seed", settings->seed, "Another seed divides differently")->capture_default_str();
    command->add_flag("--force", settings->overwrite, "Replace files that exist");
    command->footer("Example:\n  tsumugi data split games.tsa --part 0.99=train.tsa --part 0.01=held-out.tsa");
    command->callback([=, &session] {
        for (const std::string& part : *parts) {
            const std::size_t sign = part.find('=');
            const auto share = base::parse_number<double>(std::string_view(part).substr(0, sign));
            if (sign == std::string::npos || !share)
                return fail(session, fmt::format("--part '{}' is not like 0.99=train.tsa", part));
            settings->parts.push_back({part.substr(sign + 1), *share});
        }
        const auto report =
            watched("bytes", [&](const data::Monitor& monitor) { return data::split(*settings, monitor); });
        conclude(report, session, [&](const data::SplitReport& done) {
            warn_of_damage(done.all);
            for (std::size_t i = 0; i < done.parts.size(); ++i)
                fmt::print("{}: {}\n", settings->parts[i].output.string(), describe(done.parts[i]));
        });
    });
}

void add_filter_rules(CLI::App& command, data::FilterSettings& settings, int& quiet_margin) {
    data::FilterRules& rules = settings.rules;
    command.add_option("--min-ply", rules.min_ply, "Plies of the game before the position, at least");
    command.add_option("--max-ply", rules.max_ply, "And at most");
    command.add_option("--min-score", rules.min_score, "Score of either sign, at least");
    command.add_option("--max-score", rules.max_score, "And at most; mates begin at 31000");
    command.add_flag("!--no-check", rules.in_check, "Leave out positions in check");
    command.add_flag("!--no-captures", rules.loud_move, "Leave out positions whose best move captures or promotes");
    command
        .add_option("--quiet", quiet_margin,
                    "Leave out positions whose evaluation a search of captures changes by more than this")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--net", settings.net, "The net to do so with, instead of the built-in one, or material");
    command.add_option("--fv-scale", settings.fv_scale, "FV_SCALE of that net")->check(CLI::Range(1, 1000));
    command.add_option("--min-length", rules.shortest, "Moves of a game, at least");
    command.add_option("--max-length", rules.longest, "And at most");
    command.add_flag("!--decided", rules.draws, "Leave out drawn games");
    command.add_option("--workers", settings.workers, "Threads; what is kept does not depend on them")
        ->check(CLI::Range(1, 1024));
}

void add_data_filter(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::FilterSettings>();
    settings->workers = base::available_cores();
    auto quiet_margin = std::make_shared<int>(-1);
    CLI::App* command = group.add_subcommand("filter", "Keep positions that are good to learn from");
    add_inputs(*command, settings->inputs);
    add_output(*command, settings->output, settings->overwrite);
    add_filter_rules(*command, *settings, *quiet_margin);
    command->footer(
        "In an archive the positions left out lose their scores, so that games can still be replayed; games without\n"
        "any score are dropped.\n\nExample:\n"
        "  tsumugi data filter games.tsa -o quiet.psv --min-ply 8 --max-score 3000 --no-check --quiet 60");
    command->callback([=, &session] {
        if (*quiet_margin >= 0) settings->rules.quiet_margin = *quiet_margin;
        const auto report =
            watched("bytes", [&](const data::Monitor& monitor) { return data::filter(*settings, monitor); });
        conclude(report, session, [&](const data::FilterReport& done) {
            warn_of_damage(done.read);
            fmt::print("{}: {} of {}\n", settings->output.string(), describe(done.kept), describe(done.read));
        });
    });
}

void add_foresee(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::ForesightSettings>();
    CLI::App* command =
        group.add_subcommand("foresee", "Score the positions of games by what was thought later in the game");
    add_inputs(*command, settings->inputs);
    add_output(*command, settings->output, settings->overwrite);
    command->add_option("--decay", settings->decay, "What each further ply counts, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command->add_option("--score-scale", settings->score_scale, "Centipawns of an advantage of e to 1 (data stats)")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->footer("Example:\n  tsumugi data foresee games.tsa -o foreseen.tsa --decay 0.9 --score-scale 1100");
    command->callback([=, &session] {
        const auto report =
            watched("bytes", [&](const data::Monitor& monitor) { return data::foresee(*settings, monitor); });
        conclude(report, session, [&](const data::FlowReport& done) {
            warn_of_damage(done);
            fmt::print("{}: {}\n", settings->output.string(), describe(done));
        });
    });
}

void add_growth_options(CLI::App& command, data::GrowthSettings& settings) {
    settings.workers = base::available_cores();
    add_inputs(command, settings.inputs);
    add_output(command, settings.output, settings.overwrite);
    command.add_option("--max-score", settings.max_score, "Leave out what is worth more than this, for either side")
        ->check(CLI::Range(0, 30000))
        ->capture_default_str();
    command.add_option("--net", settings.net, "The net that scores, instead of the built-in one, or material");
    command.add_option("--fv-scale", settings.fv_scale, "FV_SCALE of that net")->check(CLI::Range(1, 1000));
    command.add_option("--seed", settings.seed, "Another seed, other positions")->capture_default_str();
    command.add_option("--workers", settings.workers, "Threads; the positions do not depend on them")
        ->check(CLI::Range(1, 1024));
}

template <typename Grow>
void run_growth(const data::GrowthSettings& settings, Session& session, Grow&& grow) {
    conclude(watched("bytes", grow), session, [&](const data::GrowthReport& done) {
        warn_of_damage(done.read);
        fmt::print("{}: {} positions from {}\n", settings.output.string(), done.written, describe(done.read));
    });
}

void add_branch(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::BranchSettings>();
    CLI::App* command = group.add_subcommand("branch", "Make positions beside those of games, with scores");
    add_growth_options(*command, *settings);
    command->add_option("--count", settings->count, "New positions for each old one")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--moves", settings->moves, "Random moves that lead to one, at most")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command->footer(
        "Captures are played out first, and the score is the evaluation after them. The results mean nothing:\n"
        "train with --lambda 1.\n\nExample:\n"
        "  tsumugi data branch games.tsa -o beside.psv --count 2 --moves 2 --net nn.bin");
    command->callback([=, &session] {
        run_growth(*settings, session, [&](const data::Monitor& monitor) { return data::branch(*settings, monitor); });
    });
}

void add_leaves(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::LeafSettings>();
    CLI::App* command =
        group.add_subcommand("leaves", "Search the positions of games and write down what the net is asked");
    add_growth_options(*command, *settings);
    command->add_option("--nodes", settings->nodes, "Nodes a position: no further depth is begun after so many")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--every", settings->every, "One of so many evaluations is kept, on average")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--hash", settings->table_mib, "MiB of each worker's table")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command->add_option("--explorer", settings->explorer,
                        "Search with this net, while --net answers: the positions a pupil comes upon");
    command->add_flag("--mirror-image", settings->mirror_image,
                      "Answer with the mean of what the net says of a position and of its mirror image");
    command->footer(
        "The score is the static evaluation: another net learns to answer like this one where it matters. The results\n"
        "mean nothing: train with --lambda 1.\n\nExample:\n"
        "  tsumugi data leaves games.tsa -o leaves.psv --nodes 1000 --every 16 --net nn.bin --mirror-image");
    command->callback([=, &session] {
        run_growth(*settings, session,
                   [&](const data::Monitor& monitor) { return data::sample_leaves(*settings, monitor); });
    });
}

void print_relabelled(const data::RelabelSettings& settings, const data::RelabelReport& done) {
    fmt::print("{} positions searched in {:.1f} s, {} a second, {} nodes each\n", done.positions, done.seconds,
               base::human_count(static_cast<double>(done.positions) / std::max(done.seconds, 1e-9)),
               done.nodes / std::max<std::uint64_t>(done.positions, 1));
    if (done.already > 0) fmt::print("{} were done before\n", done.already);
    fmt::print("scores changed by {:.1f} on average (of those up to 3000)\n", done.mean_change);
    if (done.finished)
        fmt::print("{} is complete\n", settings.output.string());
    else
        fmt::print("stopped; the same command goes on\n");
}

void add_relabel(CLI::App& group, Session& session) {
    auto settings = std::make_shared<data::RelabelSettings>();
    settings->workers = base::available_cores();
    CLI::App* command = group.add_subcommand("relabel", "Search positions anew and replace their scores");
    command->add_option("input", settings->input, "An archive of games, or .hcpe3, .psv, .bin, .hcpe")
        ->required()
        ->check(CLI::ExistingFile);
    add_output(*command, settings->output, settings->overwrite);
    command->add_option("--nodes", settings->nodes, "Nodes a position: no further depth is begun after so many");
    command->add_option("--depth", settings->depth, "Depth of every search")->check(CLI::Range(1, 100));
    command->add_option("--net", settings->net, "Evaluate with this net instead of the built-in one, or with material");
    command->add_option("--fv-scale", settings->fv_scale, "FV_SCALE of that net")->check(CLI::Range(1, 1000));
    command->add_option("--hash", settings->table_mib, "MiB of each worker's table")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command->add_option("--workers", settings->workers, "Positions at a time; scores do not depend on it")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--unscored", settings->unscored, "Score the positions of games that have no score, too");
    command->footer(
        "May be killed at any moment; the same command goes on.\n\nExample:\n"
        "  tsumugi data relabel old.tsa -o new.tsa --net better.bin --nodes 5000");
    command->callback([=, &session] {
        const auto report =
            watched("positions", [&](const data::Monitor& monitor) { return data::relabel(*settings, monitor); });
        conclude(report, session, [&](const data::RelabelReport& done) { print_relabelled(*settings, done); });
    });
}

}  // namespace

void add_data_command(CLI::App& program, Session& session) {
    CLI::App* group =
        program.add_subcommand("data", "Work with training data: count, convert, shuffle, filter, relabel");
    group->require_subcommand(1);
    add_stats(*group, session);
    add_data_convert(*group, session);
    add_merge(*group, session);
    add_split(*group, session);
    add_data_filter(*group, session);
    add_foresee(*group, session);
    add_branch(*group, session);
    add_leaves(*group, session);
    add_relabel(*group, session);
    add_shuffle(*group, session);
}

}  // namespace tsumugi::app
