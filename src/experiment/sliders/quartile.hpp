// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "report/statistic.hpp"

namespace tsumugi::experiment::sliders {

// Where the middle half of repeated measurements lies.
struct Quartiles {
    double low = 0;
    double median = 0;
    double high = 0;

    // Of at least one value.
    static Quartiles of(std::span<const double> values) {
        return {report::quantile(values, 0.25), report::median(values), report::quantile(values, 0.75)};
    }
};

}  // namespace tsumugi::experiment::sliders
