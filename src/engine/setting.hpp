// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "search/settings.hpp"
#include "think/option.hpp"

namespace tsumugi::engine {

// Declares every option of the engine but its buttons, with the names that are usual for shogi engines.
void declare_options(think::OptionSet& options);

// What the options mean for the search.
search::Settings search_settings(const think::OptionSet& options);

// The limits of a request, tightened by those the user set as options.
think::Limits with_option_limits(const think::Limits& limits, const think::OptionSet& options);

// The level to play at, from 0 up to but not including full_skill; nothing for full strength.
constexpr double full_skill = 20;
std::optional<double> skill_level(const think::OptionSet& options);

}  // namespace tsumugi::engine
