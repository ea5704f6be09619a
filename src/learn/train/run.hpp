// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "learn/train/checkpoint.hpp"
#include "learn/train/sample.hpp"
#include "learn/train/schedule.hpp"
#include "learn/train/trainer.hpp"

namespace tsumugi::learn {

struct TrainSettings {
    eval::nnue::Architecture architecture;
    KingBuckets king_buckets = KingBuckets::none;
    bool factorised = false;
    std::size_t parts = 1;  // of the first hidden layer
    LossSettings loss;
    OptimiserSettings optimiser;
    Schedule schedule;
    std::uint64_t epochs = 10;
    std::size_t batch = 4096;
    bool mirror = true;  // half of the positions, others in every epoch
    std::uint64_t seed = 1;
    int threads = 1;
    std::filesystem::path init;     // a net or a checkpoint to start from
    std::filesystem::path folder;   // of checkpoint, nets and logs
    std::uint64_t pause_after = 0;  // epochs; 0 goes on to the end. A paused run is continued like an interrupted one
};

// Told how a run is going.
struct TrainObserver {
    std::function<void(std::size_t positions, double loss)> on_batch = [](std::size_t, double) {};
    std::function<void(const EpochReport&)> on_epoch = [](const EpochReport&) {};
};

// One training run in a folder: nn.bin is the net after the last epoch, best.bin that of the epoch with the lowest
// validation loss. The same settings and data give the same bytes, whatever the number of threads and however often the
// run is interrupted.
class TrainingRun {
public:
    // Begins a run, or continues the one whose checkpoint is in the folder. The samples must outlive it.
    static base::Result<std::unique_ptr<TrainingRun>> open(const TrainSettings& settings, const SampleSet& samples);

    // Until the end, the pause or the stop; then everything is saved.
    base::Result<void> run(const TrainObserver& observer, std::stop_token stop);

    [[nodiscard]] bool finished() const { return place_.epoch >= settings_.epochs; }
    [[nodiscard]] const std::vector<EpochReport>& epochs() const { return place_.epochs; }
    // Positions that earlier parts of the run have gone through, and those of the whole run.
    [[nodiscard]] std::uint64_t positions_done() const;
    [[nodiscard]] std::uint64_t positions_total() const { return settings_.epochs * samples_.training.size(); }
    [[nodiscard]] const Model& model() const { return model_; }

private:
    TrainingRun(const TrainSettings& settings, const SampleSet& samples, Model model);

    base::Result<void> start();
    base::Result<void> run_epoch(Trainer& trainer, Batch& batch, const TrainObserver& observer, std::stop_token stop);
    base::Result<void> end_epoch(const TrainObserver& observer);
    base::Result<void> save();
    [[nodiscard]] std::vector<std::uint32_t> epoch_order() const;
    [[nodiscard]] std::filesystem::path checkpoint() const { return settings_.folder / "checkpoint.bin"; }

    const TrainSettings settings_;
    const SampleSet& samples_;
    Model model_;
    const std::uint64_t batches_;  // per epoch
    std::string identity_;
    TrainingPlace place_;
    double seconds_before_ = 0;  // of earlier parts
    base::Stopwatch watch_;
    base::Stopwatch since_save_;
};

}  // namespace tsumugi::learn
