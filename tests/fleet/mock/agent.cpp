// SPDX-License-Identifier: GPL-3.0-or-later
// An agent in a process of its own, for tests that kill it or stop it: takes the file of an agent and runs until its
// end.
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "base/signal.hpp"
#include "fleet/agent.hpp"

int main(int argc, char** argv) {
    using namespace tsumugi;
    const auto config = fleet::AgentConfig::load(argc > 1 ? argv[1] : "");
    const auto interrupt = base::Interrupt::watch();
    if (!config || !interrupt) return 2;
    const auto agent = fleet::Agent::start(*config, 1, [](const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    });
    if (!agent) return 3;
    (*agent)->run((*interrupt)->token());
    return 0;
}
