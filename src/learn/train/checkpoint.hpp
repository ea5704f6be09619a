// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "learn/train/log.hpp"
#include "learn/train/model.hpp"

namespace tsumugi::learn {

// Where a run is in its data, and what it has seen there.
struct TrainingPlace {
    std::uint64_t epoch = 0;
    std::uint64_t batch = 0;      // within the epoch
    double loss_sum = 0;          // of the epoch so far
    std::uint64_t positions = 0;  // of the epoch so far
    double seconds = 0;           // of all parts of the run
    double best_loss = 1e9;       // of validation
    std::vector<EpochReport> epochs;
};

// The file holds everything a run needs to go on exactly as if it had not been interrupted. `identity` describes the
// run; a checkpoint of another run is refused.
base::Result<void> write_checkpoint(const std::filesystem::path& path, const std::string& identity, const Model& model,
                                    const TrainingPlace& place);
base::Result<TrainingPlace> read_checkpoint(const std::filesystem::path& path, const std::string& identity,
                                            Model& model);

// Is the file a checkpoint at all?
bool is_checkpoint(const std::filesystem::path& path);
// Takes over the weights of a checkpoint of any run with the same plan, and nothing else.
base::Result<void> read_checkpoint_weights(const std::filesystem::path& path, Model& model);

}  // namespace tsumugi::learn
