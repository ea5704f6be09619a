// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/rating.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tsumugi::arena {
namespace {

using Sheets = std::map<Standing::Pairing, ScoreSheet>;
using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

double win_chance(double lead) { return 1 / (1 + std::exp(-lead)); }

double points(const report::WinDrawLoss& games) {
    return static_cast<double>(games.wins) + static_cast<double>(games.draws) / 2;
}

Matrix square(std::size_t size) { return Matrix(size, Vector(size)); }

// Adds weight * (e_i - e_j)(e_i - e_j)^T: what a game between two tells about their difference only.
void add_difference(Matrix& matrix, const Standing::Pairing& pairing, double weight) {
    const auto [i, j] = pairing;
    matrix[i][i] += weight;
    matrix[j][j] += weight;
    matrix[i][j] -= weight;
    matrix[j][i] -= weight;
}

// By Gauss and Jordan; the matrices here are positive definite.
Matrix inverse(Matrix matrix) {
    const std::size_t size = matrix.size();
    Matrix result = square(size);
    for (std::size_t i = 0; i < size; ++i)
        result[i][i] = 1;
    for (std::size_t column = 0; column < size; ++column) {
        const double pivot = matrix[column][column];
        for (std::size_t k = 0; k < size; ++k) {
            matrix[column][k] /= pivot;
            result[column][k] /= pivot;
        }
        for (std::size_t row = 0; row < size; ++row) {
            if (row == column) continue;
            const double factor = matrix[row][column];
            for (std::size_t k = 0; k < size; ++k) {
                matrix[row][k] -= factor * matrix[column][k];
                result[row][k] -= factor * result[column][k];
            }
        }
    }
    return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result = square(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < a.size(); ++k)
            for (std::size_t j = 0; j < a.size(); ++j)
                result[i][j] += a[i][k] * b[k][j];
    return result;
}

// Ford's condition: from everybody a chain of points scored leads to everybody else.
bool has_finite_maximum(std::size_t engines, const Sheets& sheets) {
    std::vector<std::vector<bool>> reaches(engines, std::vector<bool>(engines));
    for (const auto& [pairing, sheet] : sheets) {
        const report::WinDrawLoss games = sheet.total();
        reaches[pairing.first][pairing.second] = games.wins + games.draws > 0;
        reaches[pairing.second][pairing.first] = games.losses + games.draws > 0;
    }
    for (std::size_t k = 0; k < engines; ++k)
        for (std::size_t i = 0; i < engines; ++i)
            for (std::size_t j = 0; j < engines; ++j)
                if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
    for (std::size_t i = 0; i < engines; ++i)
        for (std::size_t j = 0; j < engines; ++j)
            if (i != j && !reaches[i][j]) return false;
    return true;
}

class Fit {
public:
    Fit(std::size_t engines, const Sheets& sheets, bool padded)
        : sheets_(sheets), padding_(padded ? 1 : 0), strength_(engines) {
        // The likelihood is concave, so Newton's method finds its maximum; short steps keep it from overshooting.
        constexpr int steps = 200;
        constexpr double longest_step = 1;
        for (int step = 0; step < steps; ++step) {
            const Vector slope = gradient();
            const Matrix back = inverse(curvature());
            double change = 0;
            for (std::size_t i = 0; i < engines; ++i) {
                double move = 0;
                for (std::size_t j = 0; j < engines; ++j)
                    move += back[i][j] * slope[j];
                move = std::clamp(move, -longest_step, longest_step);
                strength_[i] += move;
                change = std::max(change, std::abs(move));
            }
            if (change < 1e-12) break;
        }
    }

    [[nodiscard]] double strength(std::size_t engine) const { return strength_[engine]; }

