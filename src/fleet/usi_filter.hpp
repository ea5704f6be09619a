// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tsumugi::fleet {

// Files of this host by the SHA-256 of their contents.
using NetFiles = std::map<std::string, std::string>;

// How a net is named to another machine.
constexpr std::string_view net_prefix = "sha256:";

// The file of this host that a job names: "sha256:HASH" becomes a path; nothing and "material" stay. Other names are
// refused.
base::Result<std::string> local_net(const std::string& name, const NetFiles& nets);

// What a client elsewhere may say to an engine here: the words of USI, and of files only those nets that the agent
// offers, by "sha256:HASH". Other words are not passed on. A path of this host ends the session, because an engine that
// plays with something else than it was told would be worse.
base::Result<std::optional<std::string>> filter_usi(std::string_view line, const NetFiles& nets);

}  // namespace tsumugi::fleet
