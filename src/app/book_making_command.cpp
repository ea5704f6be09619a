// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/book_command.hpp"
#include "app/book_progress.hpp"
#include "app/cluster_work.hpp"
#include "base/hash.hpp"
#include "base/mapped_file.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "base/thread.hpp"
#include "eval/net.hpp"
#include "fleet/book_run.hpp"
#include "fleet/duel_run.hpp"
#include "learn/bookmaking/duel.hpp"
#include "learn/bookmaking/publication.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

namespace bookmaking = learn::bookmaking;
using base::Result;

enum class BookUser { black, white, both };

// What `duel`, `think` and `loop` are told.
struct BookMakingOptions {
    std::string workspace;
    std::vector<std::string> known_books;
    std::string net;
    bookmaking::Publication publication;
    bool overwrite = false;
    std::vector<std::string> opponent_nets;
    bookmaking::DuelSettings duel;
    std::uint64_t games = 100;
    bookmaking::ThinkSettings think;
    BookUser user = BookUser::both;
    std::vector<std::string> roots;
    std::uint64_t rounds = 10;
    int workers = base::available_cores();
    bool on_cluster = false;  // games are played and positions thought about by agents
    std::string brokers;
};

// How agents know a net of this host.
Result<std::string> cluster_net(const std::string& net) {
    if (net.empty() || net == "material") return net;
    const auto content = base::MappedFile::open(net);
    if (!content) return content.error();
    return std::string(fleet::net_prefix) + base::sha256_hex(content->text());
}

// What the options name, found and loaded.
struct BookMaterial {
    std::shared_ptr<const eval::Evaluator> maker;
    std::vector<bookmaking::Opponent> opponents;
    std::vector<shogi::Setup> roots{shogi::Setup::even()};
};

Result<BookMaterial> gather_material(const BookMakingOptions& options) {
    BookMaterial material;
    if (!options.roots.empty()) material.roots.clear();
    for (const std::string& root : options.roots) {
        const auto position = named_position(root);
        if (!position) return position.error().in("--root");
        material.roots.push_back(position->setup());
    }
    auto maker = eval::choose_evaluator(options.net, {});
    if (!maker) return maker.error();
    material.maker = *std::move(maker);
    for (const std::string& net : options.opponent_nets) {
        auto evaluator = eval::choose_evaluator(net, {});
        if (!evaluator) return evaluator.error();
        material.opponents.push_back({net, *std::move(evaluator)});
    }
    if (material.opponents.empty()) material.opponents.push_back({"itself", material.maker});
    return material;
}

class BookMaker {
public:
    BookMaker(const BookMakingOptions& options, BookMaterial material, bookmaking::Workspace workspace,
              std::stop_token stop)
        : options_(options), material_(std::move(material)), workspace_(std::move(workspace)), stop_(std::move(stop)) {}

    // Makes the books that the options name part of the workspace.
    Result<void> take_over() {
        for (const std::string& file : options_.known_books) {
            BookProgress progress("take over");
            const auto report = bookmaking::take_over(workspace_, file, std::ref(progress));
            progress.finish();
            if (!report) return report.error();
            if (!report->omission.empty()) fmt::print(stderr, "{}\n", report->omission);
            fmt::print(stderr, "{}: {} positions, {} moves of which are new\n", file, report->positions, report->moves);
        }
        return {};
    }

    // Until the workspace has seen so many games.
    Result<void> duel(std::uint64_t games) {
        const auto before = workspace_.steps("duel");
        if (!before) return before.error();
        base::Progress progress("games", games, *before);
        const auto advance = [&](const bookmaking::DuelReport& so_far) {
            progress.note(fmt::format("{} without trouble, {} corrected, {} given up, {} positions", so_far.no_trouble,
                                      so_far.alternatives, so_far.given_up, workspace_.entries().size()));
            progress.add();
        };
        if (options_.on_cluster) return duel_on_cluster(games, advance, progress);
        const auto report = bookmaking::duel(workspace_, options_.duel, material_.maker, material_.opponents, games,
                                             options_.workers, advance, stop_);
        return report ? Result<void>() : report.error();
    }

