// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "base/result.hpp"

namespace tsumugi::learn {

// What provenance says of an evaluation that eval::choose_evaluator found by this name: the SHA-256 of the file,
// "built in", or "none" for material.
base::Result<std::string> net_identity(const std::string& name);

}  // namespace tsumugi::learn
