// SPDX-License-Identifier: GPL-3.0-or-later
// The coordinator of a small match in a process of its own, for tests that put it on another host: takes the address of
// a broker and the folder of the match, and says how many games it has in the end.
#include <fmt/format.h>

#include "cluster/broker.hpp"
#include "fleet/match_support.hpp"

int main(int argc, char** argv) {
    using namespace tsumugi;
    if (argc != 3) return 2;
    const arena::MatchConfig config = test::match_config(argv[2]);
    const auto match = arena::Match::open(config);
    if (!match) return 3;
    const auto done = test::run_match(**match, config, test::Broker::connect_to({.servers = {argv[1]}}), {});
    if (!done) fmt::print(stderr, "{}\n", done.error().message);
    if (!done || !(*match)->complete()) return 1;
    fmt::print("{} games\n", (*match)->standing().games());
    return 0;
}
