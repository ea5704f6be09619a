// SPDX-License-Identifier: GPL-3.0-or-later
// The reference: what the vector kernels compute, one number at a time.
#include <cmath>

#include "learn/train/kernel/kernel.hpp"

namespace tsumugi::learn {
namespace {

float clipped(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

void activate(float* to, const float* bias, const float* table, const std::uint16_t* rows, std::size_t count,
              std::size_t columns) {
    float sum[widest_slice];
    for (std::size_t c = 0; c < columns; ++c)
        sum[c] = bias[c];
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            sum[c] += table[rows[r] * columns + c];
    for (std::size_t c = 0; c < columns; ++c)
        to[c] = clipped(sum[c], 0, 1);
}

void gather(float* sum, const float* table, const std::uint32_t* rows, std::size_t count, std::size_t columns) {
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            sum[c] += table[rows[r] * columns + c];
}

void add(float* to, const float* a, const float* b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        to[i] = a[i] + b[i];
}

void multiply(const Product& p) {
    for (std::size_t r = 0; r < p.rows; ++r)
        for (std::size_t k = 0; k < p.steps; ++k) {
            const float a = p.a[r * p.a_row + k * p.a_step];
            for (std::size_t j = 0; j < p.columns; ++j)
                p.c[r * p.c_stride + j] += a * p.b[k * p.b_stride + j];
        }
}

void deactivate(float* x, const float* gradient, float* sum, std::size_t rows, std::size_t columns) {
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            float& place = x[r * columns + c];
            place = place > 0 && place < 1 ? gradient[r * columns + c] : 0;
            sum[c] += place;
        }
}

void adam(float* value, float* mean, float* square, const float* gradient, std::size_t count, const AdamStep& step) {
    for (std::size_t i = 0; i < count; ++i) {
        const float g = gradient[i];
        mean[i] = g + (mean[i] - g) * step.mean_keep;
        square[i] = g * g + (square[i] - g * g) * step.square_keep;
        const float length = std::sqrt(square[i] * step.square_factor) + step.epsilon;
        value[i] = clipped(value[i] - step.decay * value[i] - step.rate * mean[i] / length, -step.limit, step.limit);
    }
}

void blend(float* average, const float* value, float share, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        average[i] += (value[i] - average[i]) * share;
}

}  // namespace

const Kernel scalar_kernel{"scalar", activate, gather, add, multiply, deactivate, adam, blend};

}  // namespace tsumugi::learn