    // About so many positions more, of those that the options ask for.
    Result<void> think(std::size_t count) {
        if (count == 0) return {};
        bookmaking::ThinkSettings settings = options_.think;
        settings.positions = count;
        settings.workers = options_.workers;
        settings.both = options_.user == BookUser::both;
        settings.rule.user = options_.user == BookUser::white ? shogi::Color::white : shogi::Color::black;
        settings.draw_black = options_.publication.draw_black;
        settings.draw_white = options_.publication.draw_white;
        settings.rule.roots = material_.roots;
        base::Progress progress("positions", options_.think.positions, options_.think.positions - count);
        const auto advance = [&] {
            progress.note(fmt::format("{} in the book", workspace_.entries().size()));
            progress.add();
        };
        if (options_.on_cluster) return think_on_cluster(settings, advance, progress);
        const auto report = bookmaking::think_on(workspace_, settings, material_.maker, advance, stop_);
        return report ? Result<void>() : report.error();
    }

    Result<void> publish() {
        if (options_.publication.output.empty()) return {};
        const auto report = bookmaking::publish(workspace_, options_.publication);
        if (!report) return report.error();
        fmt::print("{}: {} positions, {} moves\n", options_.publication.output.string(), report->positions,
                   report->moves);
        return {};
    }

    // Each round plays, thinks and backs up.
    Result<void> loop() {
        for (;;) {
            const auto rounds = workspace_.steps("round");
            if (!rounds) return rounds.error();
            if (*rounds >= options_.rounds || stop_.stop_requested()) return {};
            fmt::print(stderr, "round {} of {}\n", *rounds + 1, options_.rounds);
            const auto remaining = bookmaking::positions_left(workspace_, *rounds + 1, options_.think.positions);
            if (!remaining) return remaining.error();
            if (const auto done = duel((*rounds + 1) * options_.games); !done) return done;
            if (const auto done = think(*remaining); !done) return done;
            if (const auto done = publish(); !done) return done;
            if (stop_.stop_requested()) return {};
            if (const auto done = workspace_.add_step("round", fmt::format("{}", *rounds + 1), {}); !done) return done;
        }
    }

private:
    Result<void> think_on_cluster(const bookmaking::ThinkSettings& settings, const std::function<void()>& advance,
                                  base::Progress& progress) {
        auto net = cluster_net(options_.net);
        if (!net) return net.error();
        auto work = prepare_work(options_.brokers, "book");
        if (!work) return work.error();
        work->settings.say = [&](const std::string& line) { progress.print(line); };
        fleet::BookRun run(workspace_, options_.workspace, settings, *std::move(net), work->settings.window, advance);
        return fleet::run_jobs(run, work->connection, work->kind, run.name(), work->settings, stop_);
    }

    Result<void> duel_on_cluster(std::uint64_t games, const fleet::DuelRun::OnGame& advance, base::Progress& progress) {
        fleet::DuelJob game;
        game.settings = options_.duel;
        auto net = cluster_net(options_.net);
        if (!net) return net.error();
        game.net = *std::move(net);
        for (const std::string& opponent : options_.opponent_nets) {
            auto other = cluster_net(opponent);
            if (!other) return other.error();
            game.opponents.push_back({opponent, *std::move(other)});
        }
        if (game.opponents.empty()) game.opponents.push_back({material_.opponents.front().name, game.net});
        auto work = prepare_work(options_.brokers, "duel");
        if (!work) return work.error();
        work->settings.say = [&](const std::string& line) { progress.print(line); };
        auto run = fleet::DuelRun::open(workspace_, options_.workspace, std::move(game), games, advance);
        if (!run) return run.error();
        return fleet::run_jobs(**run, work->connection, work->kind, (*run)->name(), work->settings, stop_);
    }

    const BookMakingOptions& options_;
    BookMaterial material_;
    bookmaking::Workspace workspace_;
    std::stop_token stop_;
};

Result<bookmaking::Workspace> open_work(const BookMakingOptions& options) {
    const auto& output = options.publication.output;
    auto workspace = bookmaking::Workspace::open(options.workspace);
    if (!workspace || output.empty()) return workspace;
    if (const auto claimed = workspace->claim(output, options.overwrite); !claimed) return claimed.error();
    return workspace;
}

