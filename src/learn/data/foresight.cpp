// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/foresight.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "learn/data/format.hpp"
#include "learn/train/loss.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Error;
using base::Result;
using record::ArchivedPly;

// Beyond this a position is decided, and how much says nothing; mates count as this much.
constexpr int most = 3000;

Result<void> check(const ForesightSettings& settings) {
    if (!(settings.decay >= 0 && settings.decay <= 1))
        return Error{Error::Code::range, fmt::format("the decay is a number from 0 to 1, not {}", settings.decay)};
    if (!(settings.score_scale > 0))
        return Error{Error::Code::range, fmt::format("the scale of scores is positive, not {}", settings.score_scale)};
    for (const auto& input : settings.inputs)
        if (!holds_games(format_of(input)))
            return Error{Error::Code::unsupported,
                         fmt::format("{} ({}) does not say what followed a position; take the games it was made of",
                                     input.string(), name_of(format_of(input)))};
    return check_output(settings.output, settings.inputs, settings.overwrite);
}

}  // namespace

void foresee(record::ArchivedGame& game, double decay, double score_scale) {
    // Seen from the side that moves at the ply in hand: sides alternate, so the view changes with every ply.
    const shogi::Color first = game.start.side_to_move;
    const shogi::Color last = game.plies.size() % 2 == 0 ? first : ~first;
    double verdict = 0.5 * (result_for(last, game.result) + 1);
    for (auto ply = game.plies.rbegin(); ply != game.plies.rend(); ++ply) {
        verdict = 1 - verdict;
        if (!ply->has_score()) continue;
        const int seen = std::clamp<int>(ply->score, -most, most);
        verdict = (1 - decay) * win_probability(seen, score_scale) + decay * verdict;
        const double odds = verdict / (1 - verdict);
        ply->score = static_cast<std::int16_t>(std::lround(
            std::clamp(score_scale * std::log(odds), -static_cast<double>(most), static_cast<double>(most))));
    }
}

Result<FlowReport> foresee(const ForesightSettings& settings, const Monitor& monitor) {
    if (const auto fine = check(settings); !fine) return fine.error();
    const auto source = open_sources(settings.inputs);
    if (!source) return source.error();
    const auto sink = create_sink(settings.output);
    if (!sink) return sink.error();
    const nlohmann::ordered_json provenance{
        {"program", "tsumugi data foresee"}, {"decay", settings.decay}, {"score_scale", settings.score_scale}};
    if (const auto noted = (*sink)->add(Provenance{provenance.dump()}); !noted) return noted.error();
    FlowReport report;
    const auto poured = pour(
        **source,
        [&](Item& item) -> Result<void> {
            if (auto* game = std::get_if<record::ArchivedGame>(&item)) {
                foresee(*game, settings.decay, settings.score_scale);
                ++report.games;
                report.positions += scored_positions(item);
            }
            return (*sink)->add(item);
        },
        monitor);
    if (!poured) return poured.error();
    report.damaged_bytes = poured->damaged_bytes;
    if (const auto finished = (*sink)->finish(); !finished) return finished.error();
    return report;
}

}  // namespace tsumugi::learn::data
