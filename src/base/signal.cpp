// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/signal.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <tuple>

namespace tsumugi::base {

namespace {

sigset_t watched_signals() {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGINT);
    ::sigaddset(&set, SIGTERM);
    return set;
}

// Ends the program as if the signal had never been caught, so that the parent sees the right status.
void die_of(int number) {
    ::signal(number, SIG_DFL);
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, number);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(number);
}

}  // namespace

Result<std::unique_ptr<Interrupt>> Interrupt::watch() {
    const sigset_t set = watched_signals();
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &set, &before);
    Descriptor signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    Descriptor wake(::eventfd(0, EFD_CLOEXEC));
    if (!signals.open() || !wake.open()) {
        const Error error = system_error("cannot watch for Ctrl-C");
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return error;
    }
    return std::unique_ptr<Interrupt>(new Interrupt(std::move(signals), std::move(wake), before));
}

Interrupt::Interrupt(Descriptor signals, Descriptor wake, const sigset_t& before)
    : signals_(std::move(signals)), wake_(std::move(wake)), before_(before), watcher_([this] { wait_for_signals(); }) {}

Interrupt::~Interrupt() {
    const std::uint64_t one = 1;
    std::ignore = ::write(wake_.number(), &one, sizeof one);
    watcher_.join();
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interrupt::wait_for_signals() {
    std::array<pollfd, 2> wanted{{{signals_.number(), POLLIN, 0}, {wake_.number(), POLLIN, 0}}};
    for (;;) {
        if (::poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return;
        signalfd_siginfo info{};
        if (::read(signals_.number(), &info, sizeof info) == sizeof info && !stop_.request_stop())
            die_of(static_cast<int>(info.ssi_signo));
        if ((wanted[1].revents & POLLIN) != 0) return;
    }
}

}  // namespace tsumugi::base
