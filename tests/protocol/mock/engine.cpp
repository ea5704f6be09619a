// SPDX-License-Identifier: GPL-3.0-or-later
// A USI engine that plays the first legal move and misbehaves in the way its argument names; see usi_client_test.cpp.

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <string>
#include <thread>

#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace {

using namespace tsumugi;

class MockEngine {
public:
    explicit MockEngine(std::string fault) : fault_(std::move(fault)) {}

    int run() {
        if (fault_ == "exit-at-once") return 3;
        for (std::string line; std::getline(std::cin, line);) {
            if (fault_ == "deaf") continue;
            const auto words = base::split_words(line);
            const std::string_view command = words.empty() ? "" : words[0];
            if (command == "quit") break;
            if (command == "usi") introduce();
            if (command == "isready") get_ready();
            if (command == "setoption") say("info string " + line);
            if (command == "position") read_position(line.substr(9));
            if (command == "go") go(line);
            if (command == "stop" && fault_ != "never-stops") answer();
            if (command == "ponderhit") {
                say("info string " + line);
                answer();
            }
        }
        return 0;
    }

private:
    static void say(const std::string& line) { std::cout << line << std::endl; }

    void introduce() {
        if (fault_ == "garbage")
            std::cout << std::string(100000, '\x80') << "\n\n\toption\noption name\nid\n\xff\xfe\n";
        say("id name Mock");
        say("id author tests");
        say("option name Threads type spin default 1 min 1 max 8");
        say("option name Book File type string default <empty>");
        say("option name Reset type button");
        while (fault_ == "flood")
            say("option name Chatter type button");
        if (fault_ != "no-usiok") say("usiok");
    }

    void get_ready() {
        if (fault_ == "crash-loading") die();
        if (fault_ == "hang-loading") sleep_forever();
        if (fault_ == "slow-loading")
            for (int i = 0; i < 10; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(40));
                say("");
            }
        say("readyok");
    }

    void read_position(std::string_view text) {
        if (auto position = protocol::parse_position(text)) position_ = *std::move(position);
    }

    void go(const std::string& line) {
        if (fault_ == "crash") die();
        if (fault_ == "hang") sleep_forever();
        say("info depth 1 score cp 12 nodes 30 pv 7g7f 3c3d");
        say("info string " + line);
        const bool waits = line.find("infinite") != std::string::npos || line.find("ponder") != std::string::npos;
        if (!waits && fault_ != "needs-stop" && fault_ != "never-stops") answer();
    }

    void answer() {
        shogi::MoveList moves;
        shogi::legal_moves(position_, moves);
        if (fault_ == "illegal") return say("bestmove 7g7d");
        if (fault_ == "nonsense") return say("bestmove hello");
        if (fault_ == "garbage") say("bestmov\nbestmoves 7g7f\ninfo score mate pv\ninfo");
        say(moves.empty() ? "bestmove resign" : "bestmove " + record::to_usi(moves[0]));
    }

    [[noreturn]] static void die() {
        ::signal(SIGSEGV, SIG_DFL);  // the default action, whatever a sanitizer has installed
        ::raise(SIGSEGV);
        ::_exit(1);
    }
    [[noreturn]] static void sleep_forever() {
        for (;;)
            ::pause();
    }

    std::string fault_;
    shogi::Position position_ = shogi::Position::even();
};

}  // namespace

int main(int count, char** words) { return MockEngine(count > 1 ? words[1] : "").run(); }
