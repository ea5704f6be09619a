// SPDX-License-Identifier: GPL-3.0-or-later
// A small USI engine that behaves well, or badly in the way its first argument says:
//
//   good               plays a move that depends on the position only
//   crash N            ends at the N-th `go` of its life
//   crash-once FILE    the same at the third `go`, but only if FILE does not exist; it is created then
//   hang N             stays silent from the N-th `go` on and does not hear `stop`
//   garbage N          answers the N-th `go` with something that is no move
//   illegal N          answers the N-th `go` with an illegal move
//   late MS            answers every `go` after MS milliseconds
//   flood N            at the N-th `go`, prints lines without end
//   declare N          claims a win at the N-th `go`
//   resign N           resigns at the N-th `go`
//   silent             does not even answer `usi`
//   no-start           ends at once
//   no-ready           does not answer `isready`
//   score CP           like good, but announces this score for itself
//   ponder [FATE]      like good, expects replies, and shows a line while it ponders; at a hit it may crash, hang, or
//                      answer something illegal
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace {

using namespace tsumugi;

void say(const std::string& line) { std::cout << line << "\n" << std::flush; }

class MockEngine {
public:
    MockEngine(std::string mode, std::string argument) : mode_(std::move(mode)), argument_(std::move(argument)) {}

    void run() {
        if (mode_ == "no-start") std::_Exit(7);
        for (std::string line; std::getline(std::cin, line);)
            if (!handle(line)) return;
    }

private:
    bool handle(const std::string& line) {
        const auto words = base::split_words(line);
        const std::string_view command = words.empty() ? "" : words[0];
        if (command == "usi" && mode_ != "silent") {
            say("id name Mock " + mode_);
            say("id author tests");
            say("option name USI_Hash type spin default 16 min 1 max 1024");
            say("option name MaxMovesToDraw type spin default 0 min 0 max 100000");
            say("usiok");
        } else if (command == "isready" && mode_ != "no-ready") {
            say("readyok");
        } else if (command == "position") {
            position_ = *protocol::parse_position(line.substr(line.find(' ') + 1));
        } else if (command == "go") {
            go(words.size() > 1 && (words[1] == "ponder" || words[1] == "infinite"));
        } else if ((command == "stop" || command == "ponderhit") && waiting_) {
            waiting_ = false;
            if (command == "ponderhit")
                be_hit();
            else
                answer();
        }
        return command != "quit";
    }

    [[nodiscard]] bool is_time(std::string_view mode) const { return mode_ == mode && searches_ == number(); }
    [[nodiscard]] int number() const { return argument_.empty() ? 0 : std::atoi(argument_.c_str()); }

    void be_hit() {
        if (argument_ == "crash") std::_Exit(3);
        if (argument_ == "illegal") return say("bestmove 5i5a");
        while (argument_ == "hang")
            std::this_thread::sleep_for(std::chrono::hours(1));
        answer();
    }

    void go(bool wait) {
        ++searches_;
        waiting_ = wait;
        if (wait && mode_ == "ponder") say(info_line(choose(position_)));
        if (wait) return;
        if (is_time("crash")) std::_Exit(3);
        if (mode_ == "crash-once" && searches_ == 3 && !std::filesystem::exists(argument_)) {
            std::ofstream(argument_) << "crashed\n";
            std::_Exit(3);
        }
        if (is_time("hang"))
            for (;;)
                std::this_thread::sleep_for(std::chrono::hours(1));
        while (is_time("flood"))
            say("info string more and more");
        if (mode_ == "late") std::this_thread::sleep_for(std::chrono::milliseconds(number()));
        if (is_time("garbage")) return say("bestmove Pawn to King four");
        if (is_time("illegal")) return say("bestmove 5i5a");
        if (is_time("declare")) return say("bestmove win");
        if (is_time("resign")) return say("bestmove resign");
        answer();
    }

    void answer() {
        const shogi::Move move = choose(position_);
        if (move.is_none()) return say("bestmove resign");
        say(info_line(move));
        std::string line = "bestmove " + record::to_usi(move);
        if (mode_ == "ponder") {
            shogi::Position next = position_;
            next.do_move(move);
            if (const shogi::Move reply = choose(next); !reply.is_none()) line += " ponder " + record::to_usi(reply);
        }
        say(line);
    }

    [[nodiscard]] std::string info_line(shogi::Move move) const {
        return fmt::format("info depth 1 nodes 100 score cp {} pv {}", mode_ == "score" ? number() : 0,
                           move.is_none() ? "" : record::to_usi(move));
    }

    // Spread over the moves by the position's key, so that games differ but can be repeated.
    static shogi::Move choose(const shogi::Position& position) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        if (moves.empty()) return {};
        return moves[base::SplitMix64(position.key() + position.history())() % moves.size()];
    }

    std::string mode_;
    std::string argument_;
    shogi::Position position_ = shogi::Position::even();
    int searches_ = 0;
    bool waiting_ = false;
};

}  // namespace

int main(int argc, char** argv) {
    MockEngine(argc > 1 ? argv[1] : "good", argc > 2 ? argv[2] : "").run();
    return 0;
}
