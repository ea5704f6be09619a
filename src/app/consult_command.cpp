// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/group_service.hpp"
#include "ensemble/consultation.hpp"
#include "ensemble/multi_ponder.hpp"

namespace tsumugi::app {
namespace {

template <typename Group>
base::Result<void> serve(const std::string& file) {
    auto config = ensemble::Config::load(file);
    if (!config) return config.error();
    const auto group = Group::create(*std::move(config));
    if (!group) return group.error();
    serve_group(**group);
    return {};
}

template <typename Group>
CLI::App* add_group_command(CLI::App& program, Session& session, const char* name, const char* help,
                            const char* file_help) {
    auto file = std::make_shared<std::string>();
    CLI::App* command = program.add_subcommand(name, help);
    command->add_option("file", *file, file_help)->required();
    command->callback([file, &session] {
        if (const auto served = serve<Group>(*file); !served) fail(session, served.error().message);
    });
    return command;
}

std::string rule_list() {
    std::string text;
    for (const ensemble::RuleEntry& rule : ensemble::all_rules())
        text += fmt::format("  {:<16}{}\n", rule.name, rule.summary);
    return text;
}

}  // namespace

void add_consult_command(CLI::App& program, Session& session) {
    add_group_command<ensemble::Consultation>(program, session, "consult",
                                              "Serve as a USI engine that is a group of engines",
                                              "TOML file that names the players and the rule")
        ->footer("Rules:\n" + rule_list() +
                 "\nExample of a file (docs/consultation.md has more):\n"
                 "  rule = \"majority\"\n"
                 "  [[player]]\n"
                 "  copies = 4\n"
                 "  options = { EvalNoiseSigma = 50 }\n");
}

void add_multiponder_command(CLI::App& program, Session& session) {
    add_group_command<ensemble::MultiPonder>(program, session, "multiponder",
                                             "Serve as a USI engine whose players ponder a different reply each",
                                             "TOML file that names the players, as for consult")
        ->footer(
            "While the opponent thinks, each player ponders another of the likely replies; the GUI has to let the\n"
            "engine ponder (USI_Ponder).\n\n"
            "Example of a file (docs/multiponder.md has more):\n"
            "  [[player]]\n"
            "  name = \"strongest\"\n"
            "  [[player]]\n"
            "  command = \"ssh host /opt/engine/run\"\n"
            "  [prediction]\n"
            "  time = 200\n");
}

}  // namespace tsumugi::app
