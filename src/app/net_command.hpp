// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/command.hpp"
#include "base/result.hpp"
#include "eval/nnue/file.hpp"

namespace tsumugi::app {

struct NetOnDisk {
    eval::nnue::NetFile net;
    std::string sha256;
};

// `feature` names the feature set when the file fits several.
base::Result<NetOnDisk> open_net(const std::string& path, const std::string& feature);

// What `tsumugi net` can do.
void add_net_info_command(CLI::App& net, Session& session);
void add_net_calibrate_command(CLI::App& net, Session& session);
void add_net_diff_command(CLI::App& net, Session& session);
void add_net_mix_command(CLI::App& net, Session& session);
void add_net_order_command(CLI::App& net, Session& session);

}  // namespace tsumugi::app
