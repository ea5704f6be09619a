// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace tsumugi::experiment::sliders {

// Where the middle half of repeated measurements lies.
struct Quartiles {
    double low = 0;
    double median = 0;
    double high = 0;

    // Of at least one value.
    static Quartiles of(std::vector<double> values) {
        std::sort(values.begin(), values.end());
        const auto at = [&](double share) {
            const double place = share * static_cast<double>(values.size() - 1);
            const auto below = static_cast<std::size_t>(std::floor(place));
            const auto above = std::min(below + 1, values.size() - 1);
            // Values may be infinite (a search that found nothing), which must not turn into "not a number".
            if (values[below] == values[above]) return values[below];
            return std::lerp(values[below], values[above], place - std::floor(place));
        };
        return {at(0.25), at(0.5), at(0.75)};
    }
};

}  // namespace tsumugi::experiment::sliders
