// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/two_then_third/agreement.hpp"

#include <algorithm>
#include <limits>

namespace tsumugi::experiment::two_then_third {
namespace {

using base::Error;
using base::Result;

void count(std::span<const ensemble::Ballot> ballots, Agreement& agreement) {
    // Somebody failed or gave up: there is nothing to compare.
    if (ballots.size() < 3) return;
    ++agreement.positions;
    if (ballots[0].move == ballots[1].move)
        ++agreement.agreed;
    else if (ballots[2].move == ballots[0].move)
        ++agreement.third_with_first;
    else if (ballots[2].move == ballots[1].move)
        ++agreement.third_with_second;
    else
        ++agreement.all_differ;
}

}  // namespace

std::vector<Phase> phases_of(const std::vector<int>& begins) {
    std::vector<int> sorted = begins;
    std::sort(sorted.begin(), sorted.end());
    std::vector<Phase> phases;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        phases.push_back({sorted[i], i + 1 < sorted.size() ? sorted[i + 1] - 1 : std::numeric_limits<int>::max()});
    return phases;
}

Result<Agreement> measure_agreement(const std::vector<arena::EngineSpec>& players,
                                    std::span<const TestPosition> positions, base::Progress& progress,
                                    const std::stop_token& stop) {
    CouncilConfig config;
    config.members = players;
    config.rule = "leader";
    const auto council = Council::create(config, {});
    if (!council) return council.error();
    Agreement agreement;
    think::SilentObserver silence;
    for (const TestPosition& each : positions) {
        if (const auto ready = (*council)->prepare(); !ready) return ready.error();
        (*council)->new_game();
        (*council)->think(each.position, {}, silence, stop);
        if (stop.stop_requested()) return Error{Error::Code::limit, "interrupted"};
        count((*council)->poll().ballots, agreement);
        progress.add();
    }
    return agreement;
}

}  // namespace tsumugi::experiment::two_then_third
