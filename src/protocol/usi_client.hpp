// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/engine_channel.hpp"
#include "think/player.hpp"

namespace tsumugi::protocol {

// A USI engine behind pipes, or on another machine, as a player. Programs crash, hang and talk nonsense: whatever they
// do, every call here returns, and failure() says what happened.
class UsiClient : public think::Player {
public:
    struct Settings {
        base::Command command;
        // How to reach the engine, where it is not a process of this machine; called for every start.
        std::function<base::Result<std::unique_ptr<EngineChannel>>()> connect = {};
        std::chrono::milliseconds handshake = std::chrono::seconds(10);  // from `usi` to `usiok`
        std::chrono::milliseconds loading =
            std::chrono::seconds(60);  // from `isready` to `readyok`, or between signs of life
        std::chrono::milliseconds stopping = std::chrono::seconds(3);  // from `stop` to `bestmove`
        std::chrono::milliseconds overtime =
            std::chrono::seconds(5);  // beyond what the clock allows before it is told to stop
        // The same when only nodes or depth bind it, which may honestly take long.
        std::optional<std::chrono::milliseconds> longest_think = {};
        std::function<void(char direction, std::string_view line)> log = {};  // '>' to the engine, '<' from it
    };

    struct Failure {
        enum class Kind {
            crash,         // it ended, or closed its pipes
            timeout,       // it did not answer in time, and was killed
            illegal_move,  // it answered something that cannot be played; it still runs
        };
        Kind kind = Kind::crash;
        std::string text;
        std::optional<shogi::Move> move;  // that is illegal, if it was a move at all
    };

    // Starts the program and lets it introduce itself.
    static base::Result<std::unique_ptr<UsiClient>> start(Settings settings);
    // Asks it to quit, and ends it if it does not.
    ~UsiClient() override;

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::string author() const override { return author_; }
    // Changes reach the engine before it next gets ready or thinks.
    think::OptionSet& options() override { return options_; }

    base::Result<void> prepare() override;
    void new_game() override;
    // Resigns after a failure, and at once while the engine is not running.
    think::Answer think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                        std::stop_token stop) override;
    void game_over(think::GameResult result) override;

    // What went wrong in the last call, if anything did.
    [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
    [[nodiscard]] bool is_running() const { return channel_ != nullptr; }
    // Starts the program anew with the options set so far. prepare() has to follow.
    base::Result<void> restart();

private:
    explicit UsiClient(Settings settings) : settings_(std::move(settings)) {}

    // A line that the engine said, or why there will be none.
    enum class Heard { line, nothing, end };
    Heard read(std::string& line, base::Deadline deadline);
    // Waits for a line that starts with `word`; `use` gets the others. With `patient`, any line extends the wait.
    bool wait_for(std::string_view word, std::chrono::milliseconds time, bool patient,
                  const std::function<void(std::string_view)>& use);
    void send(std::string_view line);
    void send_options();
    void fail(Failure::Kind kind, std::string text);
    void introduce(std::string_view line);
    think::Answer listen(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                         const std::stop_token& stop);
    think::Answer accept(std::string_view line, const shogi::Position& position);

    Settings settings_;
    std::unique_ptr<EngineChannel> channel_;  // none while the engine is not running
    std::mutex writing_;                      // stops and ponder hits come from other threads
    std::string name_;
    std::string author_;
    think::OptionSet options_;
    std::map<std::string, std::string> sent_;  // values the engine has
    std::map<std::string, int> pressed_;       // buttons to press
    std::optional<Failure> failure_;
};

}  // namespace tsumugi::protocol
