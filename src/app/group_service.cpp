// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/group_service.hpp"

#include <utility>

#include "app/gui_pipes.hpp"

namespace tsumugi::app {

void serve_group(think::Player& group) {
    GuiPipes gui;
    // The usual file of options is the engine's; a group has its own file.
    protocol::UsiServer::Settings settings;
    settings.options_file.clear();
    protocol::UsiServer server(group, gui.output(), std::move(settings));
    gui.serve(server);
}

}  // namespace tsumugi::app
