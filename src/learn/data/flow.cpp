// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/flow.hpp"

#include <nlohmann/json.hpp>

namespace tsumugi::learn::data {

using base::Error;
using base::Result;

Error stopped() { return Error{Error::Code::limit, "stopped before the end; nothing was written"}; }

Result<FlowReport> pour(Source& source, const Take& take, const Monitor& monitor) {
    FlowReport report;
    std::uint64_t told = 0;
    monitor.begin(source.bytes(), 0);
    for (Item item;;) {
        const auto more = source.next(item);
        if (!more) return more.error();
        if (const std::uint64_t read = source.bytes_read(); read != told) {
            monitor.advance(read - told);
            told = read;
        }
        if (!*more) break;
        if (monitor.stop.stop_requested()) return stopped();
        report.games += std::holds_alternative<record::ArchivedGame>(item) ? 1U : 0U;
        report.positions += scored_positions(item);
        if (const auto taken = take(item); !taken) return taken.error();
    }
    report.damaged_bytes = source.damaged_bytes();
    return report;
}

Result<FlowReport> copy(const CopySettings& settings, const Monitor& monitor) {
    if (const auto fine = check_output(settings.output, settings.inputs, settings.overwrite); !fine)
        return fine.error();
    const auto source = open_sources(settings.inputs);
    if (!source) return source.error();
    const auto sink = create_sink(settings.output);
    if (!sink) return sink.error();
    if (settings.renumber) {
        // The numbers in the records of provenance that follow are no longer those of the games.
        const Provenance note{nlohmann::ordered_json{{"program", "tsumugi data merge"}, {"renumbered", true}}.dump()};
        if (const auto noted = (*sink)->add(note); !noted) return noted.error();
    }
    std::uint64_t number = 0;
    const auto report = pour(
        **source,
        [&](Item& item) {
            auto* game = std::get_if<record::ArchivedGame>(&item);
            if (game != nullptr && settings.renumber) game->number = number++;
            return (*sink)->add(item);
        },
        monitor);
    if (!report) return report;
    if (const auto finished = (*sink)->finish(); !finished) return finished.error();
    return report;
}

}  // namespace tsumugi::learn::data
