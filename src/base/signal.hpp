// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <signal.h>

#include <memory>
#include <stop_token>
#include <thread>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace tsumugi::base {

// Turns Ctrl-C (SIGINT) and SIGTERM into a stop request while it lives, so that long work can save itself
// and end. A second signal ends the program at once, in case the work does not listen.
//
// The signals are blocked and a thread waits for them: no handler, and thus no global state. Create it
// before other threads, which inherit the blocking; children started by base::Process do not.
class Interrupt {
public:
    static Result<std::unique_ptr<Interrupt>> watch();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
    [[nodiscard]] bool requested() const { return stop_.stop_requested(); }

private:
    Interrupt(Descriptor signals, Descriptor wake, const sigset_t& before);
    void wait_for_signals();

    Descriptor signals_;
    Descriptor wake_;  // becomes readable when the watcher shall end
    sigset_t before_;
    std::stop_source stop_;
    std::jthread watcher_;
};

}  // namespace tsumugi::base
