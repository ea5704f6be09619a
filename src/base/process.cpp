// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <tuple>

namespace tsumugi::base {

namespace {

struct Pipe {
    Descriptor read;
    Descriptor write;
};

// Both ends above the standard streams: if this process was started with some of those closed, a pipe in
// their place would be overwritten while the child's streams are arranged.
Result<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("cannot make a pipe");
    const Descriptor low_read(ends[0]);
    const Descriptor low_write(ends[1]);
    Pipe pipe{Descriptor(::fcntl(ends[0], F_DUPFD_CLOEXEC, 3)), Descriptor(::fcntl(ends[1], F_DUPFD_CLOEXEC, 3))};
    if (!pipe.read.open() || !pipe.write.open()) return system_error("cannot make a pipe");
    return pipe;
}

bool set_nonblocking(const Descriptor& file) {
    const int flags = ::fcntl(file.number(), F_GETFL);
    return flags >= 0 && ::fcntl(file.number(), F_SETFL, flags | O_NONBLOCK) == 0;
}

// Ours with the changes applied, as NAME=VALUE.
std::vector<std::string> child_environment(const Command& command) {
    std::vector<std::string> result;
    const auto replaced = [&command](std::string_view entry) {
        const auto name = entry.substr(0, entry.find('='));
        return std::any_of(command.environment.begin(), command.environment.end(),
                           [name](const auto& change) { return change.first == name; });
    };
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (!replaced(*entry)) result.emplace_back(*entry);
    for (const auto& [name, value] : command.environment)
        result.push_back(name + "=" + value);
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (auto& string : strings)
        result.push_back(string.data());
    result.push_back(nullptr);
    return result;
}

// The attributes and file actions of posix_spawn, freed together.
class SpawnPlan {
public:
    SpawnPlan() {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
        // Signals as in a fresh program: none blocked (see base/signal.hpp), none ignored.
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &all);
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        ::posix_spawnattr_setflags(&attributes_,
                                   POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    void connect(const Descriptor& file, int as) { ::posix_spawn_file_actions_adddup2(&actions_, file.number(), as); }
    void discard(int stream) { ::posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_WRONLY, 0); }
    void enter(const std::filesystem::path& folder) {
        ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    }

