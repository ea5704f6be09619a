// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/gui_pipes.hpp"
#include "ensemble/consultation.hpp"

namespace tsumugi::app {
namespace {

base::Result<void> serve(const std::string& file) {
    auto config = ensemble::Config::load(file);
    if (!config) return config.error();
    auto group = ensemble::Consultation::create(*std::move(config));
    if (!group) return group.error();
    GuiPipes gui;
    // The usual file of options is the engine's; a group has its own file.
    protocol::UsiServer::Settings settings;
    settings.options_file.clear();
    protocol::UsiServer server(**group, gui.output(), std::move(settings));
    gui.serve(server);
    return {};
}

std::string rule_list() {
    std::string text;
    for (const ensemble::RuleEntry& rule : ensemble::all_rules())
        text += fmt::format("  {:<16}{}\n", rule.name, rule.summary);
    return text;
}

}  // namespace

void add_consult_command(CLI::App& program, Session& session) {
    auto file = std::make_shared<std::string>();
    CLI::App* command = program.add_subcommand("consult", "Serve as a USI engine that is a group of engines");
    command->add_option("file", *file, "TOML file that names the players and the rule")->required();
    command->footer("Rules:\n" + rule_list() +
                    "\nExample of a file (docs/consultation.md has more):\n"
                    "  rule = \"majority\"\n"
                    "  [[player]]\n"
                    "  copies = 4\n"
                    "  options = { EvalNoiseSigma = 50 }\n");
    command->callback([file, &session] {
        if (const auto served = serve(*file); !served) fail(session, served.error().message);
    });
}

}  // namespace tsumugi::app