    // The "sandwich": curvature from the model, scatter from the results.
    [[nodiscard]] Vector variances() const {
        Matrix scatter = square(strength_.size());
        for (const auto& [pairing, sheet] : sheets_)
            add_difference(scatter, pairing, spread(sheet, chance(pairing)));
        const Matrix back = inverse(curvature());
        const Matrix covariance = product(product(back, scatter), back);
        Vector diagonal(strength_.size());
        for (std::size_t i = 0; i < diagonal.size(); ++i)
            diagonal[i] = covariance[i][i];
        return diagonal;
    }

private:
    [[nodiscard]] double chance(const Standing::Pairing& pairing) const {
        return win_chance(strength_[pairing.first] - strength_[pairing.second]);
    }

    [[nodiscard]] Vector gradient() const {
        Vector slope(strength_.size());
        for (std::size_t i = 0; i < slope.size(); ++i)
            slope[i] = padding_ * (0.5 - win_chance(strength_[i]));
        for (const auto& [pairing, sheet] : sheets_) {
            const report::WinDrawLoss games = sheet.total();
            const double surplus = points(games) - static_cast<double>(games.games()) * chance(pairing);
            slope[pairing.first] += surplus;
            slope[pairing.second] -= surplus;
        }
        return slope;
    }

    // Only differences matter: one direction is flat. A constant added to every entry fixes the average at zero.
    [[nodiscard]] Matrix curvature() const {
        const std::size_t size = strength_.size();
        Matrix matrix(size, Vector(size, 1.0));
        for (std::size_t i = 0; i < size; ++i) {
            const double p = win_chance(strength_[i]);
            matrix[i][i] += padding_ * p * (1 - p);
        }
        for (const auto& [pairing, sheet] : sheets_) {
            const double p = chance(pairing);
            add_difference(matrix, pairing, static_cast<double>(sheet.total().games()) * p * (1 - p));
        }
        return matrix;
    }

    // The sum of the squared surprises: pairs as a whole, single games as the model has them. Results without any
    // spread say nothing of it; then the model is asked for all games.
    [[nodiscard]] static double spread(const ScoreSheet& sheet, double chance) {
        const report::Pentanomial& pairs = sheet.pairs();
        const double model = chance * (1 - chance);
        double sum = 0;
        for (std::size_t i = 0; i < pairs.pairs.size(); ++i) {
            const double surprise = static_cast<double>(i) / 2 - 2 * chance;
            sum += static_cast<double>(pairs.pairs[i]) * surprise * surprise;
        }
        const auto games = static_cast<double>(sheet.total().games());
        constexpr double nothing = 1e-9;
        if (sum < nothing) return games * model;
        return sum + (games - 2 * static_cast<double>(pairs.count())) * model;
    }

    const Sheets& sheets_;
    double padding_;
    Vector strength_;
};

}  // namespace

RatingList rate(std::size_t engines, const Sheets& sheets, double confidence) {
    RatingList list;
    list.ratings.resize(engines);
    list.padded = !has_finite_maximum(engines, sheets);
    const Fit fit(engines, sheets, list.padded);
    const Vector variances = fit.variances();
    constexpr double scale = 400 / std::numbers::ln10;
    double average = 0;
    for (std::size_t i = 0; i < engines; ++i)
        average += fit.strength(i) / static_cast<double>(engines);
    for (std::size_t i = 0; i < engines; ++i) {
        Rating& rating = list.ratings[i];
        rating.elo = scale * (fit.strength(i) - average);
        const double margin = report::two_sided_z(confidence) * scale * std::sqrt(std::max(variances[i], 0.0));
        rating.interval = {rating.elo - margin, rating.elo + margin};
    }
    for (const auto& [pairing, sheet] : sheets) {
        const report::WinDrawLoss games = sheet.total();
        Rating& first = list.ratings[pairing.first];
        Rating& second = list.ratings[pairing.second];
        first.games += games.games();
        second.games += games.games();
        first.points += points(games);
        second.points += static_cast<double>(games.games()) - points(games);
    }
    return list;
}

}  // namespace tsumugi::arena
