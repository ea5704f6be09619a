// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace tsumugi::base {

namespace {

// The processors allowed to the main thread, which is not changed by pinning another one.
std::vector<int> allowed_cores(pid_t thread) {
    std::vector<int> cores;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(thread, sizeof set, &set) != 0) return cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
    return cores;
}

}  // namespace

int available_cores() {
    // More than 1,024 processors do not fit the set; then the library's count is as good as any.
    const std::size_t allowed = allowed_cores(::getpid()).size();
    return allowed > 0 ? static_cast<int>(allowed) : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Result<void> pin_to_core(int n) {
    const std::vector<int> cores = allowed_cores(::getpid());
    if (n < 0 || static_cast<std::size_t>(n) >= cores.size())
        return Error{Error::Code::range,
                     "no core number " + std::to_string(n) + ": this process may use " + std::to_string(cores.size())};
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cores[static_cast<std::size_t>(n)]), &set);
    if (const int problem = ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set); problem != 0)
        return Error{Error::Code::io,
                     "cannot pin to core " + std::to_string(n) + ": " + std::generic_category().message(problem)};
    return {};
}

}  // namespace tsumugi::base
