// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/match_config.hpp"

namespace tsumugi::arena {

using Words = std::vector<std::string>;

// A setting of a match, in the words of a user. The command line and configuration files have the same ones.
struct MatchSetting {
    std::string_view name;
    std::string_view help;
    int fewest_words;  // a flag has none
    int most_words;
    base::Result<void> (*apply)(MatchConfig& config, const Words& words);
};

std::span<const MatchSetting> match_settings();

// What the user said: settings by name, and the engines.
struct MatchRequest {
    struct Said {
        std::string name;
        Words words;
    };

    std::vector<Said> settings;
    Words each;                  // settings of every engine
    std::vector<Words> engines;  // "name=A", "cmd=…", …

    // A TOML file: the settings at the top, [each], and an [[engine]] for every engine, whose USI options stand in
    // [engine.options] and numbers of the search in [engine.parameters]. Relative paths are seen from the file.
    static base::Result<MatchRequest> load(const std::filesystem::path& file);

    // Settings of `other` come after those here and win; its engines are added, or replace those of the same name.
    void add(const MatchRequest& other);

    [[nodiscard]] base::Result<MatchConfig> to_config() const;
};

}  // namespace tsumugi::arena
