// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <signal.h>
#include <unistd.h>

#include "protocol/line_reader.hpp"
#include "protocol/usi_server.hpp"

namespace tsumugi::app {

// Standard input and output as a GUI holds their other ends.
class GuiPipes {
public:
    // A GUI that is gone shows as the end of the input; until then its closed pipe must not kill us mid-search.
    GuiPipes() { ::signal(SIGPIPE, SIG_IGN); }

    [[nodiscard]] protocol::LineWriter& output() { return output_; }
    // Until the GUI quits.
    void serve(protocol::UsiServer& server) {
        server.run([this] { return input_.next(); });
    }

private:
    protocol::LineWriter output_{STDOUT_FILENO};
    protocol::LineReader input_{STDIN_FILENO};
};

}  // namespace tsumugi::app
