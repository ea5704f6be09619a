// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// The arithmetic of training, one file per instruction set behind one signature. Those files are compiled with flags
// of their own, so this header must hold no inline code: a copy compiled for a newer processor could otherwise be
// linked into code meant for all.

namespace tsumugi::learn {

// Columns of matrices, and numbers handed to element-wise functions, come in multiples of this.
constexpr std::size_t lane_unit = 16;
// A slice of the feature transformer is 64, 32 or 16 columns wide: 64 are as many as fit into registers while rows
// stream by, and few enough for a block of rows to stay in the second-level cache.
constexpr std::size_t widest_slice = 64;

// c[r][j] += sum over k of a(r, k) * b[k][j]: every product of matrices in training has this form. Elements of `a` are
// read one by one, so that it may lie transposed; rows of `b` and `c` are contiguous.
struct Product {
    float* c;
    std::size_t c_stride;
    const float* a;
    std::size_t a_row;   // from a(r, k) to a(r + 1, k)
    std::size_t a_step;  // from a(r, k) to a(r, k + 1)
    const float* b;
    std::size_t b_stride;
    std::size_t rows;
    std::size_t steps;
    std::size_t columns;  // a multiple of lane_unit
};

// One step of Adam with decoupled weight decay. The corrections of the young moments are folded into `rate` and
// `square_factor`.
struct AdamStep {
    float rate;
    float decay;  // learning rate times weight decay
    float mean_keep;
    float square_keep;
    float square_factor;
    float epsilon;
    float limit;  // weights are clipped to +-limit
};

struct Kernel {
    const char* name;

    // to = (bias + the rows named) clipped to 0..1; all of `columns` numbers.
    void (*activate)(float* to, const float* bias, const float* table, const std::uint16_t* rows, std::size_t count,
                     std::size_t columns);
    // sum += the rows named.
    void (*gather)(float* sum, const float* table, const std::uint32_t* rows, std::size_t count, std::size_t columns);
    // to = a + b; `to` may be one of them.
    void (*add)(float* to, const float* a, const float* b, std::size_t count);
    void (*multiply)(const Product& product);
    // `x` holds clipped activations; each becomes the gradient, or 0 where it was clipped. `sum` += its columns.
    void (*deactivate)(float* x, const float* gradient, float* sum, std::size_t rows, std::size_t columns);
    void (*adam)(float* value, float* mean, float* square, const float* gradient, std::size_t count,
                 const AdamStep& step);
    // average += (value - average) * share
    void (*blend)(float* average, const float* value, float share, std::size_t count);
};

extern const Kernel scalar_kernel;
extern const Kernel avx2_kernel;
extern const Kernel avx512_kernel;

}  // namespace tsumugi::learn
