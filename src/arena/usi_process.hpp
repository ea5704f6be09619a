// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/process.hpp"
#include "think/option.hpp"

namespace tsumugi::arena {

// A conversation with a program that claims to speak USI. Nothing it does or fails to do can hold up the caller longer
// than his deadline.
class UsiProcess {
public:
    // How waiting for a certain answer ended.
    struct Answer {
        enum class Kind { line, timeout, ended, stopped };
        Kind kind = Kind::ended;
        std::string text;  // what follows the awaited word
        base::Clock::time_point arrived = {};

        [[nodiscard]] bool ok() const { return kind == Kind::line; }
    };
    using Listener = std::function<void(std::string_view line)>;

    static base::Result<std::unique_ptr<UsiProcess>> start(base::Command command);
    // Asks it to quit, then makes it.
    ~UsiProcess();
    UsiProcess(const UsiProcess&) = delete;
    UsiProcess& operator=(const UsiProcess&) = delete;

    // False when the program does not listen any more.
    bool send(std::string_view line);
    // Reads until a line begins with the word; the lines before it go to the listener.
    Answer wait_for(std::string_view word, base::Deadline deadline, const Listener& other = {},
                    const std::stop_token& stop = {});

    // `usi` up to `usiok`, after which name, author and options are known.
    base::Result<void> greet(base::Deadline deadline);
    // `isready` up to `readyok`.
    base::Result<void> get_ready(base::Deadline deadline);
    // `setoption`, if it has such an option and the value is allowed. The general options of USI are set even if the
    // program does not name them.
    base::Result<void> set_option(std::string_view name, std::string_view value);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& author() const { return author_; }
    [[nodiscard]] const think::OptionSet& options() const { return options_; }

    // Why nothing came: how the program ended and the last it said on its error output.
    [[nodiscard]] std::string describe_end();
    void kill() { process_.kill(); }

private:
    explicit UsiProcess(base::Process process) : process_(std::move(process)) {}
    [[nodiscard]] base::Error no_answer(const Answer& answer, std::string_view word);
    void read_greeting(std::string_view line);

    base::Process process_;
    std::string name_;
    std::string author_;
    think::OptionSet options_;
    std::string last_error_line_;
};

}  // namespace tsumugi::arena
