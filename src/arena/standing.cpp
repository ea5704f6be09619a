// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/standing.hpp"

#include <cstdlib>

#include <fmt/format.h>

namespace tsumugi::arena {

using report::Sprt;
using shogi::Color;

void Standing::add(const Outcome& outcome) {
    const auto [black, white] = outcome.engine;
    const Color first_played = black < white ? Color::black : Color::white;
    const Pairing pairing = black < white ? Pairing{black, white} : Pairing{white, black};
    const int half_points = black < white ? outcome.black_half_points : 2 - outcome.black_half_points;
    ScoreSheet& sheet = sheets_[pairing];
    sheet.add(outcome.pair, first_played, half_points);
    ++games_;
    if (!sprt_) return;
    const bool has_pairs = sheet.pairs().count() > 0;
    llr_course_.push_back(has_pairs ? sprt_->llr(sheet.pairs()) : 0);
    if (has_pairs && decision_ == Sprt::State::undecided) decision_ = sprt_->state(sheet.pairs());
}

std::string Standing::summary() const {
    if (sheets_.size() != 1) return "";
    std::string text = sheets_.begin()->second.summary();
    if (sprt_ && !llr_course_.empty())
        text += fmt::format(" LLR {:.2f} [{:.2f}, {:.2f}]", llr_course_.back(), sprt_->lower(), sprt_->upper());
    return text;
}

std::string describe(Sprt::State state) {
    switch (state) {
        case Sprt::State::undecided: return "undecided";
        case Sprt::State::accept_h0: return "H0 accepted";
        case Sprt::State::accept_h1: return "H1 accepted";
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace tsumugi::arena
