// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/ponder_team.hpp"

#include <algorithm>
#include <utility>

namespace tsumugi::ensemble {
namespace {

// The same position reached by the same game: what was before it counts for repetitions.
bool is_same(const shogi::Position& a, const shogi::Position& b) {
    if (a.history() != b.history() || a.move_number() != b.move_number()) return false;
    for (std::size_t plies = 0; plies <= a.history(); ++plies)
        if (a.state(plies).board_key != b.state(plies).board_key || a.state(plies).hand_key != b.state(plies).hand_key)
            return false;
    return true;
}

}  // namespace

void PonderTeam::aim(std::span<const shogi::Position> positions, const PonderOrder& order,
                     std::optional<std::size_t> busy) {
    std::size_t available = 0;
    for (std::size_t player = 0; player < members_.size(); ++player)
        if (!failed_[player] && player != busy) ++available;
    const auto wanted = positions.first(std::min(positions.size(), available));
    for (Post& each : posts_) {
        const auto place = std::find_if(wanted.begin(), wanted.end(),
                                        [&](const shogi::Position& one) { return is_same(one, each.position); });
        each.rank = place == wanted.end() ? 0 : static_cast<int>(place - wanted.begin()) + 1;
        if (each.rank == 0) each.inquiry->stop();
    }
    std::erase_if(posts_, [](const Post& each) { return each.rank == 0; });
    std::size_t player = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (find(wanted[i]) != nullptr) continue;
        while (player < members_.size() && !is_free(player, busy))
            ++player;
        if (player == members_.size()) return;
        post(player, static_cast<int>(i) + 1, wanted[i], order);
    }
}

bool PonderTeam::is_free(std::size_t player, std::optional<std::size_t> busy) const {
    return !failed_[player] && player != busy &&
           std::none_of(posts_.begin(), posts_.end(), [&](const Post& each) { return each.player == player; });
}

void PonderTeam::post(std::size_t player, int rank, const shogi::Position& position, const PonderOrder& order) {
    think::Limits limits = order.limits;
    limits.clock.reset();
    limits.move_time.reset();
    limits.start.reset();
    limits.root_moves.clear();
    limits.ponder = true;
    limits.ponder_signal = std::make_shared<think::PonderSignal>();
    auto inquiry = std::make_shared<Inquiry>(position, std::move(limits), bell_);
    if (order.allotted) inquiry->set_allotted(*order.allotted);
    members_[player]->ask(inquiry);
    posts_.push_back({player, rank, position, base::Clock::now(), order.allotted, std::move(inquiry)});
}

std::vector<PonderTeam::Post> PonderTeam::take_failed() {
    std::vector<Post> failed;
    for (const Post& each : posts_)
        // Who answers while it ponders has misunderstood the question, and has nothing to go on with.
        if (each.inquiry->is_finished()) failed.push_back(each);
    for (const Post& each : failed) {
        failed_[each.player] = true;
        std::erase_if(posts_, [&](const Post& other) { return other.player == each.player; });
    }
    return failed;
}

const PonderTeam::Post* PonderTeam::find(const shogi::Position& position) const {
    const auto found =
        std::find_if(posts_.begin(), posts_.end(), [&](const Post& each) { return is_same(each.position, position); });
    return found == posts_.end() ? nullptr : &*found;
}

std::optional<PonderTeam::Post> PonderTeam::take(const shogi::Position& position) {
    const Post* found = find(position);
    if (found == nullptr) return std::nullopt;
    Post taken = *found;
    posts_.erase(posts_.begin() + (found - posts_.data()));
    return taken;
}

std::vector<shogi::Position> PonderTeam::positions() const {
    std::vector<const Post*> sorted;
    for (const Post& each : posts_)
        sorted.push_back(&each);
    std::sort(sorted.begin(), sorted.end(), [](const Post* a, const Post* b) { return a->rank < b->rank; });
    std::vector<shogi::Position> positions;
    for (const Post* each : sorted)
        positions.push_back(each->position);
    return positions;
}

void PonderTeam::dismiss() {
    for (const Post& each : posts_)
        each.inquiry->stop();
    posts_.clear();
}

}  // namespace tsumugi::ensemble
