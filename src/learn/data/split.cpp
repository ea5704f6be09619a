// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/split.hpp"

#include <fmt/format.h>

#include "base/random.hpp"
#include "learn/data/format.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Error;
using base::Result;

Result<void> check(const SplitSettings& settings) {
    if (settings.parts.size() < 2) return Error{Error::Code::range, "a split has two parts or more"};
    for (const auto& input : settings.inputs)
        if (!holds_games(format_of(input)))
            return Error{Error::Code::unsupported,
                         fmt::format("{} ({}) does not say which positions are of one game, so that it cannot be split "
                                     "by game; split the games it was made of",
                                     input.string(), name_of(format_of(input)))};
    for (std::size_t i = 0; i < settings.parts.size(); ++i) {
        const SplitPart& part = settings.parts[i];
        if (!(part.share > 0))
            return Error{Error::Code::range, fmt::format("{}: its share must be positive", part.output.string())};
        for (std::size_t j = 0; j < i; ++j)
            if (settings.parts[j].output.lexically_normal() == part.output.lexically_normal())
                return Error{Error::Code::range, fmt::format("{} is named twice", part.output.string())};
        if (const auto fine = check_output(part.output, settings.inputs, settings.overwrite); !fine) return fine;
    }
    return {};
}

}  // namespace

std::size_t part_of(std::uint64_t number, std::uint64_t seed, const std::vector<SplitPart>& parts) {
    double all = 0;
    for (const SplitPart& part : parts)
        all += part.share;
    const std::uint64_t mixed = base::SplitMix64(base::SplitMix64(seed)() ^ base::SplitMix64(number)())();
    double place = static_cast<double>(mixed >> 11) * 0x1p-53 * all;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (place < parts[i].share) return i;
        place -= parts[i].share;
    }
    return parts.size() - 1;
}

Result<SplitReport> split(const SplitSettings& settings, const Monitor& monitor) {
    if (const auto fine = check(settings); !fine) return fine.error();
    const auto source = open_sources(settings.inputs);
    if (!source) return source.error();
    std::vector<std::unique_ptr<Sink>> sinks;
    for (const SplitPart& part : settings.parts) {
        auto sink = create_sink(part.output);
        if (!sink) return sink.error();
        sinks.push_back(*std::move(sink));
    }
    SplitReport report;
    report.parts.resize(sinks.size());
    const auto poured = pour(
        **source,
        [&](Item& item) -> Result<void> {
            if (const auto* game = std::get_if<record::ArchivedGame>(&item)) {
                const std::size_t part = part_of(game->number, settings.seed, settings.parts);
                ++report.parts[part].games;
                report.parts[part].positions += scored_positions(item);
                return sinks[part]->add(item);
            }
            for (const auto& sink : sinks)
                if (const auto added = sink->add(item); !added) return added;
            return {};
        },
        monitor);
    if (!poured) return poured.error();
    report.all = *poured;
    for (const auto& sink : sinks)
        if (const auto finished = sink->finish(); !finished) return finished.error();
    return report;
}

}  // namespace tsumugi::learn::data
