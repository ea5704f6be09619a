// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/example.hpp"
#include "app/net_command.hpp"
#include "learn/column_order.hpp"

namespace tsumugi::app {
namespace {

using base::Error;
using base::Result;

struct OrderOptions {
    std::string net;
    std::string output;
    std::string positions;
    std::string feature;
    std::size_t limit = 10'000;
    bool overwrite = false;
};

Result<void> run(const OrderOptions& options) {
    if (!options.overwrite && std::filesystem::exists(options.output))
        return Error{Error::Code::io, fmt::format("{} exists already; --force replaces it", options.output)};
    const auto disk = open_net(options.net, options.feature);
    if (!disk) return disk.error();
    const auto examples = read_examples(options.positions, options.limit);
    if (!examples) return examples.error();
    std::vector<shogi::Setup> positions;
    for (const Example& example : *examples)
        positions.push_back(example.setup);
    const auto ordered = learn::with_ordered_columns(disk->net.parameters, positions);
    if (!ordered) return ordered.error().in(options.net);
    if (const auto written = eval::nnue::write_net(options.output, ordered->net); !written) return written;
    fmt::print("{}: {:.1f} % of the chunks of its columns are not zero, {:.1f} % before ({} positions)\n",
               options.output, 100 * ordered->busy_after, 100 * ordered->busy_before, positions.size());
    return {};
}

}  // namespace

void add_net_order_command(CLI::App& net, Session& session) {
    auto options = std::make_shared<OrderOptions>();
    CLI::App* command =
        net.add_subcommand("order", "Put columns that are zero together side by side: the same net, but faster");
    command->add_option("net", options->net, "A classic net (nn.bin)")->required();
    command->add_option("-o,--output", options->output, "The net to write")->required();
    command->add_option("--positions", options->positions, "Training data, or lines of SFEN, like those it will meet")
        ->required()
        ->check(CLI::ExistingFile);
    command->add_option("--limit", options->limit, "Positions to look at, at most")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--feature", options->feature, "Name the feature set when a file fits several");
    command->add_flag("--force", options->overwrite, "Replace a file that exists");
    command->footer(
        "Every position keeps its value to the last bit. Zeros are passed over four at a time; nets come with their "
        "columns in an order of chance.\n\nExample:\n  tsumugi net order nn.bin -o faster.bin --positions leaves.psv");
    command->callback([options, &session] {
        if (const auto done = run(*options); !done) fail(session, done.error().message);
    });
}

}  // namespace tsumugi::app
