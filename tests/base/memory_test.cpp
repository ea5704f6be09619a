// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include "base/clock.hpp"

namespace tsumugi::base {
namespace {

template <typename T>
bool all_zero(std::span<const T> items) {
    return std::all_of(items.begin(), items.end(), [](T item) { return item == 0; });
}

TEST(AlignedArray, StartsZeroedOnACacheLine) {
    for (const std::size_t size : {0U, 1U, 63U, 1000U}) {
        AlignedArray<std::int16_t> array(size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % cache_line, 0U);
        EXPECT_EQ(array.size(), size);
        EXPECT_TRUE(all_zero(std::as_const(array).view()));
        for (std::size_t i = 0; i < size; ++i)
            array[i] = 1;
        const AlignedArray<std::int16_t> moved = std::move(array);
        EXPECT_EQ(std::count(moved.view().begin(), moved.view().end(), 1), static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(array.size(), 0U);
    }
}

TEST(HugeArray, StartsZeroedOnAHugePageAndIsClearedByManyThreads) {
    // More than one chunk of work and no multiple of a page.
    auto array = HugeArray<std::uint64_t>::allocate((std::size_t{40} << 20) / 8 + 3);
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->data()) % huge_page, 0U);
    EXPECT_TRUE(all_zero(std::as_const(*array).view()));
    std::fill(array->view().begin(), array->view().end(), 0xFFFFFFFFFFFFFFFF);
    array->clear(3);
    EXPECT_TRUE(all_zero(std::as_const(*array).view()));
}

TEST(HugeBox, MakesAnObjectOnAHugePage) {
    struct Large {
        std::array<int, 1000> numbers{1, 2, 3};
        int last = 7;
    };
    const HugeBox<Large> box;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&*box) % huge_page, 0U);
    EXPECT_EQ(box->numbers[2], 3);
    EXPECT_EQ(box->last, 7);
    box->last = 8;
    EXPECT_EQ((*box).last, 8);
}

TEST(HugeArray, RefusesWhatNoMachineHas) {
    const auto huge = HugeArray<std::uint64_t>::allocate(std::size_t{1} << 60);
    ASSERT_FALSE(huge);
    EXPECT_EQ(huge.error().code, Error::Code::limit);
    EXPECT_FALSE(HugeArray<std::uint64_t>::allocate(static_cast<std::size_t>(-1)));
    EXPECT_FALSE(HugeArray<char>::allocate(static_cast<std::size_t>(-1)));
    EXPECT_TRUE(HugeArray<char>::allocate(0));
}

TEST(ParallelFor, CallsEveryIndexOnceFromAnyNumberOfThreads) {
    for (const int workers : {1, 2, 7})
        for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
            std::vector<std::atomic<int>> calls(count);
            parallel_for(count, workers, [&](std::size_t i, int worker) {
                EXPECT_GE(worker, 0);
                EXPECT_LT(worker, workers);
                ++calls[i];
            });
            for (const auto& call : calls)
                EXPECT_EQ(call, 1);
        }
}

TEST(ParallelFor, RethrowsAndStopsEarly) {
    std::atomic<int> calls{0};
    EXPECT_THROW(parallel_for(1000000, 2,
                              [&](std::size_t, int) {
                                  if (++calls == 10) throw std::runtime_error("tenth");
                              }),
                 std::runtime_error);
    EXPECT_LT(calls, 1000000);
}

TEST(PinToCore, AcceptsTheCoresOfThisProcessOnly) {
    std::jthread([] {
        EXPECT_TRUE(pin_to_core(0));
        EXPECT_TRUE(pin_to_core(available_cores() - 1)) << "pinning one thread takes no core away from the process";
        EXPECT_FALSE(pin_to_core(available_cores()));
        EXPECT_FALSE(pin_to_core(-1));
    }).join();
}

TEST(Deadline, KnowsPastFutureAndNever) {
    EXPECT_TRUE(Deadline::after(std::chrono::milliseconds(-5)).passed());
    EXPECT_EQ(Deadline::after(std::chrono::milliseconds(-5)).poll_timeout(), 0);
    EXPECT_FALSE(Deadline::after(std::chrono::hours(1)).passed());
    EXPECT_GT(Deadline::after(std::chrono::hours(1)).remaining(), std::chrono::minutes(59));
    EXPECT_FALSE(Deadline::never().passed());
    EXPECT_EQ(Deadline::never().poll_timeout(), -1);
    EXPECT_TRUE(Deadline::after(std::chrono::hours::max()).is_never());
    EXPECT_EQ(Deadline::after(std::chrono::hours(1000000)).poll_timeout(), 1'000'000'000);
}

}  // namespace
}  // namespace tsumugi::base
