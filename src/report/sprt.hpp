// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "base/result.hpp"
#include "report/elo.hpp"

namespace tsumugi::report {

// The sequential probability ratio test: after every game or pair it says whether the match may stop. With
// probability alpha a change worth elo0 is accepted, with probability beta one worth elo1 is refused.
//
// The ratio is the generalized one: each hypothesis is represented by the distribution of results that explains
// the observations best among those with the hypothetical strength (M. Van den Bergh, "A practical introduction
// to the GSPRT").
class Sprt {
public:
    enum class Model { logistic, normalized };
    enum class State { undecided, accept_h0, accept_h1 };

    struct Bounds {
        Model model = Model::logistic;
        double elo0 = 0;
        double elo1 = 5;
        double alpha = 0.05;
        double beta = 0.05;
    };

    static base::Result<Sprt> create(const Bounds& bounds);

    // The log-likelihood ratio of H1 to H0; zero before the first result. Kinds of results that have not
    // happened count as a thousandth of one, because they have not been proved impossible.
    [[nodiscard]] double llr(const ScoreSample& sample) const;
    [[nodiscard]] State state(const ScoreSample& sample) const;

    // Wald's limits: the test accepts H0 at or below lower() and H1 at or above upper().
    [[nodiscard]] double lower() const { return lower_; }
    [[nodiscard]] double upper() const { return upper_; }
    [[nodiscard]] const Bounds& bounds() const { return bounds_; }

    // One line for logs: "LLR 1.23 (-2.94, 2.94) [0.00, 5.00] undecided".
    [[nodiscard]] std::string describe(const ScoreSample& sample) const;

private:
    explicit Sprt(const Bounds& bounds);

    Bounds bounds_;
    double lower_;
    double upper_;
};

}  // namespace tsumugi::report
