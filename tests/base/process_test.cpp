// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <set>
#include <thread>

#include "base/signal.hpp"
#include "base/text.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::base {
namespace {

using namespace std::chrono_literals;
using Kind = Process::Line::Kind;
using testing::HasSubstr;

Command mock(std::vector<std::string> words) {
    Command command;
    command.words = std::move(words);
    command.words.insert(command.words.begin(), TSUMUGI_MOCK_DIR "/base_mock_child");
    return command;
}

Process start(const Command& command) {
    Result<Process> process = Process::start(command);
    if (!process) throw std::runtime_error(process.error().message);
    return std::move(*process);
}

// Generous: only a broken implementation or a stuck machine reaches it.
Deadline soon() { return Deadline::after(20s); }

std::string next_text(Process& process) {
    const Process::Line line = process.read_line(soon());
    EXPECT_EQ(line.kind, Kind::text);
    return line.text;
}

// A killed process may stay a zombie until its new parent collects it; that counts as gone.
bool is_running(pid_t id) {
    std::ifstream file("/proc/" + std::to_string(id) + "/stat");
    std::string text;
    if (!std::getline(file, text)) return false;
    const auto state = text.find_last_of(')') + 2;
    return text.size() > state && text[state] != 'Z' && text[state] != 'X';
}

TEST(Process, AnswersLineByLine) {
    Process process = start(mock({"echo"}));
    for (const char* text : {"usi", "", "position startpos", "歩"}) {
        ASSERT_TRUE(process.write(std::string(text) + "\n", soon()));
        EXPECT_EQ(next_text(process), text);
    }
    process.close_input();
    EXPECT_EQ(process.read_line(soon()).kind, Kind::end);
    const auto status = process.wait(soon());
    ASSERT_TRUE(status);
    EXPECT_TRUE(status->success());
    EXPECT_EQ(status->describe(), "exited with code 0");
}

TEST(Process, ReportsTheExitCode) {
    Process process = start(mock({"exit", "3"}));
    EXPECT_EQ(process.read_line(soon()).kind, Kind::end);
    EXPECT_EQ(process.wait(soon())->describe(), "exited with code 3");
    EXPECT_EQ(process.wait(soon())->number, 3) << "asking again gives the same answer";
}

TEST(Process, ReportsACrashInWordsAfterItsLastLine) {
    Process process = start(mock({"crash"}));
    EXPECT_EQ(next_text(process), "about to crash");
    EXPECT_EQ(process.read_line(soon()).kind, Kind::end);
    EXPECT_EQ(process.wait(soon())->describe(), "killed by signal 11 (Segmentation fault)");
}

TEST(Process, WaitsNoLongerThanTheDeadlineForALateAnswer) {
    Process process = start(mock({"answer-late", "300"}));
    const Stopwatch watch;
    EXPECT_EQ(process.read_line(Deadline::after(30ms)).kind, Kind::timeout);
    EXPECT_GE(watch.milliseconds(), 30ms);
    EXPECT_EQ(process.wait(Deadline::after(0ms)), std::nullopt);
    EXPECT_EQ(next_text(process), "late");
}

TEST(Process, SplitsLineEndsOfBothKindsAndKeepsAnUnfinishedLastLine) {
    Process process = start(mock({"no-final-newline"}));
    EXPECT_EQ(next_text(process), "first");
    EXPECT_EQ(next_text(process), "last");
    EXPECT_EQ(process.read_line(soon()).kind, Kind::end);
}

TEST(Process, KillsAChildThatIgnoresPoliteRequests) {
    Process process = start(mock({"hang"}));
    EXPECT_EQ(next_text(process), "hanging");
    const ExitStatus status = process.finish(50ms);
    EXPECT_EQ(status.kind, ExitStatus::Kind::signaled);
    EXPECT_EQ(status.number, SIGKILL);
    process.kill();
}

TEST(Process, TakesNoHarmFromAFlood) {
    Process process = start(mock({"flood"}));
    for (long i = 0; i < 200000; ++i)
        ASSERT_EQ(next_text(process), "line " + std::to_string(i));
}

TEST(Process, CutsLinesThatNeverEnd) {
    Command command = mock({"one-long-line", "5000000"});
    command.longest_line = 1000;
    Process process = start(command);
    EXPECT_EQ(next_text(process), std::string(1000, 'x'));
    EXPECT_EQ(next_text(process), "after");
    EXPECT_EQ(process.read_line(soon()).kind, Kind::end);
}

TEST(Process, LeavesALineOfExactlyTheLimitWhole) {
    Command command = mock({"one-long-line", "1000"});
    command.longest_line = 1000;
    Process process = start(command);
    EXPECT_EQ(next_text(process), std::string(1000, 'x'));
    EXPECT_EQ(next_text(process), "after");
}

TEST(Process, GivesUpWritingToAChildThatDoesNotRead) {
    Process process = start(mock({"deaf"}));
    const auto written = process.write(std::string(10'000'000, 'x'), Deadline::after(50ms));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, Error::Code::limit);
}

