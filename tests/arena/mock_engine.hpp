// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "arena/engine_spec.hpp"

namespace tsumugi::test {

// The command of the engine in tests/arena/mock/engine.cpp with its mode.
inline std::vector<std::string> mock_command(std::vector<std::string> mode = {"good"}) {
    mode.insert(mode.begin(), std::string(TSUMUGI_MOCK_DIR) + "/arena_mock_engine");
    return mode;
}

inline arena::EngineSpec mock_engine(std::string name, std::vector<std::string> mode = {"good"}) {
    arena::EngineSpec spec;
    spec.name = std::move(name);
    spec.command = mock_command(std::move(mode));
    spec.allowance.nodes = 100;
    return spec;
}

}  // namespace tsumugi::test
