// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/train_command.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "learn/train/run.hpp"

namespace tsumugi::app {
namespace {

using base::Error;
using base::Result;
using learn::KingBuckets;

struct TrainOptions {
    std::vector<std::filesystem::path> data;
    std::vector<std::filesystem::path> validation;
    learn::SampleFilter filter;
    learn::TrainSettings settings;
    std::string feature = "K-P";
    std::string king_buckets = "none";
    std::string loss = "power";
    bool no_mirror = false;
    bool no_captures = false;
};

Result<eval::nnue::Feature> find_feature(const std::string& name) {
    std::string known;
    for (const auto& each : eval::nnue::all_features()) {
        if (base::to_lower(each.name) == base::to_lower(name)) return each.feature;
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    return Error{Error::Code::syntax, fmt::format("there is no feature set '{}'; known are {}", name, known)};
}

Result<learn::TrainSettings> to_settings(const CLI::App& command, const TrainOptions& options) {
    learn::TrainSettings settings = options.settings;
    const auto feature = find_feature(options.feature);
    if (!feature) return feature.error();
    settings.architecture.feature = *feature;
    const std::map<std::string, KingBuckets> buckets{
        {"none", KingBuckets::none}, {"rank", KingBuckets::rank}, {"zone", KingBuckets::zone}};
    settings.king_buckets = buckets.at(options.king_buckets);
    settings.loss.cross_entropy = options.loss == "cross-entropy";
    settings.mirror = !options.no_mirror;
    if (command.count("--final-lambda") == 0) settings.schedule.final_lambda = settings.schedule.lambda;
    return settings;
}

Result<learn::SampleSet> load(const TrainOptions& options) {
    std::vector<std::filesystem::path> all = options.data;
    all.insert(all.end(), options.validation.begin(), options.validation.end());
    base::Progress progress("reading bytes", learn::total_bytes(all));
    const auto tell = [&progress](std::uint64_t bytes) { progress.add(bytes); };
    learn::SampleFilter filter = options.filter;
    filter.captures = !options.no_captures;
    if (!options.validation.empty()) filter.validation = 0;
    auto samples = learn::load_samples(options.data, filter, options.settings.threads, tell);
    if (!samples || options.validation.empty()) return samples;
    auto held_out = learn::load_samples(options.validation, filter, options.settings.threads, tell);
    if (!held_out) return held_out;
    samples->validation = std::move(held_out->training);
    return samples;
}

// Validation looks at no more than this many positions after each epoch.
constexpr std::size_t most_validated = 200'000;

Result<void> train(const CLI::App& command, const TrainOptions& options) {
    const auto settings = to_settings(command, options);
    if (!settings) return settings.error();
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    auto samples = load(options);
    if (!samples) return samples.error();
    if (samples->validation.size() > most_validated) samples->validation.resize(most_validated);
    fmt::print(stderr, "{} positions to learn from and {} held out, of {} in {} games\n", samples->training.size(),
               samples->validation.size(), samples->read, samples->games);
    auto run = learn::TrainingRun::open(*settings, *samples);
    if (!run) return run.error();
    const std::clock_t cpu_start = std::clock();
    const std::uint64_t before = (*run)->positions_done();
    {
        base::Progress progress("positions", (*run)->positions_total(), before);
        double recent = 0;  // loss, smoothed over some dozens of batches
        learn::TrainObserver observer;
        observer.on_batch = [&](std::size_t positions, double loss) {
            const double mean = loss / static_cast<double>(positions);
            recent = recent == 0 ? mean : recent + (mean - recent) * 0.05;
            progress.note(fmt::format("loss {:.6f}", recent));
            progress.add(positions);
        };
        observer.on_epoch = [&](const learn::EpochReport& epoch) {
            progress.print(fmt::format("epoch {:>3}  loss {:.6f}  validation {:.6f}  accuracy {:.2f}%  rate {:.2e}",
                                       epoch.epoch, epoch.training_loss, epoch.validation_loss, 100 * epoch.accuracy,
                                       epoch.rate));
        };
        if (const auto done = (*run)->run(observer, (*interrupt)->token()); !done) return done;
    }
    const double cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
    const auto learnt = static_cast<double>((*run)->positions_done() - before);
    fmt::print("{} positions, {} per second of processor time\n", base::human_count(learnt),
               base::human_count(learnt / std::max(cpu, 1e-9)));
    fmt::print("{}: {}\n", settings->folder.string(),
               (*run)->finished() ? "nn.bin is the last net, best.bin the one with the lowest validation loss"
                                  : "stopped; the same command goes on");
    return {};
}

void add_net_options(CLI::App& command, TrainOptions& options) {
    auto& architecture = options.settings.architecture;
    command.add_option("--feature", options.feature, "Feature set: K-P, HalfKP, HalfKA_hm2, …")->capture_default_str();
    command.add_option("--width", architecture.width, "Accumulator of each player, a multiple of 16")
        ->capture_default_str();
    command.add_option("--first", architecture.first, "Neurons of the first hidden layer")->capture_default_str();
    command.add_option("--second", architecture.second, "Neurons of the second hidden layer")->capture_default_str();
    command.add_flag("--factorise", options.settings.factorised,
                     "Learn rows common to all places of the king besides those of each (HalfKP, HalfKA)");
    command.add_option("--king-buckets", options.king_buckets, "Places of the king that share their rows")
        ->check(CLI::IsMember({"none", "rank", "zone"}))
        ->capture_default_str();
    command
        .add_option("--parts", options.settings.parts,
                    "Parts of the first hidden layer: each sees its share of the accumulators only, which is faster")
        ->check(CLI::IsMember({1, 2, 4, 8}))
        ->capture_default_str();
    command.add_option("--init", options.settings.init, "Start from this net or checkpoint");
}

void add_data_options(CLI::App& command, TrainOptions& options) {
    command.add_option("data", options.data, "Archives of games, or PackedSfenValue files (.psv, .bin)")
        ->required()
        ->check(CLI::ExistingFile);
    command.add_option("--validation", options.validation, "Files of positions to judge the net by")
        ->check(CLI::ExistingFile);
    command.add_option("--held-out", options.filter.validation, "Without --validation: share of games held out")
        ->check(CLI::Range(0.0, 0.5))
        ->capture_default_str();
    command.add_option("--min-ply", options.filter.min_ply, "Plies of the game before a position is used")
        ->capture_default_str();
    command.add_option("--max-score", options.filter.max_score, "Use scores below this")->capture_default_str();
    command.add_flag("--in-check", options.filter.in_check, "Use positions in check too");
    command.add_flag("--quiet-only", options.no_captures, "Leave out positions whose best move captures or promotes");
    command.add_option("--limit", options.filter.limit, "Positions to learn from at most")->capture_default_str();
}

void add_run_options(CLI::App& command, TrainOptions& options) {
    auto& settings = options.settings;
    command.add_option("--epochs", settings.epochs, "Passes over the data")->capture_default_str();
    command.add_option("--batch", settings.batch, "Positions per step")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command.add_option("--rate", settings.schedule.rate, "Learning rate")->capture_default_str();
    command.add_option("--final-rate", settings.schedule.final_rate, "Learning rate at the end")->capture_default_str();
    command.add_option("--warm-up", settings.schedule.warm_up, "Share of steps in which the rate rises")
        ->check(CLI::Range(0.0, 0.5))
        ->capture_default_str();
    command.add_option("--lambda", settings.schedule.lambda, "Weight of the score against the result, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--final-lambda", settings.schedule.final_lambda, "The same at the end (default: as --lambda)")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--score-scale", settings.loss.score_scale, "Centipawns at which the odds are e to 1")
        ->check(CLI::Range(1.0, 10000.0))
        ->capture_default_str();
    command.add_option("--loss", options.loss, "Of probabilities of winning")
        ->check(CLI::IsMember({"power", "cross-entropy"}))
        ->capture_default_str();
    command.add_option("--power", settings.loss.power, "Of the error")
        ->check(CLI::Range(1.0, 4.0))
        ->capture_default_str();
    command.add_option("--weight-decay", settings.optimiser.weight_decay, "Of AdamW")->capture_default_str();
    command.add_option("--averaged", settings.schedule.averaged, "Share of steps, the last ones, that are averaged")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_flag("--no-mirror", options.no_mirror, "Do not mirror half of the positions");
    command.add_option("--seed", settings.seed, "Another seed, another net")->capture_default_str();
    command.add_option("--threads", settings.threads, "Threads; the net does not depend on them")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command.add_option("--pause-after", settings.pause_after, "Stop after this epoch, to be continued");
    command.add_option("--out", settings.folder, "Folder of the nets, the log and the checkpoint")->required();
}

}  // namespace

void add_train_command(CLI::App& program, Session& session) {
    CLI::App* train_command = program.add_subcommand("train", "Train an evaluation, or a guess at threats of mate");
    train_command->require_subcommand(1);
    auto options = std::make_shared<TrainOptions>();
    options->filter.validation = 0.01;
    options->settings.threads = base::available_cores();
    CLI::App* command = train_command->add_subcommand("nnue", "Train a net that this and other engines read");
    add_data_options(*command, *options);
    add_net_options(*command, *options);
    add_run_options(*command, *options);
    command->footer(
        "Running the same command again goes on with an interrupted run. The same data and settings give the same "
        "net,\n"
        "byte for byte.\n\nExamples:\n"
        "  tsumugi train nnue games.archive --out runs/first\n"
        "  tsumugi train nnue games.archive --feature HalfKA_hm2 --factorise --width 256 --epochs 12 --out "
        "runs/second\n"
        "  tsumugi train nnue shuffled.psv --validation held-out.psv --lambda 1 --final-lambda 0.6 --out runs/third");
    command->callback([options, command, &session] {
        if (const auto done = train(*command, *options); !done) fail(session, done.error().message);
    });
    add_train_threatmate_command(*train_command, session);
}

}  // namespace tsumugi::app