template <typename Work>
void make_book(const BookMakingOptions& options, Session& session, Work&& work) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return fail(session, interrupt.error().message);
    // Everything that can be wrong with the command shows before a workspace is made.
    if (const auto& output = options.publication.output; !output.empty())
        if (const auto fine = check_output(output, options.workspace, options.overwrite); !fine)
            return fail(session, fine.error().message);
    auto material = gather_material(options);
    if (!material) return fail(session, material.error().message);
    auto workspace = open_work(options);
    if (!workspace) return fail(session, workspace.error().message);
    BookMaker maker(options, *std::move(material), *std::move(workspace), (*interrupt)->token());
    auto done = maker.take_over();
    if (done) done = work(maker);
    if (!done) return fail(session, done.error().message);
    if ((*interrupt)->requested()) fmt::print(stderr, "interrupted; the same command goes on\n");
}

void add_common_options(CLI::App& command, BookMakingOptions& options) {
    command.add_option("workspace", options.workspace, "Database of the book in the making; goes on with an older one")
        ->required();
    command.add_option("-o,--output", options.publication.output, "Write the book (.db, .ybb), with backed-up values");
    command.add_option("--from", options.known_books, "Books to take over and extend; what the workspace knows stays")
        ->check(CLI::ExistingFile);
    command.add_flag("--force", options.overwrite, "Replace a book that was not made from this workspace");
    command.add_option("--net", options.net, "Evaluate with this net instead of the built-in one, or with material");
    command.add_option("--workers", options.workers, "Games or positions at a time")->check(CLI::Range(1, 1024));
    command.add_option("--draw-black", options.publication.draw_black, "What a draw is worth to Black")
        ->check(CLI::Range(-30000, 30000))
        ->capture_default_str();
    command.add_option("--draw-white", options.publication.draw_white, "What a draw is worth to White")
        ->check(CLI::Range(-30000, 30000))
        ->capture_default_str();
    command.add_flag("--non-promotions", options.publication.non_promotions,
                     "Where a promoted piece is captured at once, also write the move without promotion");
    command.add_flag("--cluster", options.on_cluster, "Let the agents of a cluster play the games and think");
    command
        .add_option("--brokers", options.brokers,
                    "TOML file with a table [cluster]; the broker of this machine if left out")
        ->check(CLI::ExistingFile);
}

void add_duel_options(CLI::App& command, BookMakingOptions& options) {
    bookmaking::DuelSettings& duel = options.duel;
    command.add_option("--nodes", duel.maker_nodes, "Nodes a move of the book's maker")->capture_default_str();
    command.add_option("--opponent-nodes", duel.opponent_nodes, "Nodes a move of the opponents")->capture_default_str();
    command.add_option("--opponent", options.opponent_nets, "Nets of opponents (default: the maker's own)");
    command.add_option("--opponent-sigma", duel.opponent_sigma, "Error of their evaluation, in centipawns")
        ->check(CLI::Range(0.0, 10000.0))
        ->capture_default_str();
    command.add_option("--margin", duel.margin, "Trouble is a score below minus this")
        ->check(CLI::Range(0, 30000))
        ->capture_default_str();
    command.add_option("--again", duel.again_factor, "Times the nodes for thinking again")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command.add_option("--steps-back", duel.most_steps_back, "Own moves before the trouble to think again about")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command.add_option("--won", duel.won, "A game ends when the maker is so far ahead")
        ->check(CLI::Range(1, 30000))
        ->capture_default_str();
    command.add_option("--varied-plies", duel.varied_plies, "Moves up to which opponents vary")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command.add_option("--seed", duel.seed, "Another seed gives other games")->capture_default_str();
}

