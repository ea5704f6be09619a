// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/threatmate/validation.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace tsumugi::learn::threatmate {
namespace {

using base::Result;

double share(std::size_t part, std::size_t other) {
    const std::size_t all = part + other;
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

std::vector<Guess> most_likely_first(std::span<const Guess> guesses) {
    std::vector<Guess> sorted(guesses.begin(), guesses.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Guess& a, const Guess& b) { return a.probability > b.probability; });
    return sorted;
}

// Calls step(yeses, noes) after each run of guesses of the same probability, with how many of both came so far.
template <typename Step>
void walk(std::span<const Guess> guesses, Step&& step) {
    const std::vector<Guess> sorted = most_likely_first(guesses);
    std::size_t yeses = 0;
    std::size_t noes = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        ++(sorted[i].threat ? yeses : noes);
        if (i + 1 == sorted.size() || sorted[i + 1].probability != sorted[i].probability) step(yeses, noes);
    }
}

std::size_t fold_of(std::size_t game, int folds, std::uint64_t seed) {
    return static_cast<std::size_t>(base::SplitMix64(seed ^ (game * 0x9e3779b97f4a7c15))() %
                                    static_cast<std::uint64_t>(folds));
}

}  // namespace

double Quality::accuracy() const { return share(true_positives + true_negatives, false_positives + false_negatives); }
double Quality::true_positive_rate() const { return share(true_positives, false_negatives); }
double Quality::true_negative_rate() const { return share(true_negatives, false_positives); }

Quality quality_of(std::span<const Guess> guesses) {
    Quality quality;
    for (const Guess& guess : guesses) {
        const bool yes = guess.probability > 0.5;
        if (guess.threat)
            ++(yes ? quality.true_positives : quality.false_negatives);
        else
            ++(yes ? quality.false_positives : quality.true_negatives);
    }
    const std::size_t pairs = quality.positives() * quality.negatives();
    if (pairs == 0) return quality;
    std::size_t yeses_before = 0;
    std::size_t noes_before = 0;
    double ordered = 0;  // pairs in the right order, ties counting half
    walk(guesses, [&](std::size_t yeses, std::size_t noes) {
        const auto new_noes = static_cast<double>(noes - noes_before);
        ordered += new_noes * static_cast<double>(yeses + yeses_before) / 2;
        yeses_before = yeses;
        noes_before = noes;
    });
    quality.area = ordered / static_cast<double>(pairs);
    return quality;
}

std::vector<RocPoint> roc_curve(std::span<const Guess> guesses, std::size_t points) {
    const Quality quality = quality_of(guesses);
    std::vector<RocPoint> curve{{0, 0}};
    const double least_step = 1.0 / static_cast<double>(std::max<std::size_t>(points, 1));
    walk(guesses, [&](std::size_t yeses, std::size_t noes) {
        const RocPoint point{share(noes, quality.negatives() - noes), share(yeses, quality.positives() - yeses)};
        const bool last = yeses + noes == guesses.size();
        const double step = point.false_positive_rate - curve.back().false_positive_rate + point.true_positive_rate -
                            curve.back().true_positive_rate;
        if (last || step >= 2 * least_step) curve.push_back(point);
    });
    return curve;
}

Observations observations_of(std::span<const Sample> samples) {
    Observations observations;
    observations.width = search::threatmate::feature_count;
    for (const Sample& sample : samples)
        observations.add(sample.features.values(), sample.threat);
    return observations;
}

Result<std::vector<Guess>> cross_validate(std::span<const Sample> samples, int folds, std::uint64_t seed,
                                          const FitSettings& settings) {
    std::vector<Guess> guesses(samples.size());
    for (std::size_t fold = 0; fold < static_cast<std::size_t>(folds); ++fold) {
        std::vector<Sample> others;
        for (const Sample& sample : samples)
            if (fold_of(sample.game, folds, seed) != fold) others.push_back(sample);
        if (others.size() == samples.size()) continue;
        const auto model = fit(observations_of(others), settings);
        if (!model) return model.error();
        for (std::size_t i = 0; i < samples.size(); ++i)
            if (fold_of(samples[i].game, folds, seed) == fold)
                guesses[i] = {model->probability(samples[i].features.values()), samples[i].threat};
    }
    return guesses;
}

}  // namespace tsumugi::learn::threatmate
