// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/threatmate/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "report/page.hpp"
#include "report/statistic.hpp"

namespace tsumugi::learn::threatmate {
namespace {

using base::Error;
using base::Result;
using report::Cell;
using report::Table;

// An input as others can recognise it: its name, and what is in it if it is one file.
Result<std::string> identity(const std::string& input) {
    std::filesystem::path path(input);
    if (!path.has_filename()) path = path.parent_path();
    const std::string name = path.filename().string();
    if (std::filesystem::is_directory(input)) return name + "/";
    const auto bytes = base::read_file(input);
    if (!bytes) return bytes.error();
    constexpr std::size_t enough = 16;
    return fmt::format("{} (SHA-256 {}...)", name, base::sha256_hex(*bytes).substr(0, enough));
}

Result<std::string> provenance_of(const TrainingSettings& settings, const SampleSet& set) {
    std::string command = "tsumugi train threatmate";
    std::string files;
    for (const std::string& input : settings.games) {
        const auto known = identity(input);
        if (!known) return known.error();
        files += (files.empty() ? "" : ", ") + *known;
        command += " " + known->substr(0, known->find(" ("));
    }
    const SampleSettings& sample = settings.sample;
    return fmt::format(
        "{} --threats {} --from {} --nodes {} --folds {} --ridge {} --seed {}\n"
        "Games: {}.\n"
        "{} games, {} moves asked about, {} unsettled; {} threats of mate and {} other moves.",
        command, sample.threats, sample.from_ply, sample.solver_nodes, settings.folds, settings.fit.ridge, sample.seed,
        files, set.games, set.moves, set.unsettled, set.threats(), set.samples.size() - set.threats());
}

std::string with_interval(std::size_t right, std::size_t all) {
    const auto trials = static_cast<double>(all);
    const report::Interval interval = report::wilson_interval(static_cast<double>(right), trials);
    return fmt::format("{:.4f} [{:.4f}, {:.4f}]", static_cast<double>(right) / trials, interval.low, interval.high);
}

report::Chart roc_chart(const TrainingResult& result) {
    report::Chart chart;
    chart.title = "Threats of mate recognised";
    chart.x_label = "false positive rate";
    chart.y_label = "true positive rate";
    report::Series curve{fmt::format("model, area {:.4f}", result.quality.area), {}};
    for (const RocPoint& point : roc_curve(result.guesses))
        curve.points.push_back({point.false_positive_rate, point.true_positive_rate});
    chart.series.push_back(std::move(curve));
    const double chosen = 1 - result.quality.true_negative_rate();
    chart.series.push_back({"at probability 0.5", {{chosen, result.quality.true_positive_rate()}}});
    chart.series.push_back({"paper", {{1 - 0.9215, 0.7982}}});
    return chart;
}

nlohmann::json to_json(const TrainingResult& result) {
    const Quality& quality = result.quality;
    nlohmann::json weights;
    for (std::size_t i = 0; i < result.model.weights.size(); ++i)
        weights[std::string(search::threatmate::feature_names[i])] = result.model.weights[i];
    return {{"provenance", result.provenance},
            {"accuracy", quality.accuracy()},
            {"true positive rate", quality.true_positive_rate()},
            {"true negative rate", quality.true_negative_rate()},
            {"area under the curve", quality.area},
            {"positives", quality.positives()},
            {"negatives", quality.negatives()},
            {"bias", result.model.bias},
            {"weights", weights}};
}

std::string to_html(const TrainingResult& result) {
    report::Page page("Threats of mate");
    page.add_text(result.provenance);
    page.add(quality_table(result));
    page.add(roc_chart(result));
    page.add_heading("Weights");
    page.add_text("In standard deviations of the feature, the heaviest first.");
    page.add(weight_table(result));
    return page.to_html();
}

}  // namespace

Result<TrainingResult> train(const TrainingSettings& settings, const base::ProgressOutput& output,
                             const std::stop_token& stop) {
    const auto games = record::tool::read_game_lines(settings.games);
    if (!games) return games.error();
    TrainingResult result;
    {
        base::Progress progress("threats of mate", settings.sample.threats, 0, output);
        auto set = gather_samples(*games, settings.sample, progress, stop);
        if (!set) return set.error();
        result.set = *std::move(set);
    }
    if (result.set.threats() == 0)
        return Error{Error::Code::range,
                     fmt::format("no move threatens mate after move {} of {} games; give it more games",
                                 settings.sample.from_ply, result.set.games)};
    auto guesses = cross_validate(result.set.samples, settings.folds, settings.sample.seed, settings.fit);
    if (!guesses) return guesses.error().in("cross-validation");
    result.guesses = *std::move(guesses);
    result.quality = quality_of(result.guesses);
    auto model = fit(observations_of(result.set.samples), settings.fit);
    if (!model) return model.error();
    result.model = *std::move(model);
    auto provenance = provenance_of(settings, result.set);
    if (!provenance) return provenance.error();
    result.provenance = *std::move(provenance);
    return result;
}

Table quality_table(const TrainingResult& result) {
    const Quality& quality = result.quality;
    Table table({"", "here [95 %]", "paper"});
    const std::size_t right = quality.true_positives + quality.true_negatives;
    table.add({"accuracy", with_interval(right, result.guesses.size()), Cell(0.8804, 4)});
    table.add({"true positive rate", with_interval(quality.true_positives, quality.positives()), Cell(0.7982, 4)});
    table.add({"true negative rate", with_interval(quality.true_negatives, quality.negatives()), Cell(0.9215, 4)});
    table.add({"area under the ROC curve", fmt::format("{:.4f}", quality.area)});
    table.add({"threats of mate", fmt::format("{}", quality.positives()), 9144});
    table.add({"other moves", fmt::format("{}", quality.negatives()), 18288});
    return table;
}

Table weight_table(const TrainingResult& result) {
    const LogisticModel& model = result.model;
    std::vector<std::size_t> order(model.weights.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(model.standardised[a]) > std::abs(model.standardised[b]);
    });
    Table table({"feature", "weight", "standardised"});
    for (const std::size_t i : order)
        table.add({search::threatmate::feature_names[i], Cell(model.weights[i], 4), Cell(model.standardised[i], 3)});
    return table;
}

