// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/threatmate/logistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tsumugi::learn::threatmate {
namespace {

using base::Error;
using base::Result;

double logistic(double score) { return 1 / (1 + std::exp(-score)); }

// Mean 0 and standard deviation 1 in every column.
struct Standard {
    std::vector<double> means;
    std::vector<double> deviations;  // 0 where nothing changes
};

Standard standard_of(const Observations& observations) {
    const auto n = static_cast<double>(observations.size());
    const std::size_t width = observations.width;
    Standard standard{std::vector<double>(width), std::vector<double>(width)};
    for (std::size_t i = 0; i < observations.size(); ++i)
        for (std::size_t k = 0; k < width; ++k)
            standard.means[k] += observations.row(i)[k] / n;
    for (std::size_t i = 0; i < observations.size(); ++i)
        for (std::size_t k = 0; k < width; ++k) {
            const double distance = observations.row(i)[k] - standard.means[k];
            standard.deviations[k] += distance * distance / n;
        }
    constexpr double rounding = 1e-9;
    for (double& each : standard.deviations)
        each = each > rounding ? std::sqrt(each) : 0;
    return standard;
}

// A symmetric, positive definite matrix of which the lower half is filled in.
class SquareMatrix {
public:
    explicit SquareMatrix(std::size_t width) : width_(width), values_(width * width) {}

    double& at(std::size_t row, std::size_t column) { return values_[row * width_ + column]; }

    // Solves this * x = right by Cholesky's decomposition, which replaces the matrix. False if it is not definite.
    bool solve(std::vector<double>& right) {
        for (std::size_t j = 0; j < width_; ++j)
            for (std::size_t i = j; i < width_; ++i) {
                double sum = at(i, j);
                for (std::size_t k = 0; k < j; ++k)
                    sum -= at(i, k) * at(j, k);
                if (i != j) {
                    at(i, j) = sum / at(j, j);
                } else if (sum > 0) {
                    at(j, j) = std::sqrt(sum);
                } else {
                    return false;
                }
            }
        for (std::size_t i = 0; i < width_; ++i) {
            for (std::size_t k = 0; k < i; ++k)
                right[i] -= at(i, k) * right[k];
            right[i] /= at(i, i);
        }
        for (std::size_t i = width_; i-- > 0;) {
            for (std::size_t k = i + 1; k < width_; ++k)
                right[i] -= at(k, i) * right[k];
            right[i] /= at(i, i);
        }
        return true;
    }

private:
    std::size_t width_;
    std::vector<double> values_;
};

// A maximum-likelihood problem: the last of its unknowns is the bias.
class Problem {
public:
    Problem(const Observations& observations, double ridge)
        : observations_(observations),
          standard_(standard_of(observations)),
          ridge_(ridge),
          unknowns_(observations.width + 1),
          row_(unknowns_) {}

    // One step of Newton's method from `solution`, halved until the likelihood does not fall. Its length, or an error
    // if the likelihood has no single peak.
    Result<double> improve(std::vector<double>& solution) {
        std::vector<double> step(unknowns_);
        SquareMatrix curvature(unknowns_);
        gather(solution, step, curvature);
        if (!curvature.solve(step))
            return Error{Error::Code::range, "the weights are not determined; use a larger ridge or more games"};
        const double before = loss(solution);
        for (double share = 1;; share /= 2) {
            std::vector<double> next = solution;
            double length = 0;
            for (std::size_t k = 0; k < unknowns_; ++k) {
                next[k] += share * step[k];
                length = std::max(length, std::abs(share * step[k]));
            }
            constexpr double rounding = 1e-9;
            if (loss(next) <= before * (1 + rounding) || length < rounding) {
                solution = std::move(next);
                return length;
            }
        }
    }

    [[nodiscard]] LogisticModel model(const std::vector<double>& solution) const {
        LogisticModel model;
        model.bias = solution.back();
        for (std::size_t k = 0; k < observations_.width; ++k) {
            const double deviation = standard_.deviations[k];
            const double weight = deviation > 0 ? solution[k] / deviation : 0;
            model.standardised.push_back(deviation > 0 ? solution[k] : 0);
            model.weights.push_back(weight);
            model.bias -= weight * standard_.means[k];
        }
        return model;
    }

private:
    const std::vector<double>& standardised_row(std::size_t i) {
        const auto raw = observations_.row(i);
        for (std::size_t k = 0; k < raw.size(); ++k)
            row_[k] = standard_.deviations[k] > 0 ? (raw[k] - standard_.means[k]) / standard_.deviations[k] : 0;
        row_.back() = 1;
        return row_;
    }

    double score(const std::vector<double>& row, const std::vector<double>& solution) const {
        double sum = 0;
        for (std::size_t k = 0; k < unknowns_; ++k)
            sum += row[k] * solution[k];
        return sum;
    }

    // Minus the logarithm of the likelihood, with the penalty.
    double loss(const std::vector<double>& solution) {
        double sum = 0;
        for (std::size_t k = 0; k + 1 < unknowns_; ++k)
            sum += ridge_ * solution[k] * solution[k] / 2;
        for (std::size_t i = 0; i < observations_.size(); ++i) {
            const double s = score(standardised_row(i), solution);
            const double margin = observations_.answers[i] ? s : -s;
            sum += margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
        }
        return sum;
    }

    void gather(const std::vector<double>& solution, std::vector<double>& slope, SquareMatrix& curvature) {
        for (std::size_t i = 0; i < observations_.size(); ++i) {
            const std::vector<double>& row = standardised_row(i);
            const double p = logistic(score(row, solution));
            const double error = (observations_.answers[i] ? 1 : 0) - p;
            for (std::size_t a = 0; a < unknowns_; ++a) {
                slope[a] += error * row[a];
                for (std::size_t b = 0; b <= a; ++b)
                    curvature.at(a, b) += p * (1 - p) * row[a] * row[b];
            }
        }
        for (std::size_t k = 0; k + 1 < unknowns_; ++k) {
            slope[k] -= ridge_ * solution[k];
            // A column that never changes contributes nothing, and something must stand on the diagonal.
            curvature.at(k, k) += standard_.deviations[k] > 0 ? ridge_ : 1;
        }
    }

    const Observations& observations_;
    Standard standard_;
    double ridge_;
    std::size_t unknowns_;
    std::vector<double> row_;
};

}  // namespace

double LogisticModel::score(std::span<const double> row) const {
    double sum = bias;
    for (std::size_t k = 0; k < weights.size(); ++k)
        sum += weights[k] * row[k];
    return sum;
}

double LogisticModel::probability(std::span<const double> row) const { return logistic(score(row)); }

Result<LogisticModel> fit(const Observations& observations, const FitSettings& settings) {
    const auto yeses = std::count(observations.answers.begin(), observations.answers.end(), true);
    if (yeses == 0 || yeses == static_cast<std::ptrdiff_t>(observations.size()))
        return Error{Error::Code::range, fmt::format("{} of {} answers are yes: there is nothing to tell apart", yeses,
                                                     observations.size())};
    Problem problem(observations, settings.ridge);
    std::vector<double> solution(observations.width + 1);
    for (int step = 0; step < settings.most_steps; ++step) {
        const auto length = problem.improve(solution);
        if (!length) return length.error();
        if (*length < settings.precision) break;
    }
    return problem.model(solution);
}

}  // namespace tsumugi::learn::threatmate
