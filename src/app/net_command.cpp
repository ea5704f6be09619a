// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/net_command.hpp"

#include "base/hash.hpp"
#include "base/mapped_file.hpp"

namespace tsumugi::app {

base::Result<NetOnDisk> open_net(const std::string& path, const std::string& feature) {
    const auto file = base::MappedFile::open(path);
    if (!file) return file.error();
    auto net = eval::nnue::read_net_file(file->bytes(), feature);
    if (!net) return net.error().in(path);
    return NetOnDisk{std::move(*net), base::sha256_hex(file->text())};
}

void add_net_command(CLI::App& program, Session& session) {
    CLI::App* net = program.add_subcommand("net", "Look at evaluation nets, compare, mix, order and calibrate them");
    net->require_subcommand(1);
    add_net_info_command(*net, session);
    add_net_diff_command(*net, session);
    add_net_mix_command(*net, session);
    add_net_order_command(*net, session);
    add_net_calibrate_command(*net, session);
}

}  // namespace tsumugi::app