    // The id of the child, or an Error with the reason. posix_spawn does not copy this process's memory map,
    // which fork would do and which takes long beside a big transposition table.
    Result<pid_t> spawn(std::vector<std::string> words, std::vector<std::string> environment) const {
        pid_t id = 0;
        const int problem = ::posix_spawnp(&id, words[0].c_str(), &actions_, &attributes_, pointers(words).data(),
                                           pointers(environment).data());
        if (problem == 0) return id;
        return Error{Error::Code::io, std::generic_category().message(problem)};
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

// Blocks SIGPIPE in this thread for one write and takes back the one the write may have raised, so that the
// rest of the program keeps whatever it has decided about that signal.
class PipeSignalGuard {
public:
    PipeSignalGuard() {
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        was_pending_ = pending();
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~PipeSignalGuard() {
        if (!was_pending_ && pending()) {
            const timespec at_once{};
            while (::sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
            }
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    PipeSignalGuard(const PipeSignalGuard&) = delete;
    PipeSignalGuard& operator=(const PipeSignalGuard&) = delete;

private:
    static bool pending() {
        sigset_t set;
        ::sigemptyset(&set);
        ::sigpending(&set);
        return ::sigismember(&set, SIGPIPE) == 1;
    }

    sigset_t pipe_{};
    sigset_t before_{};
    bool was_pending_ = false;
};

}  // namespace

std::string ExitStatus::describe() const {
    if (kind == Kind::exited) return fmt::format("exited with code {}", number);
    if (kind == Kind::unknown) return "ended in an unknown way";
    const char* name = ::sigdescr_np(number);
    return fmt::format("killed by signal {} ({})", number, name != nullptr ? name : "unknown");
}

Result<Process> Process::start(const Command& command) {
    if (command.words.empty() || command.words[0].empty())
        return Error{Error::Code::syntax, "no program to start was named"};
    std::vector<std::string> words = command.words;
    const auto failed = [&command](const Error& error) { return error.in("cannot start " + command.words[0]); };
    if (words[0].find('/') != std::string::npos) {
        std::error_code problem;
        words[0] = std::filesystem::absolute(words[0], problem).string();
    }
    // posix_spawn reports a missing folder and a missing program alike; tell them apart here.
    if (std::error_code problem; !command.folder.empty() && !std::filesystem::is_directory(command.folder, problem))
        return failed({Error::Code::io, "there is no folder " + command.folder.string()});

    Result<Pipe> input = make_pipe();
    Result<Pipe> output = make_pipe();
    Result<Pipe> errors = command.errors == Command::Errors::capture ? make_pipe() : Pipe{};
    for (const Result<Pipe>* pipe : {&input, &output, &errors})
        if (!*pipe) return failed(pipe->error());

    SpawnPlan plan;
    plan.connect(input->read, STDIN_FILENO);
    plan.connect(output->write, STDOUT_FILENO);
    if (command.errors == Command::Errors::capture) plan.connect(errors->write, STDERR_FILENO);
    if (command.errors == Command::Errors::discard) plan.discard(STDERR_FILENO);
    if (!command.folder.empty()) plan.enter(command.folder);
    const Result<pid_t> id = plan.spawn(std::move(words), child_environment(command));
    if (!id) return failed(id.error());

    Process process(*id, std::move(input->write), std::move(output->read), std::move(errors->read),
                    std::max<std::size_t>(command.longest_line, 1));
    for (const Descriptor* pipe : {&process.input_, &process.sources_[0].pipe, &process.sources_[1].pipe})
        if (pipe->open() && !set_nonblocking(*pipe)) return failed(system_error("cannot set up its pipes"));
    return process;
}

Process::Process(pid_t id, Descriptor input, Descriptor output, Descriptor errors, std::size_t longest_line)
    : state_(std::make_unique<State>()), input_(std::move(input)), longest_line_(longest_line) {
    state_->id = id;
    sources_[0].pipe = std::move(output);
    sources_[1].pipe = std::move(errors);
}

Process::~Process() {
    if (!state_) return;  // moved from
    kill();
    std::ignore = wait(Deadline::never());
}

std::optional<Process::Line> Process::take_line(Stream stream) {
    Source& source = sources_[static_cast<std::size_t>(stream)];
    for (;;) {
        const std::size_t end = source.buffer.find('\n', source.searched);
        const std::size_t waiting = source.buffer.size() - source.taken;
        const bool complete = end != std::string::npos;
        const bool last = !complete && !source.pipe.open() && waiting > 0;
        const bool overlong = !complete && waiting > longest_line_;
        if (!complete && !last && !overlong) {
            source.searched = source.buffer.size();
            return std::nullopt;
        }
        const std::size_t stop = complete ? end : source.buffer.size();
        std::string text = source.buffer.substr(source.taken, stop - source.taken);
        source.taken = source.searched = complete ? stop + 1 : stop;
        const bool dropped = std::exchange(source.dropping, overlong);
        if (dropped) continue;
        if (text.ends_with('\r')) text.pop_back();
        if (text.size() > longest_line_) text.resize(longest_line_);
        return Line{Line::Kind::text, stream, std::move(text)};
    }
}

// One read: what is not read stays in the pipe, and a full pipe makes the child wait.
void Process::receive(Stream stream) {
    Source& source = sources_[static_cast<std::size_t>(stream)];
    source.buffer.erase(0, source.taken);
    source.searched -= std::exchange(source.taken, 0);
    std::array<char, 65536> chunk;
    const ssize_t count = ::read(source.pipe.number(), chunk.data(), chunk.size());
    if (count > 0)
        source.buffer.append(chunk.data(), static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        source.pipe.close();
}

Process::Line Process::read_line(Deadline deadline) {
    for (;;) {
        std::array<pollfd, 2> wanted{};
        nfds_t open = 0;
        for (const Stream stream : {Stream::output, Stream::errors}) {
            if (auto line = take_line(stream)) return std::move(*line);
            const Source& source = sources_[static_cast<std::size_t>(stream)];
            // poll ignores negative descriptors.
            wanted[static_cast<std::size_t>(stream)] = {source.pipe.number(), POLLIN, 0};
            if (source.pipe.open()) ++open;
        }
        if (open == 0) return {Line::Kind::end, Stream::output, {}};
        const int ready = ::poll(wanted.data(), wanted.size(), deadline.poll_timeout());
        if (ready == 0 && deadline.passed()) return {Line::Kind::timeout, Stream::output, {}};
        for (const Stream stream : {Stream::output, Stream::errors})
            if (ready > 0 && wanted[static_cast<std::size_t>(stream)].revents != 0) receive(stream);
    }
}

Result<void> Process::write(std::string_view text, Deadline deadline) {
    const PipeSignalGuard guard;
    while (!text.empty()) {
        if (!input_.open()) return Error{Error::Code::io, "its input is closed"};
        const ssize_t count = ::write(input_.number(), text.data(), text.size());
        if (count >= 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN) return system_error("cannot write to the process");
        pollfd wanted{input_.number(), POLLOUT, 0};
        if (::poll(&wanted, 1, deadline.poll_timeout()) == 0 && deadline.passed())
            return Error{Error::Code::limit, "the process does not read its input"};
    }
    return {};
}

void Process::close_input() { input_.close(); }

void Process::kill(int signal) {
    const std::lock_guard lock(state_->mutex);
    // Once reaped, the id may belong to somebody else.
    if (!state_->status) ::kill(-state_->id, signal);
}

void Process::kill() { kill(SIGKILL); }

std::optional<ExitStatus> Process::reap() {
    const std::lock_guard lock(state_->mutex);
    if (state_->status) return state_->status;
    // Look without reaping first: while the child is a zombie its group id cannot be given away, so it is
    // safe to kill what it left behind.
    siginfo_t info{};
    const int problem = ::waitid(P_PID, static_cast<id_t>(state_->id), &info, WEXITED | WNOHANG | WNOWAIT);
    if (problem != 0 && errno == ECHILD) return state_->status = ExitStatus{ExitStatus::Kind::unknown, 0};
    if (problem != 0 || info.si_pid == 0) return std::nullopt;
    ::kill(-state_->id, SIGKILL);
    int status = 0;
    while (::waitpid(state_->id, &status, 0) < 0 && errno == EINTR) {
    }
    state_->status = WIFSIGNALED(status) ? ExitStatus{ExitStatus::Kind::signaled, WTERMSIG(status)}
                                         : ExitStatus{ExitStatus::Kind::exited, WEXITSTATUS(status)};
    return state_->status;
}

std::optional<ExitStatus> Process::wait(Deadline deadline) {
    // Waiting in steps keeps the lock free for kill(), and needs no signal handler.
    for (auto step = std::chrono::microseconds(50);; step = std::min(step * 2, std::chrono::microseconds(5000))) {
        if (auto status = reap()) return status;
        if (deadline.passed()) return std::nullopt;
        std::this_thread::sleep_for(std::min<Clock::duration>(step, deadline.remaining()));
    }
}

ExitStatus Process::finish(std::chrono::milliseconds patience) {
    close_input();
    if (const auto status = wait(Deadline::after(patience))) return *status;
    kill(SIGTERM);
    if (const auto status = wait(Deadline::after(patience))) return *status;
    kill();
    return *wait(Deadline::never());
}

}  // namespace tsumugi::base
