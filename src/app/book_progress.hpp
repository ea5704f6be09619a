// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/progress.hpp"

namespace tsumugi::app {

// Shows how far the reading of books is, one display for each book: a new one begins when the count starts again.
class BookProgress {
public:
    explicit BookProgress(std::string label) : label_(std::move(label)) {}

    void operator()(std::uint64_t done, std::uint64_t total) {
        if (!progress_ || done < seen_) {
            progress_.emplace(label_, total);
            seen_ = 0;
        }
        progress_->add(done - seen_);
        seen_ = done;
    }
    // The next display has another label.
    void begin(std::string label) {
        progress_.reset();
        seen_ = 0;
        label_ = std::move(label);
    }
    void finish() { progress_.reset(); }

private:
    std::string label_;
    std::optional<base::Progress> progress_;
    std::uint64_t seen_ = 0;
};

}  // namespace tsumugi::app
