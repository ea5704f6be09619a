// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/run.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "base/hash.hpp"
#include "base/mapped_file.hpp"
#include "base/random.hpp"
#include "eval/nnue/file.hpp"
#include "learn/surgery.hpp"
#include "learn/train/kernel/choice.hpp"
#include "learn/train/validation.hpp"

namespace tsumugi::learn {
namespace {

using base::Error;
using base::Result;

constexpr double save_interval = 600;  // seconds

std::uint64_t mixed(std::uint64_t seed, std::uint64_t epoch) {
    return base::SplitMix64(seed * 0x100000001b3 + epoch)();
}

std::uint64_t fingerprint(const std::vector<Sample>& samples) {
    return base::xxhash64({reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(Sample)});
}

// Everything that the result depends on.
std::string identity_of(const TrainSettings& s, const SampleSet& samples) {
    return fmt::format(
        "{}{}{}{}; {} positions {:016x}; {} epochs of batches of {}; rate {} to {}, warm-up {}; lambda {} to {}; scale "
        "{}; loss {}; Adam {} {} {} decay {}; averaged {}; {}seed {}{}",
        s.architecture.name(), s.factorised ? " factorised" : "",
        s.parts == 1 ? "" : fmt::format(" in {} parts", s.parts),
        s.king_buckets == KingBuckets::none   ? ""
        : s.king_buckets == KingBuckets::rank ? " by king rank"
                                              : " by king zone",
        samples.training.size(), fingerprint(samples.training), s.epochs, s.batch, s.schedule.rate,
        s.schedule.final_rate, s.schedule.warm_up, s.schedule.lambda, s.schedule.final_lambda, s.loss.score_scale,
        s.loss.cross_entropy ? "cross-entropy" : fmt::format("error^{}", s.loss.power), s.optimiser.mean_keep,
        s.optimiser.square_keep, s.optimiser.epsilon, s.optimiser.weight_decay, s.schedule.averaged,
        s.mirror ? "mirrored; " : "", s.seed,
        s.init.empty() ? "" : fmt::format("; from {}", s.init.filename().string()));
}

Result<void> start_from(const std::filesystem::path& path, Model& model) {
    if (is_checkpoint(path)) return read_checkpoint_weights(path, model);
    const auto file = base::MappedFile::open(path);
    if (!file) return file.error();
    const auto net = eval::nnue::read_net_file(file->bytes());
    if (!net) return net.error().in(path.string());
    if (!eval::nnue::falls_into(net->parameters.stacks.front().first, static_cast<int>(model.plan().parts)))
        return Error{Error::Code::unsupported,
                     fmt::format("{} does not fall into {} parts", path.string(), model.plan().parts)};
    const eval::nnue::Architecture& wanted = model.plan().architecture;
    eval::nnue::Architecture found = net->parameters.architecture;
    if (found == wanted) {
        model.assign(net->parameters);
        return {};
    }
    found.feature = wanted.feature;
    if (found != wanted)
        return Error{Error::Code::unsupported,
                     fmt::format("{} is a net {}; a run for {} cannot start from it", path.string(),
                                 net->parameters.architecture.name(), wanted.name())};
    const auto wide = widened(net->parameters, wanted.feature);
    if (!wide) return wide.error().in(path.string());
    model.assign(*wide);
    return {};
}

}  // namespace

Result<std::unique_ptr<TrainingRun>> TrainingRun::open(const TrainSettings& settings, const SampleSet& samples) {
    if (samples.training.empty())
        return Error{Error::Code::range, "there is nothing to learn from: no position passed the filter"};
    if (samples.training.size() > std::numeric_limits<std::uint32_t>::max())
        return Error{Error::Code::limit, "more than four thousand million positions; use a part of them"};
    const auto plan = Plan::make(settings.architecture, settings.king_buckets, settings.factorised, settings.parts);
    if (!plan) return plan.error();
    auto model = Model::create(*plan, mixed(settings.seed, 0));
    if (!model) return model.error();
    std::unique_ptr<TrainingRun> run(new TrainingRun(settings, samples, std::move(*model)));
    if (auto started = run->start(); !started) return started.error();
    return run;
}

TrainingRun::TrainingRun(const TrainSettings& settings, const SampleSet& samples, Model model)
    : settings_(settings),
      samples_(samples),
      model_(std::move(model)),
      batches_((samples.training.size() + settings.batch - 1) / settings.batch),
      identity_(identity_of(settings, samples)) {}

Result<void> TrainingRun::start() {
    std::error_code problem;
    std::filesystem::create_directories(settings_.folder, problem);
    if (problem)
        return Error{Error::Code::io,
                     fmt::format("cannot create {}: {}", settings_.folder.string(), problem.message())};
    if (std::filesystem::exists(checkpoint(), problem)) {
        auto place = read_checkpoint(checkpoint(), identity_, model_);
        if (!place) return place.error();
        place_ = std::move(*place);
        seconds_before_ = place_.seconds;
        return {};
    }
    if (settings_.init.empty()) return {};
    return start_from(settings_.init, model_);
}

std::uint64_t TrainingRun::positions_done() const { return place_.epoch * samples_.training.size() + place_.positions; }

Result<void> TrainingRun::run(const TrainObserver& observer, std::stop_token stop) {
    auto trainer =
        Trainer::create(model_, best_kernel(), settings_.loss, settings_.optimiser, settings_.batch, settings_.threads);
    if (!trainer) return trainer.error();
    Batch batch(model_.plan(), settings_.batch);
    watch_.restart();
    while (!finished() && !stop.stop_requested()) {
        if (auto done = run_epoch(*trainer, batch, observer, stop); !done) return done;
        if (place_.batch == 0 && settings_.pause_after > 0 && place_.epoch >= settings_.pause_after) break;
    }
    return {};
}

// The order of an epoch follows from the seed alone: a run that goes on makes it anew.
std::vector<std::uint32_t> TrainingRun::epoch_order() const {
    std::vector<std::uint32_t> order(samples_.training.size());
    std::iota(order.begin(), order.end(), 0U);
    base::Random random(mixed(settings_.seed, 2 * place_.epoch + 1));
    random.shuffle(std::span(order));
    return order;
}

Result<void> TrainingRun::run_epoch(Trainer& trainer, Batch& batch, const TrainObserver& observer,
                                    std::stop_token stop) {
    const std::vector<std::uint32_t> order = epoch_order();
    const std::uint64_t steps = settings_.epochs * batches_;
    while (place_.batch < batches_) {
        const std::uint64_t step = place_.epoch * batches_ + place_.batch;
        const std::size_t from = order.size() * place_.batch / batches_;
        const std::size_t to = order.size() * (place_.batch + 1) / batches_;
        BatchRequest request{samples_.training, std::span(order).subspan(from, to - from)};
        request.lambda = settings_.schedule.lambda_at(step, steps);
        request.score_scale = settings_.loss.score_scale;
        request.mirror_key = settings_.mirror ? mixed(settings_.seed, 2 * place_.epoch + 2) | 1 : 0;
        if (auto read = batch.read(request, settings_.threads); !read) return read;
        const double loss = trainer.step(batch, settings_.schedule.rate_at(step, steps));
        if (settings_.schedule.averages(step, steps)) model_.average(best_kernel(), settings_.threads);
        place_.loss_sum += loss;
        place_.positions += to - from;
        ++place_.batch;
        observer.on_batch(to - from, loss);
        const bool stopped = stop.stop_requested() && place_.batch < batches_;
        if (stopped || since_save_.seconds() > save_interval)
            if (auto saved = save(); !saved) return saved;
        if (stopped) return {};
    }
    return end_epoch(observer);
}

Result<void> TrainingRun::end_epoch(const TrainObserver& observer) {
    const eval::nnue::Parameters net = model_.quantised();
    const auto validation =
        validate(net, samples_.validation, settings_.schedule.final_lambda, settings_.loss, settings_.threads);
    if (!validation) return validation.error();
    EpochReport report;
    report.epoch = ++place_.epoch;
    report.steps = model_.steps;
    const std::uint64_t steps = settings_.epochs * batches_;
    report.rate = settings_.schedule.rate_at(place_.epoch * batches_ - 1, steps);
    report.lambda = settings_.schedule.lambda_at(place_.epoch * batches_ - 1, steps);
    report.training_loss = place_.loss_sum / static_cast<double>(place_.positions);
    report.validation_loss = validation->loss;
    report.accuracy = validation->accuracy;
    report.seconds = seconds_before_ + watch_.seconds();
    place_.batch = place_.positions = 0;
    place_.loss_sum = 0;
    place_.epochs.push_back(report);
    if (auto written = eval::nnue::write_net(settings_.folder / "nn.bin", net); !written) return written;
    if (samples_.validation.empty() || validation->loss < place_.best_loss) {
        place_.best_loss = validation->loss;
        if (auto written = eval::nnue::write_net(settings_.folder / "best.bin", net); !written) return written;
    }
    if (auto saved = save(); !saved) return saved;
    if (auto logged = write_training_log(settings_.folder, place_.epochs, identity_); !logged) return logged;
    observer.on_epoch(report);
    return {};
}

Result<void> TrainingRun::save() {
    place_.seconds = seconds_before_ + watch_.seconds();
    since_save_.restart();
    return write_checkpoint(checkpoint(), identity_, model_, place_);
}

}  // namespace tsumugi::learn
