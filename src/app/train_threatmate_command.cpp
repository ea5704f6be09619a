// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include <fmt/format.h>

#include "app/train_command.hpp"
#include "base/signal.hpp"
#include "base/thread.hpp"
#include "learn/threatmate/training.hpp"

namespace tsumugi::app {
namespace {

struct ThreatmateOptions {
    learn::threatmate::TrainingSettings settings;
    std::filesystem::path output;
};

base::Result<void> run(const ThreatmateOptions& options) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    const auto result =
        learn::threatmate::train(options.settings, base::ProgressOutput::standard_error(), (*interrupt)->token());
    if (!result) return result.error();
    fmt::print("{}\n\n{}\n{}", result->provenance, learn::threatmate::quality_table(*result).to_text(),
               learn::threatmate::weight_table(*result).to_text());
    return options.output.empty() ? base::Result<void>{} : learn::threatmate::write_training(options.output, *result);
}

}  // namespace

void add_train_threatmate_command(CLI::App& train, Session& session) {
    auto options = std::make_shared<ThreatmateOptions>();
    auto& settings = options->settings;
    settings.sample.threads = base::available_cores();
    CLI::App* command = train.add_subcommand(
        "threatmate", "Teach a logistic model which moves threaten mate; the mate solver knows (S12)");
    command->add_option("games", settings.games, "Game records (files or folders) and archives of games")
        ->required()
        ->check(CLI::ExistingPath);
    command
        ->add_option("--threats", settings.sample.threats,
                     "Threats of mate to learn from, with twice as many other moves")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--from", settings.sample.from_ply, "Moves at the beginning of a game that are left out")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command->add_option("--nodes", settings.sample.solver_nodes, "Nodes of the mate solver for each question")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--folds", settings.folds, "Parts of the games, each judged by a model of the others")
        ->check(CLI::Range(2, 1000))
        ->capture_default_str();
    command->add_option("--ridge", settings.fit.ridge, "Penalty on large weights")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command->add_option("--seed", settings.sample.seed, "Chooses the other moves and deals games to the folds")
        ->capture_default_str();
    command->add_option("--threads", settings.sample.threads, "Threads; the model does not depend on them")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--output", options->output,
                        "Folder for the report with its ROC curve, the figures, and the model as a source file");
    command->footer(
        "The model of the program is src/search/threatmate_model.cpp; put the new file in its place to change it.\n\n"
        "Example:\n  tsumugi train threatmate selfplay.tsa records/ --output results");
    command->callback([options, &session] {
        if (const auto done = run(*options); !done) fail(session, done.error().message);
    });
}

}  // namespace tsumugi::app
