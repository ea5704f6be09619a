// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "fleet/usi_filter.hpp"
#include "learn/selfplay_settings.hpp"

namespace tsumugi::fleet {

// Some games of self-play for one worker: the settings and the numbers decide what they look like.
struct SelfplayJob {
    learn::SelfplaySettings settings;  // `net` is empty, "material", or "sha256:HASH"
    std::uint64_t first = 0;
    std::uint64_t count = 0;

    [[nodiscard]] std::string to_text() const;
    static base::Result<SelfplayJob> parse(std::string_view text);
};

// Plays a job; the result is an archive, as bytes.
base::Result<std::string> play(SelfplayJob job, const NetFiles& nets, const std::stop_token& stop);

}  // namespace tsumugi::fleet
