// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/log.hpp"

#include "base/atomic_file.hpp"
#include "report/chart.hpp"
#include "report/page.hpp"
#include "report/table.hpp"

namespace tsumugi::learn {
namespace {

report::Series curve(std::string name, const std::vector<EpochReport>& epochs, double EpochReport::*value) {
    report::Series series{std::move(name), {}};
    for (const EpochReport& each : epochs)
        series.points.push_back({static_cast<double>(each.epoch), each.*value});
    return series;
}

}  // namespace

base::Result<void> write_training_log(const std::filesystem::path& folder, const std::vector<EpochReport>& epochs,
                                      const std::string& description) {
    report::Table table(
        {"epoch", "steps", "rate", "lambda", "training loss", "validation loss", "accuracy", "seconds"});
    for (const EpochReport& each : epochs)
        table.add({each.epoch,
                   each.steps,
                   {each.rate, 6},
                   {each.lambda, 3},
                   {each.training_loss, 6},
                   {each.validation_loss, 6},
                   {each.accuracy, 4},
                   {each.seconds, 1}});
    if (auto written = base::write_file(folder / "log.csv", table.to_csv()); !written) return written;
    report::Page page("Training");
    page.add_text(description);
    page.add(report::Chart{report::Chart::Kind::line,
                           "Loss",
                           "epoch",
                           "loss",
                           {curve("training", epochs, &EpochReport::training_loss),
                            curve("validation, quantised net", epochs, &EpochReport::validation_loss)}});
    page.add(report::Chart{report::Chart::Kind::line,
                           "Winners named on held-out positions",
                           "epoch",
                           "share",
                           {curve("accuracy", epochs, &EpochReport::accuracy)}});
    page.add(table);
    return base::write_file(folder / "training.html", page.to_html());
}

}  // namespace tsumugi::learn
