// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/result.hpp"
#include "book/entry.hpp"
#include "shogi/position.hpp"

// How jobs about books write positions and moves. What comes from another machine is not to be trusted: moves must be
// possible. Like nlohmann's own functions these throw; who reads a whole message catches.

namespace tsumugi::fleet {

template <typename T>
T value_or_throw(base::Result<T> result) {
    if (!result) throw std::invalid_argument(result.error().message);
    return *std::move(result);
}

nlohmann::json stored_move_to_json(const book::StoredMove& move);
book::StoredMove stored_move_from(const nlohmann::json& value, const shogi::Position& position);

}  // namespace tsumugi::fleet
