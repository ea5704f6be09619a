// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/predictor.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tsumugi::ensemble {
namespace {

// The player of the configuration, showing as many lines as there are replies to guess unless it says otherwise.
MemberConfig with_lines(const PredictionConfig& config, std::size_t replies) {
    MemberConfig player = config.player;
    const bool is_given = std::any_of(player.options.begin(), player.options.end(),
                                      [](const auto& each) { return each.first == "MultiPV"; });
    if (!is_given) player.options.emplace_back("MultiPV", std::to_string(std::max<std::size_t>(replies, 1)));
    return player;
}

}  // namespace

Predictor::Predictor(const PredictionConfig& config, std::size_t replies, Member::Opener open)
    : time_(config.time), member_(with_lines(config, replies), std::move(open)) {}

void Predictor::ask(const shogi::Position& position, const std::shared_ptr<Bell>& bell) {
    // The replies to our move may have been asked for while we thought about it.
    const bool is_same = inquiry_ && inquiry_->position().key() == position.key() &&
                         inquiry_->position().history() == position.history() &&
                         !inquiry_->stop_token().stop_requested();
    reported_ = false;
    if (is_same) return;
    stop();
    inquiry_ = std::make_shared<Inquiry>(position, think::Limits{}, bell);
    inquiry_->set_due(base::Clock::now() + time_);
    member_.ask(inquiry_);
}

bool Predictor::has_news() {
    if (!inquiry_ || reported_ || !inquiry_->is_finished()) return false;
    reported_ = true;
    return true;
}

std::vector<shogi::Move> Predictor::replies() const {
    std::vector<shogi::Move> moves;
    if (!inquiry_) return moves;
    const Inquiry::State state = inquiry_->state();
    if (state.line) moves.push_back(state.line->moves.front());
    for (const think::Line& line : state.others)
        moves.push_back(line.moves.front());
    return moves;
}

void Predictor::stop() {
    if (inquiry_ && !inquiry_->is_finished()) inquiry_->stop();
}

}  // namespace tsumugi::ensemble
