// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/memory.hpp"
#include "base/random.hpp"
#include "learn/train/kernel/choice.hpp"

namespace tsumugi::learn {
namespace {

using Array = base::AlignedArray<float>;

Array random_numbers(std::size_t count, base::Random& random, double low = -1, double high = 1) {
    Array numbers(count);
    for (float& each : numbers.view())
        each = static_cast<float>(low + (high - low) * random.uniform());
    return numbers;
}

Array copy_of(const Array& from) {
    Array to(from.size());
    std::copy(from.view().begin(), from.view().end(), to.view().begin());
    return to;
}

void expect_near(const Array& a, const Array& b, const std::string& what) {
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(a[i], b[i], 1e-5 * (1 + std::abs(b[i]))) << what << ", number " << i;
}

// Calls test(kernel) for every kernel this processor can run.
template <typename Test>
void for_each_kernel(Test&& test) {
    for (const Kernel* kernel : usable_kernels(base::Cpu::detect()))
        test(*kernel);
}

TEST(TrainKernel, AddsRowsAndClipsLikeTheScalarOne) {
    base::Random random(1);
    for (const std::size_t columns : {16U, 32U, 64U}) {
        const Array table = random_numbers(100 * columns, random, -0.3, 0.3);
        const Array bias = random_numbers(columns, random);
        std::vector<std::uint16_t> rows;
        std::vector<std::uint32_t> wide_rows;
        for (int i = 0; i < 40; ++i) {
            rows.push_back(static_cast<std::uint16_t>(random.below(100)));
            wide_rows.push_back(rows.back());
        }
        Array expected(columns);
        scalar_kernel.activate(expected.data(), bias.data(), table.data(), rows.data(), rows.size(), columns);
        Array expected_sum = copy_of(bias);
        scalar_kernel.gather(expected_sum.data(), table.data(), wide_rows.data(), wide_rows.size(), columns);
        for_each_kernel([&](const Kernel& kernel) {
            Array to(columns);
            kernel.activate(to.data(), bias.data(), table.data(), rows.data(), rows.size(), columns);
            expect_near(to, expected, kernel.name);
            Array sum = copy_of(bias);
            kernel.gather(sum.data(), table.data(), wide_rows.data(), wide_rows.size(), columns);
            expect_near(sum, expected_sum, kernel.name);
        });
    }
}

TEST(TrainKernel, MultipliesMatricesOfAllShapesLikeTheScalarOne) {
    base::Random random(2);
    for (const std::size_t rows : {1U, 2U, 7U, 64U})
        for (const std::size_t steps : {1U, 16U, 33U})
            for (const std::size_t columns : {16U, 32U, 48U, 64U, 96U}) {
                const Array a = random_numbers(rows * steps, random);
                const Array b = random_numbers(steps * columns, random);
                const Array start = random_numbers(rows * columns, random);
                for (const bool transposed : {false, true}) {
                    const auto run = [&](const Kernel& kernel) {
                        Array c = copy_of(start);
                        kernel.multiply({c.data(), columns, a.data(), transposed ? 1 : steps, transposed ? rows : 1,
                                         b.data(), columns, rows, steps, columns});
                        return c;
                    };
                    const Array expected = run(scalar_kernel);
                    for_each_kernel([&](const Kernel& kernel) { expect_near(run(kernel), expected, kernel.name); });
                }
            }
}

TEST(TrainKernel, PassesGradientsOnlyWhereNothingWasClipped) {
    base::Random random(3);
    constexpr std::size_t rows = 5;
    constexpr std::size_t columns = 48;
    Array x = random_numbers(rows * columns, random, -0.5, 1.5);
    for (float& each : x.view())
        each = std::clamp(each, 0.0F, 1.0F);
    const Array gradient = random_numbers(rows * columns, random);
    const Array start = random_numbers(columns, random);
    for_each_kernel([&](const Kernel& kernel) {
        Array place = copy_of(x);
        Array sum = copy_of(start);
        kernel.deactivate(place.data(), gradient.data(), sum.data(), rows, columns);
        Array expected_sum = copy_of(start);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const float expected = x[i] > 0 && x[i] < 1 ? gradient[i] : 0;
            ASSERT_EQ(place[i], expected) << kernel.name;
            expected_sum[i % columns] += expected;
        }
        expect_near(sum, expected_sum, kernel.name);
    });
}

TEST(TrainKernel, StepsAndBlendsLikeTheScalarOne) {
    base::Random random(4);
    constexpr std::size_t count = 160;
    const Array value = random_numbers(count, random);
    const Array mean = random_numbers(count, random, -0.01, 0.01);
    const Array square = random_numbers(count, random, 0, 1e-4);
    const Array gradient = random_numbers(count, random, -0.01, 0.01);
    const AdamStep step{1e-3F, 1e-5F, 0.9F, 0.999F, 1.7F, 1e-8F, 0.9F};
    const auto run = [&](const Kernel& kernel) {
        std::array<Array, 3> result{copy_of(value), copy_of(mean), copy_of(square)};
        kernel.adam(result[0].data(), result[1].data(), result[2].data(), gradient.data(), count, step);
        kernel.blend(result[1].data(), result[0].data(), 0.25F, count);
        kernel.add(result[2].data(), result[2].data(), result[1].data(), count);
        return result;
    };
    const auto expected = run(scalar_kernel);
    for_each_kernel([&](const Kernel& kernel) {
        const auto result = run(kernel);
        for (std::size_t i = 0; i < result.size(); ++i)
            expect_near(result[i], expected[i], kernel.name);
    });
    for (const float each : expected[0].view())
        EXPECT_LE(std::abs(each), 0.9F);
}

}  // namespace
}  // namespace tsumugi::learn
