// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/usi_filter.hpp"
#include "learn/bookmaking/duel.hpp"

namespace tsumugi::fleet {

// A game that a book is made by, for one worker. It brings along what the maker can find in the book.
struct DuelJob {
    struct Net {
        std::string name;  // for people
        std::string net;   // empty, "material", or "sha256:HASH"
    };

    std::uint64_t number = 0;
    learn::bookmaking::DuelSettings settings;
    std::string net;  // of the maker
    std::vector<Net> opponents;
    std::vector<learn::bookmaking::FollowedMove> book;

    [[nodiscard]] std::string to_text() const;
    static base::Result<DuelJob> parse(std::string_view text);
};

// What comes of it, as text. The moves of the game itself are not part of it.
std::string duel_result_text(const learn::bookmaking::DuelResult& result);
base::Result<learn::bookmaking::DuelResult> parse_duel_result(std::string_view text);

base::Result<learn::bookmaking::DuelResult> play(const DuelJob& job, const NetFiles& nets, const std::stop_token& stop);

}  // namespace tsumugi::fleet