void add_think_options(CLI::App& command, BookMakingOptions& options, const std::string& nodes) {
    const std::map<std::string, BookUser> users{
        {"black", BookUser::black}, {"white", BookUser::white}, {"both", BookUser::both}};
    bookmaking::ThinkSettings& think = options.think;
    command
        .add_option("--positions", think.positions, "Positions to think about, in this run or in each round of a loop")
        ->capture_default_str();
    command.add_option(nodes, think.effort.nodes, "Nodes for each of them")->capture_default_str();
    command.add_option("--depth", think.effort.depth, "Think to this depth instead")->check(CLI::Range(1, 200));
    command.add_option("--lines", think.effort.lines, "Moves to find in each")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command.add_option("--user", options.user, "Who will play from the book")
        ->transform(CLI::CheckedTransformer(users))
        ->default_str("both");
    command.add_option("--own-margin", think.rule.own_margin, "Follow the user's moves so much worse than his best")
        ->check(CLI::Range(0, 30000))
        ->capture_default_str();
    command
        .add_option("--opponent-margin", think.rule.opponent_margin,
                    "And his opponent's so much worse than the root promises")
        ->check(CLI::Range(0, 30000))
        ->capture_default_str();
    command.add_option("--root", options.roots, "Positions to start from: 'startpos moves …' or 'sfen …'");
}

void add_plies_option(CLI::App& command, BookMakingOptions& options) {
    command
        .add_option_function<int>(
            "--plies",
            [&options](int plies) {
                options.duel.plies = plies;
                options.think.rule.plies = plies;
            },
            "No position beyond this move number (default: 60 for games, 62 for analysis)")
        ->check(CLI::Range(1, 1000));
}

void explain_position(const std::string& file, const std::string& root, Session& session) {
    auto workspace = bookmaking::Workspace::open(file);
    if (!workspace) return fail(session, workspace.error().message);
    const auto position = named_position(root);
    if (!position) return fail(session, position.error().message);
    const auto explanations = workspace->explain(position->setup());
    if (!explanations) return fail(session, explanations.error().message);
    if (explanations->empty()) fmt::print("the book does not have this position\n");
    for (const auto& each : *explanations)
        fmt::print("{}: {}\n", record::to_usi(each.move), each.reason);
}

}  // namespace

void add_book_making(CLI::App& book, Session& session) {
    auto options = std::make_shared<BookMakingOptions>();
    CLI::App* duel = book.add_subcommand("duel", "Make a book by playing against weaker opponents");
    add_common_options(*duel, *options);
    add_duel_options(*duel, *options);
    add_plies_option(*duel, *options);
    duel->add_option("--games", options->games, "Games of the workspace in all")->capture_default_str();
    duel->callback([options, &session] {
        make_book(*options, session, [&](BookMaker& maker) {
            const auto played = maker.duel(options->games);
            return played ? maker.publish() : played;
        });
    });

    CLI::App* think = book.add_subcommand("think", "Analyse the positions that a book is likely to lead to");
    add_common_options(*think, *options);
    add_think_options(*think, *options, "--nodes");
    add_plies_option(*think, *options);
    think->callback([options, &session] {
        make_book(*options, session, [&](BookMaker& maker) {
            const auto thought = maker.think(options->think.positions);
            return thought ? maker.publish() : thought;
        });
    });

    CLI::App* loop = book.add_subcommand("loop", "Play, analyse, back up, and again");
    add_common_options(*loop, *options);
    add_duel_options(*loop, *options);
    add_think_options(*loop, *options, "--think-nodes");
    add_plies_option(*loop, *options);
    loop->add_option("--games", options->games, "Games of each round")->capture_default_str();
    loop->add_option("--rounds", options->rounds, "Rounds of the workspace in all")->capture_default_str();
    loop->callback(
        [options, &session] { make_book(*options, session, [](BookMaker& maker) { return maker.loop(); }); });

    auto position = std::make_shared<std::string>("startpos");
    CLI::App* explain = book.add_subcommand("explain", "Say why the moves of a position are in the book");
    explain->add_option("workspace", options->workspace, "Database of the book")->required()->check(CLI::ExistingFile);
    explain->add_option("position", *position, "'startpos moves …' or 'sfen …'")->capture_default_str();
    explain->callback([options, position, &session] { explain_position(options->workspace, *position, session); });
}

}  // namespace tsumugi::app
