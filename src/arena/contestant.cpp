// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/contestant.hpp"

#include "arena/guest_contestant.hpp"
#include "arena/own_contestant.hpp"
#include "arena/process_contestant.hpp"

namespace tsumugi::arena {

std::unique_ptr<Contestant> make_contestant(const EngineSpec& spec, const PlaySettings& settings) {
    if (spec.guest) return std::make_unique<GuestContestant>(*spec.guest, settings.rules);
    if (spec.is_own()) return std::make_unique<OwnContestant>(spec, settings.rules);
    return std::make_unique<ProcessContestant>(spec, settings);
}

}  // namespace tsumugi::arena
