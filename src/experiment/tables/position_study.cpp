// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/tables/position_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/processor_time.hpp"
#include "search/searcher.hpp"

namespace tsumugi::experiment::tables {
namespace {

using base::Error;
using base::Result;

Measurement measure(search::Searcher& searcher, const TestPosition& test, const Condition& condition, bool cold) {
    think::SilentObserver silence;
    searcher.clear();
    if (!cold) searcher.search(test.before, condition.limits(), silence, {});
    const double start = processor_seconds();
    const search::Outcome outcome = searcher.search(test.position, condition.limits(), silence, {});
    return {static_cast<double>(outcome.lines.front().selective_depth), static_cast<double>(outcome.depth),
            static_cast<double>(outcome.nodes), std::max(1000 * (processor_seconds() - start), 0.001)};
}

}  // namespace

think::Limits Condition::limits() const {
    think::Limits limits;
    switch (kind) {
        case Kind::time: limits.move_time = think::Milliseconds(amount); break;
        case Kind::iterations: limits.depth = static_cast<int>(amount); break;
        case Kind::nodes: limits.nodes = amount; break;
    }
    return limits;
}

std::string Condition::text() const {
    switch (kind) {
        case Kind::time: return fmt::format("{} ms", amount);
        case Kind::iterations: return fmt::format("{} iterations", amount);
        case Kind::nodes: return fmt::format("{} nodes", amount);
    }
    return {};
}

Result<Measurements> study_positions(const PositionStudy& study, std::span<const TestPosition> positions,
                                     base::Progress& progress, const std::stop_token& stop) {
    search::Searcher searcher;
    searcher.set_evaluator(study.evaluator);
    Measurements all;
    for (const Condition& condition : study.conditions) {
        progress.note(condition.text());
        auto& here = all.emplace_back(study.subjects.size());
        for (const TestPosition& test : positions)
            for (std::size_t i = 0; i < study.subjects.size(); ++i) {
                if (stop.stop_requested()) return Error{Error::Code::limit, "interrupted"};
                const Subject& subject = study.subjects[i];
                search::Settings settings;
                settings.table = subject.contender.settings(subject.kibibytes);
                searcher.configure(settings);
                here[i].push_back(measure(searcher, test, condition, subject.cold));
                progress.add();
            }
    }
    return all;
}

}  // namespace tsumugi::experiment::tables
