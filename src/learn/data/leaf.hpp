// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "learn/data/growth.hpp"

namespace tsumugi::learn::data {

struct LeafSettings : GrowthSettings {
    std::uint64_t nodes = 1000;  // of every search: no further depth is begun after so many
    int every = 16;              // one of so many evaluations is kept, on average
    int table_mib = 16;          // of each worker
    std::string explorer;        // net that searches while the other one answers; empty: that one searches, too
    bool mirror_image = false;   // the answer is the mean of those for the position and for its mirror image
};

// Positions that a search asks a net about, each with the answer: every position of the inputs is searched, and some of
// the evaluations on the way are written down. What one net is asked in games is what another one has to learn to take
// its place. With an explorer, the pupil itself searches: it meets the positions that its own mistakes lead to, and
// learns what its teacher says there. A teacher whose inputs are not mirrored says two things of a position and its
// mirror image; their mean is what a pupil can learn to be better than he. The same settings give the same positions,
// in the same order, whatever the number of workers.
base::Result<GrowthReport> sample_leaves(const LeafSettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
