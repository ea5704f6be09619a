// SPDX-License-Identifier: GPL-3.0-or-later
// A child process that misbehaves in the way its first argument names; see process_test.cpp.

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "base/signal.hpp"

namespace {

[[noreturn]] void sleep_forever() {
    for (;;)
        ::pause();
}

int echo(const std::string&) {
    for (std::string line; std::getline(std::cin, line);)
        std::cout << line << std::endl;
    return 0;
}

int crash(const std::string&) {
    std::cout << "about to crash" << std::endl;
    // The default action, whatever a sanitizer has installed.
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
    return 0;
}

int hang(const std::string&) {
    ::signal(SIGTERM, SIG_IGN);
    std::cout << "hanging" << std::endl;
    sleep_forever();
}

int flood(const std::string&) {
    for (long i = 0; std::cout; ++i)
        std::cout << "line " << i << '\n';
    return 0;
}

int one_long_line(const std::string& size) {
    std::cout << std::string(std::stoul(size), 'x') << "\nafter" << std::endl;
    return 0;
}

int answer_late(const std::string& milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stol(milliseconds)));
    std::cout << "late" << std::endl;
    return 0;
}

int no_final_newline(const std::string&) {
    std::cout << "first\r\nlast";
    return 0;
}

int close_pipes(const std::string&) {
    ::close(STDIN_FILENO);
    ::close(STDOUT_FILENO);
    sleep_forever();
}

int leave_grandchild(const std::string&) {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) sleep_forever();
    std::cout << grandchild << std::endl;
    return 7;
}

int print_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    std::cout << (value != nullptr ? value : "(unset)") << std::endl;
    return 0;
}

int print_folder(const std::string&) {
    const std::unique_ptr<char, decltype(&std::free)> folder(::getcwd(nullptr, 0), &std::free);
    std::cout << folder.get() << std::endl;
    return 0;
}

int write_errors(const std::string&) {
    std::cout << "to output" << std::endl;
    std::cerr << "to errors" << std::endl;
    return 0;
}

int print_blocked_signals(const std::string&) {
    sigset_t blocked;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    int count = 0;
    for (int number = 1; number < SIGRTMIN; ++number)
        count += ::sigismember(&blocked, number) == 1;
    std::cout << count << std::endl;
    return 0;
}

int wait_for_interrupt(const std::string& mode) {
    const auto interrupt = tsumugi::base::Interrupt::watch();
    if (!interrupt) return 1;
    std::cout << "watching" << std::endl;
    while (!(*interrupt)->requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::cout << "stopping" << std::endl;
    if (mode == "stubborn") sleep_forever();
    return 42;
}

}  // namespace

int main(int count, char** words) {
    const std::map<std::string, std::function<int(const std::string&)>> modes = {
        {"echo", echo},
        {"crash", crash},
        {"hang", hang},
        {"flood", flood},
        {"one-long-line", one_long_line},
        {"answer-late", answer_late},
        {"no-final-newline", no_final_newline},
        {"close-pipes", close_pipes},
        {"leave-grandchild", leave_grandchild},
        {"print-variable", print_variable},
        {"print-folder", print_folder},
        {"write-errors", write_errors},
        {"print-blocked-signals", print_blocked_signals},
        {"wait-for-interrupt", wait_for_interrupt},
        {"exit", [](const std::string& code) { return std::stoi(code); }},
        {"deaf", [](const std::string&) -> int { sleep_forever(); }},
    };
    const auto mode = modes.find(count > 1 ? words[1] : "");
    if (mode == modes.end()) return 99;
    return mode->second(count > 2 ? words[2] : "");
}
