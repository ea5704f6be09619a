// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "eval/evaluation.hpp"

namespace tsumugi::eval {

struct NetOptions {
    int fv_scale = 0;     // units of output per unit of score; 0 means 16
    std::string feature;  // a feature set by name, for the rare file that fits several
};

// Reads a net of any architecture we know (docs/nets.md) and prepares it for this processor.
base::Result<std::shared_ptr<const Evaluator>> load_net(const std::filesystem::path& path,
                                                        const NetOptions& options = {});
base::Result<std::shared_ptr<const Evaluator>> read_net(std::span<const std::byte> bytes,
                                                        const NetOptions& options = {});

// The net that was built into the program, or the material evaluation when there is none.
std::shared_ptr<const Evaluator> default_evaluator(const NetOptions& options = {});

// What a user asks for by naming a net's file, or by this word instead of one, or by nothing for the built-in net.
constexpr std::string_view material_name = "material";
base::Result<std::shared_ptr<const Evaluator>> choose_evaluator(const std::string& name,
                                                                const NetOptions& options = {});

}  // namespace tsumugi::eval
