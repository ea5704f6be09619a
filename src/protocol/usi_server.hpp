// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/job_queue.hpp"
#include "protocol/line_writer.hpp"
#include "shogi/position.hpp"
#include "think/player.hpp"

namespace tsumugi::protocol {

// Lets a player be used over USI. The thread that calls run() reads; everything that may take time (loading, thinking,
// counting) is done in order by a second thread, so `stop` and `quit` are always heard.
class UsiServer {
public:
    // What a command of the console gets to work with.
    struct Call {
        std::string_view arguments;
        const shogi::Position& position;
        std::function<void(std::string_view)> print;  // one line
    };
    // An extra command for people, e.g. `bench`.
    struct ConsoleCommand {
        std::string name;
        std::string help;
        std::function<void(const Call&)> run;
    };
    struct Settings {
        // Options of the player that a file sets each time before it gets ready; read if it exists.
        std::filesystem::path options_file = "engine_options.txt";
        // GUIs give up on an engine that is silent for long, so a blank line is sent now and then while it loads.
        std::chrono::milliseconds keep_alive = std::chrono::seconds(5);
    };
    // The next line of input, or nothing at its end.
    using Source = std::function<std::optional<std::string>()>;

    UsiServer(think::Player& player, LineWriter& output, Settings settings);
    UsiServer(think::Player& player, LineWriter& output) : UsiServer(player, output, Settings{}) {}
    ~UsiServer();

    void add_command(ConsoleCommand command) { console_.push_back(std::move(command)); }

    // Serves until `quit` or the end of the input, and returns when all work has ended. Searches are stopped then,
    // commands of the console are finished.
    void run(const Source& next_line);

private:
    struct Handler {
        std::string_view name;
        std::string_view help;
        void (UsiServer::*run)(std::string_view arguments);
    };
    // A `go` that has not been answered yet.
    struct Search {
        std::stop_source stop;
        std::shared_ptr<think::PonderSignal> ponder;
    };

    static std::span<const Handler> handlers();
    // False when the conversation is over.
    bool handle(std::string_view line);

    void usi(std::string_view arguments);
    void isready(std::string_view arguments);
    void setoption(std::string_view arguments);
    void usinewgame(std::string_view arguments);
    void position(std::string_view arguments);
    void go(std::string_view arguments);
    void ponderhit(std::string_view arguments);
    void stop(std::string_view arguments);
    void gameover(std::string_view arguments);
    void print_board(std::string_view arguments);
    void print_moves(std::string_view arguments);
    void perft(std::string_view arguments);
    void getoption(std::string_view arguments);
    void help(std::string_view arguments);

    // These run on the second thread.
    void prepare();
    void set_option(std::string_view name, std::string_view value);
    void read_options_file();
    void think(Search& search, const shogi::Position& root, const think::Limits& limits);
    std::string answer_to(const Search& search, const shogi::Position& root, const think::Limits& limits);

    void start_search(const think::Limits& limits);
    void count_leaves(int depth);
    void stop_searches();

    think::Player& player_;
    LineWriter& output_;
    const Settings settings_;
    std::vector<ConsoleCommand> console_;
    shogi::Position position_ = shogi::Position::even();  // of the reading thread
    bool prepared_ = false;                               // of the working thread

    std::mutex options_mutex_;  // `usi` may be asked while options are being set
    std::mutex searches_mutex_;
    std::vector<std::shared_ptr<Search>> searches_;  // running or waiting
    std::unique_ptr<JobQueue> jobs_;
};

}  // namespace tsumugi::protocol
