// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::base {

// Logical processors this process may run on (a container or taskset may grant fewer than the machine has).
int available_cores();

// Keeps the calling thread on the n-th of the processors this process may use.
Result<void> pin_to_core(int n);

// Calls work(index, worker) for every index below count, from `workers` threads including the caller's.
// Indices are handed out one by one, so uneven items balance; make items big enough to be worth a
// shared counter. The first exception stops the handing out and is rethrown here.
template <typename Work>
void parallel_for(std::size_t count, int workers, Work&& work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto run = [&](int worker) {
        try {
            for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1))
                work(i, worker);
        } catch (...) {
            next = count;
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int worker = 1; worker < workers && static_cast<std::size_t>(worker) < count; ++worker)
            threads.emplace_back(run, worker);
        run(0);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tsumugi::base
