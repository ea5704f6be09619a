// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/usi_filter.hpp"
#include "learn/bookmaking/analyst.hpp"

namespace tsumugi::fleet {

// A position that one worker thinks about for a book.
struct BookJob {
    shogi::Setup position;
    learn::bookmaking::Effort effort;
    std::string net;  // empty, "material", or "sha256:HASH"

    // The same for the same position, whoever asks and whenever: one that is asked for twice is one job.
    [[nodiscard]] std::uint64_t number() const;
    [[nodiscard]] std::string to_text() const;
    static base::Result<BookJob> parse(std::string_view text);
};

// It says itself what it is about, so that a coordinator which did not ask can store it.
struct BookJobResult {
    shogi::Position position;
    std::vector<book::StoredMove> moves;

    [[nodiscard]] std::string to_text() const;
    // Moves are checked: what comes from another machine is not to be trusted.
    static base::Result<BookJobResult> parse(std::string_view text);
};

base::Result<BookJobResult> think(const BookJob& job, const NetFiles& nets, const std::stop_token& stop);

}  // namespace tsumugi::fleet
