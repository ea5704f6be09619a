// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "base/toml_entries.hpp"
#include "cluster/connection.hpp"

namespace tsumugi::cluster {

// The table [cluster] of a file. Relative paths count from `folder`; `password_file` keeps a password out of it.
base::Result<ConnectionSettings> read_connection(const toml::table& table, const std::filesystem::path& folder);

}  // namespace tsumugi::cluster