std::string model_source(const TrainingResult& result) {
    std::string comment = "// " + result.provenance;
    for (std::size_t at = comment.find('\n'); at != std::string::npos; at = comment.find('\n', at + 1))
        comment.replace(at, 1, "\n// ");
    std::string weights;
    for (std::size_t i = 0; i < result.model.weights.size(); ++i)
        weights += fmt::format("        {:<11} // {}\n", fmt::format("{:.6f},", result.model.weights[i]),
                               search::threatmate::feature_names[i]);
    const Quality& quality = result.quality;
    return fmt::format(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n"
        "#include \"search/threatmate.hpp\"\n\n"
        "namespace tsumugi::search::threatmate {{\n\n"
        "// clang-format off\n"
        "// Written by a program, and written again by the same command:\n"
        "{}\n"
        "// Cross-validated by game: accuracy {:.4f}, true positive rate {:.4f}, true negative rate {:.4f}, area under "
        "the\n"
        "// ROC curve {:.4f}.\n"
        "constinit const Model own_model{{\n"
        "    {:.6f},  // bias\n"
        "    {{\n{}    }},\n"
        "}};\n"
        "// clang-format on\n\n"
        "}}  // namespace tsumugi::search::threatmate\n",
        comment, quality.accuracy(), quality.true_positive_rate(), quality.true_negative_rate(), quality.area,
        result.model.bias, weights);
}

Result<void> write_training(const std::filesystem::path& folder, const TrainingResult& result) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);  // writing below says what went wrong
    for (const auto& [name, content] : {std::pair<std::string_view, std::string>{"threatmate.html", to_html(result)},
                                        {"threatmate.json", to_json(result).dump(2) + "\n"},
                                        {"threatmate_model.cpp", model_source(result)}})
        if (auto written = base::write_file(folder / name, content); !written) return written;
    return {};
}

}  // namespace tsumugi::learn::threatmate