TEST(Process, SurvivesWritingToAClosedPipe) {
    Process process = start(mock({"close-pipes"}));
    EXPECT_EQ(process.read_line(soon()).kind, Kind::end);
    EXPECT_EQ(process.wait(Deadline::after(0ms)), std::nullopt) << "closing its pipes is not ending";
    const auto written = process.write("hello\n", soon());
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, Error::Code::io);
    sigset_t pending;
    ::sigpending(&pending);
    EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
    process.close_input();
    EXPECT_FALSE(process.write("hello\n", soon()));
}

TEST(Process, KillsWhatTheChildLeftRunning) {
    Process process = start(mock({"leave-grandchild"}));
    const auto grandchild = parse_number<pid_t>(next_text(process));
    ASSERT_TRUE(grandchild);
    EXPECT_TRUE(is_running(*grandchild));
    EXPECT_EQ(process.wait(soon())->number, 7);
    const Deadline deadline = soon();
    while (is_running(*grandchild) && !deadline.passed())
        std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(is_running(*grandchild));
}

TEST(Process, IsKilledWhenTheObjectGoes) {
    pid_t id = 0;
    {
        const Process process = start(mock({"deaf"}));
        id = process.id();
        EXPECT_TRUE(is_running(id));
    }
    EXPECT_FALSE(is_running(id));
}

TEST(Process, RunsInTheGivenFolderAndEnvironment) {
    const test::TempFolder folder;
    Command command = mock({"print-folder"});
    command.folder = folder.path();
    Process in_folder = start(command);
    EXPECT_EQ(next_text(in_folder), std::filesystem::canonical(folder.path()).string());

    command = mock({"print-variable", "TSUMUGI_TEST_VARIABLE"});
    command.environment = {{"TSUMUGI_TEST_VARIABLE", "a b=c"}};
    Process with_variable = start(command);
    EXPECT_EQ(next_text(with_variable), "a b=c");

    command = mock({"print-variable", "PATH"});
    command.environment = {{"PATH", "replaced"}};
    Process with_path = start(command);
    EXPECT_EQ(next_text(with_path), "replaced");
}

TEST(Process, FindsRelativeProgramsFromOurFolder) {
    const test::TempFolder folder;
    Command command = mock({"exit", "5"});
    command.words[0] = std::filesystem::relative(command.words[0]).string();
    if (command.words[0].find('/') == std::string::npos) command.words[0] = "./" + command.words[0];
    command.folder = folder.path();
    Process process = start(command);
    EXPECT_EQ(process.wait(soon())->number, 5);
}

TEST(Process, SaysWhyAProgramCannotStart) {
    EXPECT_THAT(Process::start({.words = {"/no/such/program"}}).error().message,
                testing::AllOf(HasSubstr("/no/such/program"), HasSubstr("No such file")));
    EXPECT_THAT(Process::start({.words = {"no-such-program-in-path"}}).error().message, HasSubstr("No such file"));
    EXPECT_FALSE(Process::start({}).ok());
    Command command = mock({"echo"});
    command.folder = "/no/such/folder";
    EXPECT_THAT(Process::start(command).error().message, HasSubstr("no folder /no/such/folder"));
}

