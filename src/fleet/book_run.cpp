// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/book_run.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"

namespace tsumugi::fleet {

using base::Result;

std::string BookRun::name() const {
    std::error_code ignored;
    const std::string place = std::filesystem::absolute(place_, ignored).string();
    return base::sha256_hex(job_of(shogi::Setup::even()).to_text() + place).substr(0, 24);
}

std::optional<JobSource::Piece> BookRun::next() {
    if (stored_ + under_way_.size() >= settings_.positions) return std::nullopt;
    if (chosen_.empty()) choose();
    if (chosen_.empty()) return std::nullopt;
    const BookJob job = chosen_.front();
    chosen_.pop_front();
    under_way_.insert(job.number());
    return Piece{job.number(), job.to_text()};
}

// Positions under way are still leaves: so many more are looked for.
void BookRun::choose() {
    for (const shogi::Position& leaf :
         learn::bookmaking::next_leaves(workspace_, settings_, under_way_.size() + ahead_)) {
        BookJob job = job_of(leaf.setup());
        if (!under_way_.contains(job.number())) chosen_.push_back(std::move(job));
    }
}

Result<void> BookRun::take(std::uint64_t number, const std::string& payload) {
    under_way_.erase(number);
    const auto result = BookJobResult::parse(payload);
    if (!result) return result.error().in(fmt::format("job {}", number));
    // It came twice, or somebody else has thought about the position meanwhile.
    if (result->moves.empty() || workspace_.is_analysed(result->position.setup())) return {};
    const auto stored = learn::bookmaking::store_analysis(workspace_, settings_, result->position, result->moves);
    if (!stored) return stored.error();
    ++stored_;
    on_position_();
    return {};
}

}  // namespace tsumugi::fleet
