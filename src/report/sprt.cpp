// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/sprt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace tsumugi::report {

namespace {

// A distribution over the bins of a ScoreSample.
struct Distribution {
    std::array<double, 5> probability{};
    std::size_t bins = 0;
};

using Weights = std::array<double, 5>;

Distribution observed(const ScoreSample& sample, double& total) {
    Distribution result;
    result.bins = sample.bins();
    total = 0;
    for (std::size_t i = 0; i < result.bins; ++i) {
        result.probability[i] = std::max(sample.count(i), 1e-3);
        total += result.probability[i];
    }
    for (double& p : result.probability)
        p /= total;
    return result;
}

// The most likely distribution p under the constraint sum p_i b_i = 0. Lagrange's multipliers give
// p_i = seen_i / (1 + theta b_i), where theta is the root of sum seen_i b_i / (1 + theta b_i), a decreasing
// function between the two poles. Nothing if the b_i all have one sign, for then no distribution fits.
std::optional<Distribution> most_likely(const Distribution& seen, const Weights& b) {
    const auto [least, greatest] = std::minmax_element(b.begin(), b.begin() + seen.bins);
    if (*least >= 0 || *greatest <= 0) return std::nullopt;
    double low = -1 / *greatest;
    double high = -1 / *least;
    double theta = 0;
    for (int step = 0; step < 200; ++step) {
        double value = 0;
        double slope = 0;
        for (std::size_t i = 0; i < seen.bins; ++i) {
            const double term = b[i] / (1 + theta * b[i]);
            value += seen.probability[i] * term;
            slope -= seen.probability[i] * term * term;
        }
        (value > 0 ? low : high) = theta;
        // Newton's step where it stays between the limits, else the middle.
        double next = theta - value / slope;
        if (!(next > low && next < high)) next = low + (high - low) / 2;
        const bool settled = std::abs(next - theta) <= 1e-14 * std::abs(theta) || next == low || next == high;
        theta = next;
        if (settled) break;
    }
    Distribution result = seen;
    for (std::size_t i = 0; i < seen.bins; ++i)
        result.probability[i] /= 1 + theta * b[i];
    return result;
}

std::optional<Distribution> with_score(const Distribution& seen, const ScoreSample& sample, double score) {
    Weights b{};
    for (std::size_t i = 0; i < seen.bins; ++i)
        b[i] = sample.value(i) - score;
    return most_likely(seen, b);
}

// The most likely distribution whose mean exceeds 1/2 by t standard deviations. That constraint is not linear
// in the probabilities; b_i below is its linearisation at the current estimate, solved again until it stands.
std::optional<Distribution> with_lead(const Distribution& seen, const ScoreSample& sample, double t) {
    std::optional<Distribution> current = seen;
    // The start needs spread, which the observations may lack.
    for (std::size_t i = 0; i < seen.bins; ++i)
        current->probability[i] = 1.0 / static_cast<double>(seen.bins);
    for (int step = 0; step < 100 && current; ++step) {
        double mean = 0;
        for (std::size_t i = 0; i < seen.bins; ++i)
            mean += current->probability[i] * sample.value(i);
        double variance = 0;
        for (std::size_t i = 0; i < seen.bins; ++i)
            variance += current->probability[i] * (sample.value(i) - mean) * (sample.value(i) - mean);
        Weights b{};
        for (std::size_t i = 0; i < seen.bins; ++i) {
            const double distance = sample.value(i) - mean;
            b[i] = sample.value(i) - 0.5 - t * (variance + distance * distance) / (2 * std::sqrt(variance));
        }
        const auto next = most_likely(seen, b);
        double change = 0;
        for (std::size_t i = 0; next && i < seen.bins; ++i)
            change = std::max(change, std::abs(next->probability[i] - current->probability[i]));
        current = next;
        if (change < 1e-12) break;
    }
    return current;
}

}  // namespace

base::Result<Sprt> Sprt::create(const Bounds& bounds) {
    using base::Error;
    if (!(bounds.elo0 < bounds.elo1))
        return Error{Error::Code::range,
                     fmt::format("SPRT needs elo0 < elo1, got {} and {}", bounds.elo0, bounds.elo1)};
    if (!(std::abs(bounds.elo0) <= 200 && std::abs(bounds.elo1) <= 200))
        return Error{Error::Code::range, "SPRT bounds must lie within 200 Elo"};
    if (!(bounds.alpha > 0 && bounds.beta > 0 && bounds.alpha + bounds.beta < 1))
        return Error{Error::Code::range, fmt::format("SPRT needs alpha, beta > 0 with a sum below 1, got {} and {}",
                                                     bounds.alpha, bounds.beta)};
    return Sprt(bounds);
}

Sprt::Sprt(const Bounds& bounds)
    : bounds_(bounds),
      lower_(std::log(bounds.beta / (1 - bounds.alpha))),
      upper_(std::log((1 - bounds.beta) / bounds.alpha)) {}

double Sprt::llr(const ScoreSample& sample) const {
    if (sample.samples() == 0) return 0;
    double total = 0;
    const Distribution seen = observed(sample, total);
    const auto hypothesis = [&](double elo) {
        if (bounds_.model == Model::logistic) return with_score(seen, sample, score_from_elo(elo));
        // A sample's deviation is that of a game over the root of its games.
        return with_lead(seen, sample, elo / normalized_elo_scale * std::sqrt(sample.games_per_sample()));
    };
    const auto h0 = hypothesis(bounds_.elo0);
    const auto h1 = hypothesis(bounds_.elo1);
    // Observations without any spread fit no hypothesis about deviations: they prove nothing.
    if (!h0 || !h1) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < seen.bins; ++i)
        sum += seen.probability[i] * std::log(h1->probability[i] / h0->probability[i]);
    return total * sum;
}

Sprt::State Sprt::state(const ScoreSample& sample) const {
    const double ratio = llr(sample);
    return ratio >= upper_ ? State::accept_h1 : ratio <= lower_ ? State::accept_h0 : State::undecided;
}

std::string Sprt::describe(const ScoreSample& sample) const {
    const auto words = [](State state) {
        switch (state) {
            case State::undecided: return "undecided";
            case State::accept_h0: return "H0 accepted";
            case State::accept_h1: return "H1 accepted";
        }
        std::abort();
    };
    return fmt::format("LLR {:.2f} ({:.2f}, {:.2f}) [{:.2f}, {:.2f}] {}", llr(sample), lower_, upper_, bounds_.elo0,
                       bounds_.elo1, words(state(sample)));
}

}  // namespace tsumugi::report
