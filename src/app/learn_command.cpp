// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "app/command.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "base/thread.hpp"
#include "learn/lineage.hpp"

namespace tsumugi::app {
namespace {

using base::Result;

struct LearnOptions {
    learn::LineageSettings settings;
    double hours = 0;
};

// Requests a stop when the user interrupts or the hours are over, whichever comes first.
class TimeLimit {
public:
    TimeLimit(double hours, const std::stop_token& interrupt)
        : interrupted_(interrupt, [this] { stop_.request_stop(); }) {
        if (hours <= 0) return;
        const auto end =
            std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                   std::chrono::duration<double, std::ratio<3600>>(hours));
        timer_ = std::jthread([this, end](const std::stop_token& over) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any wait;
            wait.wait_until(lock, over, end, [] { return false; });
            if (!over.stop_requested()) stop_.request_stop();
        });
    }
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

private:
    std::stop_source stop_;
    std::stop_callback<std::function<void()>> interrupted_;
    std::jthread timer_;
};

// A bar for each stage, and a line for each generation.
class Display : public learn::LineageObserver {
public:
    void on_stage(std::uint64_t generation, const std::string& stage, std::uint64_t total,
                  std::uint64_t done) override {
        progress_.reset();
        progress_ = std::make_unique<base::Progress>(fmt::format("generation {}: {}", generation, stage), total, done);
    }
    void on_progress(std::uint64_t count, const std::string& note) override {
        progress_->note(note);
        progress_->add(count);
    }
    void on_generation(const learn::Generation& generation) override {
        progress_.reset();
        const auto& estimate = generation.against_player.estimate;
        fmt::print(stderr, "generation {}: {:+.0f} Elo [{:+.0f}, {:+.0f}] against {}, {}\n", generation.number,
                   estimate.elo, estimate.elo_interval.low, estimate.elo_interval.high, generation.player,
                   generation.kept ? "kept" : "discarded");
    }
    void end() { progress_.reset(); }

private:
    std::unique_ptr<base::Progress> progress_;
};

Result<void> run(const LearnOptions& options) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    auto lineage = learn::Lineage::open(options.settings);
    if (!lineage) return lineage.error();
    const TimeLimit limit(options.hours, (*interrupt)->token());
    Display display;
    const auto done = lineage->run(display, limit.token());
    display.end();
    if (!done) return done;
    fmt::print("{}best net: {}\n", lineage->to_text(), lineage->best_net());
    if (limit.token().stop_requested()) fmt::print("stopped; the same command goes on\n");
    return {};
}

void add_options(CLI::App& command, LearnOptions& options) {
    learn::LineageSettings& settings = options.settings;
    command.add_option("folder", settings.folder, "Folder of games, nets and matches; an existing one is continued")
        ->required();
    command.add_option("--hours", options.hours, "Stop after this time (to be continued by the same command)")
        ->check(CLI::PositiveNumber);
    command.add_option("--generations", settings.generations, "Stop after so many generations");
    command.add_option("--positions", settings.selfplay.positions, "New positions in each generation")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--nodes", settings.selfplay.nodes, "Nodes a move of their games")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--remember", settings.remembered, "Learn from the games of so many generations")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command
        .add_option("--foresight", settings.foresight,
                    "Score positions by what was thought later in the game: what each further ply counts, 0 for not")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command
        .add_option("--quiet", settings.quiet_margin,
                    "Leave out positions whose evaluation a search of captures changes by more than this")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command.add_option("--beside", settings.beside, "Positions to make beside each one of the games")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command
        .add_option("--beside-nodes", settings.beside_nodes,
                    "Score those by a search of so many nodes; 0: by their evaluation after captures")
        ->capture_default_str();
    command.add_flag("!--fresh", settings.inherits,
                     "Begin every net with random weights instead of those of the best one so far");
    command.add_option("--rate", settings.train.schedule.rate, "Learning rate of random weights, at its highest")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--heir-rate", settings.heir_rate, "The same, of weights that were inherited")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--width", settings.train.architecture.width, "Accumulator of the K-P nets")
        ->capture_default_str();
    command.add_option("--epochs", settings.train.epochs, "Passes over the data")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--lambda", settings.train.schedule.lambda, "Weight of the score against the result, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command
        .add_option("--score-scale", settings.train.loss.score_scale,
                    "Centipawns of an advantage of e to 1 in the first player's games")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--games", settings.games, "Games of each match")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--match-nodes", settings.match_nodes, "Nodes a move of the matches")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--threads", settings.threads, "Games at a time, and threads of training")
        ->check(CLI::Range(1, 1024));
}

void add_lineage_command(CLI::App& parent, Session& session, const char* name, const char* about, bool from_net) {
    auto options = std::make_shared<LearnOptions>();
    options->settings.threads = base::available_cores();
    options->settings.selfplay.positions = 4'000'000;
    options->settings.filter.validation = 0.01;
    if (!from_net) {
        // Counting material says little of a position, and copying it nothing: learn from where games went. Players
        // become stronger so fast that many quick games, of the last one only, teach most.
        options->settings.selfplay.positions = 2'500'000;
        options->settings.selfplay.nodes = 200;
        options->settings.foresight = 0.9;
        options->settings.beside = 0;
        options->settings.remembered = 1;
        options->settings.train.loss.score_scale = 1100;
        options->settings.train.schedule.lambda = 1;
        options->settings.train.epochs = 3;
    }
    CLI::App* command = parent.add_subcommand(name, about);
    if (from_net)
        command->add_option("net", options->settings.start, "The net of the first player")->required();
    else
        command
            ->add_option("--go-on-from", options->settings.ancestor,
                         "Let this net of an earlier lineage play the first games and pass on its weights")
            ->check(CLI::ExistingFile);
    add_options(*command, *options);
    command->callback([options, &session] {
        options->settings.train.schedule.final_lambda = options->settings.train.schedule.lambda;
        if (const auto done = run(*options); !done) fail(session, done.error().message);
    });
}

}  // namespace

void add_learn_command(CLI::App& program, Session& session) {
    CLI::App* command = program.add_subcommand("learn", "Generations of nets: play, learn, compare, repeat");
    command->require_subcommand(1);
    add_lineage_command(*command, session, "zero", "Start with an evaluation that only counts material", false);
    add_lineage_command(*command, session, "from", "Start with the games of a given net", true);
    command->footer(
        "Each generation plays games with the best net so far, trains a new net on them, and keeps it if it wins a "
        "match.\nlineage.html in the folder shows the strength over the generations.\n\nExamples:\n"
        "  tsumugi learn zero runs/zero --hours 8\n"
        "  tsumugi learn zero runs/more --go-on-from nets/zero.nnue --positions 10000000\n"
        "  tsumugi learn from teacher.nnue runs/student --positions 8000000 --generations 1");
}

}  // namespace tsumugi::app
