// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/duel_run.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"

namespace tsumugi::fleet {

using base::Result;

namespace {

// Some 700 KB of text: a broker takes messages up to 1 MB. A maker who is not told thinks for himself.
constexpr std::size_t most_followed = 16'000;

}  // namespace

Result<std::unique_ptr<DuelRun>> DuelRun::open(learn::bookmaking::Workspace& workspace, std::filesystem::path place,
                                               DuelJob game, std::uint64_t games, OnGame on_game) {
    const auto numbers = learn::bookmaking::duels_to_play(workspace, games);
    if (!numbers) return numbers.error();
    return std::unique_ptr<DuelRun>(
        new DuelRun(workspace, std::move(place), std::move(game), *numbers, std::move(on_game)));
}

std::string DuelRun::name() const {
    std::error_code ignored;
    const std::string place = std::filesystem::absolute(place_, ignored).string();
    return base::sha256_hex(game_.to_text() + place).substr(0, 24);
}

std::optional<JobSource::Piece> DuelRun::next() {
    while (!waiting_.empty() && !missing_.contains(waiting_.front()))
        waiting_.pop_front();
    if (waiting_.empty()) return std::nullopt;
    DuelJob job = game_;
    job.number = waiting_.front();
    waiting_.pop_front();
    job.book = learn::bookmaking::moves_to_follow(workspace_, learn::bookmaking::maker_of(job.number), most_followed);
    return Piece{job.number, job.to_text()};
}

Result<void> DuelRun::take(std::uint64_t number, const std::string& payload) {
    const auto result = parse_duel_result(payload);
    if (!result) return result.error().in(fmt::format("job {}", number));
    if (result->number != number || missing_.erase(number) == 0) return {};  // it came twice
    if (const auto stored = learn::bookmaking::store_duel(workspace_, *result); !stored) return stored;
    report_.count(result->ending);
    on_game_(report_);
    return {};
}

}  // namespace tsumugi::fleet