TEST(Process, TellsOutputFromErrors) {
    Command command = mock({"write-errors"});
    command.errors = Command::Errors::capture;
    Process process = start(command);
    std::set<std::pair<Process::Stream, std::string>> seen;
    for (;;) {
        const auto line = process.read_line(soon());
        ASSERT_NE(line.kind, Kind::timeout);
        if (line.kind == Kind::end) break;
        seen.insert({line.stream, line.text});
    }
    EXPECT_EQ(seen, (std::set<std::pair<Process::Stream, std::string>>{{Process::Stream::output, "to output"},
                                                                       {Process::Stream::errors, "to errors"}}));
}

TEST(Process, DiscardsErrorsOnRequest) {
    Command command = mock({"write-errors"});
    command.errors = Command::Errors::discard;
    Process process = start(command);
    EXPECT_EQ(next_text(process), "to output");
    EXPECT_EQ(process.read_line(soon()).kind, Kind::end);
}

TEST(Process, StartsWithNoSignalBlocked) {
    const auto interrupt = Interrupt::watch();
    ASSERT_TRUE(interrupt);
    Process process = start(mock({"print-blocked-signals"}));
    EXPECT_EQ(next_text(process), "0");
}

TEST(Process, IsReadWrittenAndKilledByDifferentThreads) {
    for (int round = 0; round < 10; ++round) {
        Process process = start(mock({"echo"}));
        std::jthread writer([&process] {
            while (process.write("ping\n", soon())) {
            }
        });
        std::jthread killer([&process] {
            std::this_thread::sleep_for(5ms);
            process.kill();
        });
        Process::Line line;
        do {
            line = process.read_line(soon());
        } while (line.kind == Kind::text);
        EXPECT_EQ(line.kind, Kind::end);
        EXPECT_EQ(process.wait(soon())->number, SIGKILL);
    }
}

TEST(Process, LeaksNoDescriptors) {
    const auto count = [] {
        std::size_t open = 0;
        for (int number = 0; number < 256; ++number)
            open += ::fcntl(number, F_GETFD) >= 0;
        return open;
    };
    const std::size_t before = count();
    for (int i = 0; i < 5; ++i) {
        Command command = mock({"exit", "0"});
        command.errors = Command::Errors::capture;
        Process process = start(command);
        EXPECT_TRUE(process.wait(soon())->success());
        EXPECT_FALSE(Process::start({.words = {"/no/such/program"}}).ok());
    }
    EXPECT_EQ(count(), before);
}

TEST(Interrupt, TurnsASignalIntoAStopRequest) {
    for (const int signal : {SIGINT, SIGTERM}) {
        Process process = start(mock({"wait-for-interrupt"}));
        EXPECT_EQ(next_text(process), "watching");
        process.kill(signal);
        EXPECT_EQ(next_text(process), "stopping");
        EXPECT_EQ(process.wait(soon())->describe(), "exited with code 42");
    }
}

TEST(Interrupt, EndsAProgramThatDoesNotListenAtTheSecondSignal) {
    Process process = start(mock({"wait-for-interrupt", "stubborn"}));
    EXPECT_EQ(next_text(process), "watching");
    process.kill(SIGINT);
    EXPECT_EQ(next_text(process), "stopping");
    process.kill(SIGINT);
    EXPECT_EQ(process.wait(soon())->number, SIGINT);
}

TEST(Interrupt, RestoresTheSignalsWhenItGoes) {
    const auto blocked = [] {
        sigset_t set;
        ::pthread_sigmask(SIG_BLOCK, nullptr, &set);
        return ::sigismember(&set, SIGINT) == 1;
    };
    EXPECT_FALSE(blocked());
    {
        const auto interrupt = Interrupt::watch();
        ASSERT_TRUE(interrupt);
        EXPECT_TRUE(blocked());
        EXPECT_FALSE((*interrupt)->requested());
    }
    EXPECT_FALSE(blocked());
}

}  // namespace
}  // namespace tsumugi::base
