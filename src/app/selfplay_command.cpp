// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "base/thread.hpp"
#include "learn/selfplay.hpp"

namespace tsumugi::app {
namespace {

using base::Result;
using learn::SelfplaySettings;
using learn::TableSharing;
using nlohmann::ordered_json;

constexpr const auto& end_names = record::archived_end_names;

double ratio(std::uint64_t a, std::uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

void print_summary(const learn::Selfplay& selfplay) {
    const learn::SelfplayTally& tally = selfplay.tally();
    const auto& before = selfplay.before();
    fmt::print("{} games, {} positions with scores in {:.1f} s: {:.0f} positions/s\n", tally.games, tally.positions,
               selfplay.seconds(), static_cast<double>(tally.positions) / selfplay.seconds());
    fmt::print("{:.0f} nodes and depth {:.2f} a search, {:.0f} nodes/s\n", ratio(tally.nodes, tally.searches),
               ratio(tally.depths, tally.searches), static_cast<double>(tally.nodes) / selfplay.seconds());
    fmt::print("Black won {}, White won {}, {} draws; {:.1f} plies a game; {} games dropped as repetitions\n",
               tally.results[1], tally.results[2], tally.results[0], ratio(tally.plies, tally.games),
               tally.dropped_games);
    for (std::size_t i = 0; i < end_names.size(); ++i)
        if (tally.ends[i] > 0) fmt::print("  {:<16}{:>8}\n", end_names[i], tally.ends[i]);
    fmt::print("archive: {} games, {} positions, {} bytes, {:.2f} bytes a position\n", before.games + tally.games,
               before.plies + tally.plies, selfplay.archive_bytes(),
               ratio(selfplay.archive_bytes(), before.plies + tally.plies));
}

ordered_json summary_json(const learn::Selfplay& selfplay) {
    const learn::SelfplayTally& tally = selfplay.tally();
    const auto& before = selfplay.before();
    ordered_json ends;
    for (std::size_t i = 0; i < end_names.size(); ++i)
        ends[end_names[i]] = tally.ends[i];
    return {{"games", tally.games},
            {"positions", tally.positions},
            {"seconds", selfplay.seconds()},
            {"searches", tally.searches},
            {"nodes", tally.nodes},
            {"mean_depth", ratio(tally.depths, tally.searches)},
            {"black_wins", tally.results[1]},
            {"white_wins", tally.results[2]},
            {"draws", tally.results[0]},
            {"dropped_games", tally.dropped_games},
            {"ends", std::move(ends)},
            {"archive",
             {{"games", before.games + tally.games},
              {"positions", before.plies + tally.plies},
              {"bytes", selfplay.archive_bytes()}}},
            {"provenance", ordered_json::parse(selfplay.provenance())}};
}

Result<void> run(const SelfplaySettings& settings, bool json) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    const auto selfplay = learn::Selfplay::open(settings);
    if (!selfplay) return selfplay.error();
    fmt::print(stderr, "{}\n", (*selfplay)->evaluation());
    if ((*selfplay)->before().plies >= settings.positions) {
        fmt::print(stderr, "the archive holds {} positions already\n", (*selfplay)->before().plies);
        return {};
    }
    {
        base::Progress progress("positions", settings.positions, (*selfplay)->before().plies);
        std::uint64_t games = (*selfplay)->before().games;
        const auto done = (*selfplay)->run(
            [&](const record::ArchivedGame& game) {
                progress.note(fmt::format("{} games", ++games));
                progress.add(game.plies.size());
            },
            (*interrupt)->token());
        if (!done) return done;
    }
    if (json)
        fmt::print("{}\n", summary_json(**selfplay).dump(2));
    else
        print_summary(**selfplay);
    if ((*interrupt)->requested()) fmt::print(stderr, "interrupted; the same command goes on\n");
    return {};
}

void add_opening_options(CLI::App& command, learn::OpeningRecipe& recipe) {
    command.add_option("--openings", recipe.suite, "Begin with a random opening of this file instead of the even game")
        ->check(CLI::ExistingFile);
    command.add_option("--random-plies-from", recipe.fewest_random_plies, "Fewest random moves at the start")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    command.add_option("--random-plies-to", recipe.most_random_plies, "Most random moves at the start")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    command.add_option("--late-random", recipe.late_random_share, "Share of games with a random move later")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--sampled-plies", recipe.sampled_plies, "Moves after that which are chosen among good ones")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command.add_option("--sampled-lines", recipe.sampled_lines, "Among how many")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command.add_option("--sampled-margin", recipe.sampled_margin, "Centipawns they may be worse than the best")
        ->check(CLI::Range(0, 10000))
        ->capture_default_str();
    command.add_option("--most-unbalanced", recipe.most_unbalanced, "Largest score a game may begin with")
        ->check(CLI::Range(1, 30000))
        ->capture_default_str();
    command
        .add_option("--entering-king", recipe.entering_king_share, "Share of games that begin with an entering king")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
}

void add_end_options(CLI::App& command, learn::EndRecipe& recipe) {
    command.add_option("--win-score", recipe.score, "A side this far ahead for some moves has won")
        ->check(CLI::Range(1, 31000))
        ->capture_default_str();
    command.add_option("--win-plies", recipe.plies, "For how many moves")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command
        .add_option("--played-out", recipe.played_out_share, "Share of games that are played to the end all the same")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--max-moves", recipe.max_moves, "Then it is a draw")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
}

void add_options(CLI::App& command, SelfplaySettings& settings) {
    const std::map<std::string, TableSharing> sharings{
        {"shared", TableSharing::shared}, {"each", TableSharing::each}, {"cleared", TableSharing::cleared}};
    settings.workers = base::available_cores();
    command.add_option("archive", settings.archive, "The file that the games are added to")->required();
    command.add_option("--positions", settings.positions, "Stop when the archive holds so many")->capture_default_str();
    command.add_option("--nodes", settings.nodes, "Nodes a move: no further depth is begun after so many")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--most-nodes", settings.most_nodes, "Nodes that end a depth in its midst (default: ten times)");
    command.add_option("--workers", settings.workers, "Games at a time")->check(CLI::Range(1, 1024));
    command.add_option("--hash", settings.table_mib, "MiB of each worker's table")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command.add_option("--table", settings.sharing, "Both sides use one table (shared), one each, or none is kept")
        ->transform(CLI::CheckedTransformer(sharings))
        ->default_str("shared");
    command.add_option("--seed", settings.seed, "Another seed gives other games")->capture_default_str();
    command.add_option("--net", settings.net, "Evaluate with this net instead of the built-in one, or with material");
    command.add_option("--fv-scale", settings.fv_scale, "FV_SCALE of that net")->check(CLI::Range(1, 1000));
    command
        .add_option("--remember", settings.remembered_positions,
                    "Positions remembered to drop games that repeat others")
        ->capture_default_str();
}

}  // namespace

void add_selfplay_command(CLI::App& program, Session& session) {
    auto settings = std::make_shared<SelfplaySettings>();
    auto json = std::make_shared<bool>(false);
    CLI::App* command = program.add_subcommand("selfplay", "Play the engine against itself and store the games");
    add_options(*command, *settings);
    add_opening_options(*command, settings->opening);
    add_end_options(*command, settings->end);
    command->add_flag("--json", *json, "Print the summary as JSON");
    command->footer(
        "May be killed at any moment; the same command goes on where the archive ends.\n\nExamples:\n"
        "  tsumugi selfplay games.tsa --positions 10000000 --nodes 1000\n"
        "  tsumugi selfplay entering.tsa --positions 500000 --entering-king 1 --played-out 1");
    command->callback([settings, json, &session] {
        if (settings->opening.most_random_plies < settings->opening.fewest_random_plies)
            return fail(session, "--random-plies-from is more than --random-plies-to");
        if (const auto done = run(*settings, *json); !done) fail(session, done.error().message);
    });
}

}  // namespace tsumugi::app
