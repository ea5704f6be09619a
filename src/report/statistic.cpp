// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/statistic.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace tsumugi::report {

namespace {

double sorted_quantile(std::span<const double> sorted, double share) {
    assert(!sorted.empty() && share >= 0 && share <= 1);
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

// The continued fraction of the incomplete beta function, evaluated from the front by Lentz's method.
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300;
    const auto guarded = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double c = 1;
    double d = 1 / guarded(1 - (a + b) * x / (a + 1));
    double result = d;
    for (int m = 1; m <= 1000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / guarded(1 + even * d);
        c = guarded(1 + even / c);
        result *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / guarded(1 + odd * d);
        c = guarded(1 + odd / c);
        const double change = d * c;
        result *= change;
        if (std::abs(change - 1) < 1e-15) break;
    }
    return result;
}

// The regularized incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    // The fraction converges quickly only on this side; the other follows by symmetry.
    if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    return front * beta_fraction(a, b, x) / a;
}

// The point where an increasing function reaches the target, by bisection down to neighbouring numbers.
template <typename Function>
double invert_increasing(Function&& function, double target, double low, double high) {
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return middle;
        (function(middle) < target ? low : high) = middle;
    }
}

}  // namespace

double mean(std::span<const double> samples) {
    assert(!samples.empty());
    return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double variance(std::span<const double> samples) {
    if (samples.size() < 2) return 0;
    // Two passes: the difference of sums of squares would lose the digits.
    const double center = mean(samples);
    double sum = 0;
    for (const double x : samples)
        sum += (x - center) * (x - center);
    return sum / static_cast<double>(samples.size() - 1);
}

double standard_deviation(std::span<const double> samples) { return std::sqrt(variance(samples)); }

double quantile(std::span<const double> samples, double share) {
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted_quantile(sorted, share);
}

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_quantile(double probability) {
    assert(probability > 0 && probability < 1);
    // The lower tail is where the distribution function keeps its digits.
    if (probability > 0.5) return -normal_quantile(1 - probability);
    return invert_increasing(normal_cdf, probability, -40, 0.5);
}

double two_sided_z(double confidence) { return -normal_quantile((1 - confidence) / 2); }

double student_t_cdf(double t, double degrees_of_freedom) {
    assert(degrees_of_freedom > 0);
    const double tail =
        0.5 * incomplete_beta(degrees_of_freedom / 2, 0.5, degrees_of_freedom / (degrees_of_freedom + t * t));
    return t > 0 ? 1 - tail : tail;
}

double student_t_quantile(double probability, double degrees_of_freedom) {
    assert(probability > 0 && probability < 1);
    if (probability > 0.5) return -student_t_quantile(1 - probability, degrees_of_freedom);
    double low = -1;
    while (student_t_cdf(low, degrees_of_freedom) > probability)
        low *= 2;
    return invert_increasing([degrees_of_freedom](double t) { return student_t_cdf(t, degrees_of_freedom); },
                             probability, low, 0);
}

Interval mean_interval(std::span<const double> samples, double confidence) {
    assert(samples.size() >= 2);
    const double count = static_cast<double>(samples.size());
    const double center = mean(samples);
    const double margin =
        -student_t_quantile((1 - confidence) / 2, count - 1) * standard_deviation(samples) / std::sqrt(count);
    return {center - margin, center + margin};
}

Interval wilson_interval(double successes, double trials, double confidence) {
    if (trials <= 0) return {0, 1};
    const double z = two_sided_z(confidence);
    const double share = successes / trials;
    const double weight = 1 + z * z / trials;
    const double center = (share + z * z / (2 * trials)) / weight;
    const double margin = z * std::sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / weight;
    // Rounding must not push an end past what is possible or past the estimate itself.
    return {std::clamp(center - margin, 0.0, share), std::clamp(center + margin, share, 1.0)};
}

Interval bootstrap_interval(std::span<const double> samples,
                            const std::function<double(std::span<const double>)>& statistic, int resamples,
                            base::Random& random, double confidence) {
    assert(!samples.empty() && resamples > 0);
    std::vector<double> drawn(samples.size());
    std::vector<double> values;
    for (int i = 0; i < resamples; ++i) {
        for (double& x : drawn)
            x = samples[random.below(samples.size())];
        values.push_back(statistic(drawn));
    }
    std::sort(values.begin(), values.end());
    return {sorted_quantile(values, (1 - confidence) / 2), sorted_quantile(values, (1 + confidence) / 2)};
}

}  // namespace tsumugi::report
