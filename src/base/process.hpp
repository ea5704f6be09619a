// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace tsumugi::base {

// What to run and how.
struct Command {
    enum class Errors { inherit, capture, discard };

    // The program and its arguments. A name without '/' is looked up in PATH; a relative path counts from
    // the folder of this process, not from `folder`.
    std::vector<std::string> words = {};
    std::filesystem::path folder = {};                                  // empty: the same as ours
    std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours, or replacing
    Errors errors = Errors::inherit;                                    // what happens to its standard error
    std::size_t longest_line = std::size_t{1} << 20;  // bytes kept of a line; the rest of it is dropped
};

// How a child ended.
struct ExitStatus {
    // Unknown when another part of the program collected or ignores ended children.
    enum class Kind { exited, signaled, unknown };

    Kind kind = Kind::exited;
    int number = 0;  // the exit code or the signal

    [[nodiscard]] bool success() const { return kind == Kind::exited && number == 0; }
    // "exited with code 3", "killed by signal 11 (Segmentation fault)".
    [[nodiscard]] std::string describe() const;
};

// A child process with pipes to its standard input and output. It leads a process group of its own, and the
// whole group is killed when the object goes: a child that hangs, or that leaves children, stays no longer.
//
// One thread may read while another writes; kill() and wait() may be called from any.
class Process {
public:
    enum class Stream { output, errors };

    struct Line {
        enum class Kind { text, timeout, end };
        Kind kind = Kind::end;
        Stream stream = Stream::output;
        std::string text;  // without the line end (LF or CRLF)
    };

    static Result<Process> start(const Command& command);

    Process(Process&&) = default;
    Process& operator=(Process&&) = delete;
    ~Process();

    // The next line of its output (and standard error, if captured), waiting for it at most until the
    // deadline. `end` once all is read and the child has closed its side; a last line without a line end
    // comes before that. Reading is never ahead by more than a buffer: a child that floods waits for us.
    Line read_line(Deadline deadline);

    // Writes all of it, or says why not: the child closed its input, or does not read and the deadline
    // passed (then a part may have been written). Never raises SIGPIPE.
    Result<void> write(std::string_view text, Deadline deadline);
    void close_input();

    // Sends a signal to the whole group; nothing happens after the end of the child.
    void kill(int signal);
    void kill();  // SIGKILL

    // The exit status, waiting at most until the deadline. What the child left running in its group is killed.
    std::optional<ExitStatus> wait(Deadline deadline);

    // Closes its input, waits that long, asks with SIGTERM, waits again, kills. Always returns the status.
    ExitStatus finish(std::chrono::milliseconds patience);

    [[nodiscard]] pid_t id() const { return state_->id; }

private:
    // A pipe from the child and what was read from it but not handed out.
    struct Source {
        Descriptor pipe;
        std::string buffer;
        std::size_t taken = 0;     // bytes of the buffer already handed out
        std::size_t searched = 0;  // bytes of the buffer known to hold no line end
        bool dropping = false;     // within the rest of a line that was too long
    };

    // On the heap so that the object can move while threads hold the lock's address.
    struct State {
        std::mutex mutex;
        pid_t id = 0;
        std::optional<ExitStatus> status;
    };

    Process(pid_t id, Descriptor input, Descriptor output, Descriptor errors, std::size_t longest_line);

    std::optional<Line> take_line(Stream stream);
    void receive(Stream stream);
    std::optional<ExitStatus> reap();

    std::unique_ptr<State> state_;
    Descriptor input_;
    std::array<Source, 2> sources_;
    std::size_t longest_line_;
};

}  // namespace tsumugi::base
