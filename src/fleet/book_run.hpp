// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "fleet/book_job.hpp"
#include "fleet/job_run.hpp"

namespace tsumugi::fleet {

// The positions that `book think` would analyse, as jobs. Which come next is decided by what is known when they are
// posted, so that the book grows where it is likely to be played, whoever answers first.
class BookRun : public JobSource {
public:
    // `settings.positions` are thought about in this run; `place` is the file of the workspace, `net` as jobs name it.
    // `ahead` positions are chosen at a time. `on_position` is told of every one that was stored.
    BookRun(learn::bookmaking::Workspace& workspace, std::filesystem::path place,
            const learn::bookmaking::ThinkSettings& settings, std::string net, std::size_t ahead,
            std::function<void()> on_position)
        : workspace_(workspace),
          place_(std::move(place)),
          settings_(settings),
          net_(std::move(net)),
          ahead_(ahead),
          on_position_(std::move(on_position)) {}

    std::optional<Piece> next() override;
    base::Result<void> take(std::uint64_t number, const std::string& payload) override;
    [[nodiscard]] bool complete() const override { return stored_ >= settings_.positions; }

    [[nodiscard]] std::size_t stored() const { return stored_; }
    // The same for the same workspace and effort.
    [[nodiscard]] std::string name() const;

private:
    [[nodiscard]] BookJob job_of(const shogi::Setup& position) const { return {position, settings_.effort, net_}; }
    void choose();

    learn::bookmaking::Workspace& workspace_;
    const std::filesystem::path place_;
    const learn::bookmaking::ThinkSettings settings_;
    const std::string net_;
    const std::size_t ahead_;
    const std::function<void()> on_position_;
    std::deque<BookJob> chosen_;
    std::set<std::uint64_t> under_way_;  // numbers of jobs that were handed out
    std::size_t stored_ = 0;
};

}  // namespace tsumugi::fleet
