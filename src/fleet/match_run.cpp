// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/match_run.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "fleet/match_job.hpp"

namespace tsumugi::fleet {

using base::Result;

Result<std::string> MatchRun::name() const {
    const auto description = config_.description();
    if (!description) return description.error();
    std::error_code ignored;
    const std::string place = std::filesystem::absolute(match_.folder(), ignored).string();
    return base::sha256_hex(description->dump() + place).substr(0, 24);
}

std::optional<JobSource::Piece> MatchRun::next() {
    if (passed_over_.empty()) return cut();
    Piece piece = std::move(passed_over_.front());
    passed_over_.pop_front();
    return piece;
}

std::optional<JobSource::Piece> MatchRun::cut() {
    if (!ahead_) ahead_ = match_.next();
    if (!ahead_) return std::nullopt;
    const std::uint64_t pair = ahead_->number / 2;
    std::vector<arena::Task> tasks;
    while (ahead_ && ahead_->number / 2 == pair) {
        tasks.push_back(*ahead_);
        ahead_ = match_.next();
    }
    MatchJob job{config_.engines, config_.pool, tasks};
    handed_out_[pair] = std::move(tasks);
    return Piece{pair, job.to_text()};
}

Result<void> MatchRun::take(std::uint64_t number, const std::string& payload) {
    const auto result = MatchJobResult::parse(payload);
    if (!result) return result.error();
    // What an earlier coordinator posted comes before it is its turn here; those before it will still be wanted.
    while (!handed_out_.contains(number)) {
        auto piece = cut();
        if (!piece) break;
        const bool is_past = piece->number > number;
        if (piece->number != number) passed_over_.push_back(*std::move(piece));
        if (is_past) break;
    }
    const auto tasks = handed_out_.find(number);
    if (tasks == handed_out_.end()) return {};  // played before
    const auto task_of = [&](std::uint64_t game) {
        return std::find_if(tasks->second.begin(), tasks->second.end(),
                            [&](const arena::Task& each) { return each.number == game; });
    };
    for (const MatchJobResult::Game& each : result->annulled)
        if (const auto task = task_of(each.number); task != tasks->second.end())
            if (const auto noted = match_.annulled(*task, each.game); !noted) return noted;
    for (const MatchJobResult::Game& each : result->games)
        if (const auto task = task_of(each.number); task != tasks->second.end())
            if (const auto stored = match_.finished(*task, each.game); !stored) return stored;
    handed_out_.erase(tasks);
    return {};
}

}  // namespace tsumugi::fleet
