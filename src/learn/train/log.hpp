// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::learn {

// What one pass over the data came to.
struct EpochReport {
    std::uint64_t epoch = 0;  // from 1
    std::uint64_t steps = 0;  // since the beginning
    double rate = 0;
    double lambda = 0;
    double training_loss = 0;
    double validation_loss = 0;
    double accuracy = 0;
    double seconds = 0;
};

// Writes log.csv and training.html, a page with the curves that needs no other file. `description` heads the page.
base::Result<void> write_training_log(const std::filesystem::path& folder, const std::vector<EpochReport>& epochs,
                                      const std::string& description);

}  // namespace tsumugi::learn
