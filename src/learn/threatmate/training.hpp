// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/result.hpp"
#include "learn/threatmate/logistic.hpp"
#include "learn/threatmate/sample.hpp"
#include "learn/threatmate/validation.hpp"
#include "report/table.hpp"

// A model that tells by a glance which moves threaten mate, taught by the mate solver.

namespace tsumugi::learn::threatmate {

struct TrainingSettings {
    std::vector<std::string> games;  // records (files or folders) and archives
    SampleSettings sample;
    FitSettings fit;
    int folds = 10;
};

struct TrainingResult {
    SampleSet set;
    std::vector<Guess> guesses;  // of the samples, each by a model that has not seen its game
    Quality quality;             // of these guesses
    LogisticModel model;         // fitted to all samples
    std::string provenance;      // what it was made of and how, in a few lines
};

base::Result<TrainingResult> train(const TrainingSettings& settings, const base::ProgressOutput& output,
                                   const std::stop_token& stop);

// Beside what the paper found on a test set of its own.
report::Table quality_table(const TrainingResult& result);
report::Table weight_table(const TrainingResult& result);
// The source file that makes the model part of the program: src/search/threatmate_model.cpp.
std::string model_source(const TrainingResult& result);
// threatmate.html with the ROC curve, threatmate.json, and the source file, in a folder that is made if need be.
base::Result<void> write_training(const std::filesystem::path& folder, const TrainingResult& result);

}  // namespace tsumugi::learn::threatmate
