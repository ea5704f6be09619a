// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/random.hpp"

namespace tsumugi::report {

struct Interval {
    double low = 0;
    double high = 0;

    [[nodiscard]] bool contains(double x) const { return low <= x && x <= high; }
};

// Of at least one sample.
double mean(std::span<const double> samples);
// The unbiased estimate (divided by n-1); zero for a single sample.
double variance(std::span<const double> samples);
double standard_deviation(std::span<const double> samples);
double median(std::span<const double> samples);
// Linear interpolation between order statistics (Hyndman and Fan's type 7, the default of R and NumPy).
double quantile(std::span<const double> samples, double share);

double normal_cdf(double x);
// The inverse, for 0 < probability < 1.
double normal_quantile(double probability);
// The half-width of a two-sided interval in standard deviations: 0.95 -> 1.96.
double two_sided_z(double confidence);

double student_t_cdf(double t, double degrees_of_freedom);
double student_t_quantile(double probability, double degrees_of_freedom);

// Where the true mean lies, by Student's t; needs at least two samples.
Interval mean_interval(std::span<const double> samples, double confidence = 0.95);

// Where the true share lies (Wilson 1927): sound for few trials and shares near 0 or 1.
Interval wilson_interval(double successes, double trials, double confidence = 0.95);

// The percentile bootstrap: how a statistic varies over samples drawn again from the samples.
Interval bootstrap_interval(std::span<const double> samples,
                            const std::function<double(std::span<const double>)>& statistic, int resamples,
                            base::Random& random, double confidence = 0.95);

}  // namespace tsumugi::report
