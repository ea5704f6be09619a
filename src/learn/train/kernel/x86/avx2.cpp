// SPDX-License-Identifier: GPL-3.0-or-later
#include <immintrin.h>

#include "learn/train/kernel/kernel.hpp"

namespace tsumugi::learn {
namespace {

struct V {
    using Register = __m256;
    static constexpr std::size_t lanes = 8;
    // Sixteen registers hold a tile, a line of one factor and an element of the other.
    static constexpr std::size_t tile_rows = 3;
    static constexpr std::size_t tile_registers = 4;
    static constexpr std::size_t narrow_tile_rows = 4;

    static Register load(const float* p) { return _mm256_load_ps(p); }
    static void store(float* p, Register r) { _mm256_store_ps(p, r); }
    static Register zero() { return _mm256_setzero_ps(); }
    static Register broadcast(float x) { return _mm256_set1_ps(x); }
    static Register add(Register a, Register b) { return _mm256_add_ps(a, b); }
    static Register subtract(Register a, Register b) { return _mm256_sub_ps(a, b); }
    static Register multiply(Register a, Register b) { return _mm256_mul_ps(a, b); }
    static Register multiply_add(Register a, Register b, Register c) { return _mm256_fmadd_ps(a, b, c); }
    static Register divide(Register a, Register b) { return _mm256_div_ps(a, b); }
    static Register root(Register a) { return _mm256_sqrt_ps(a); }
    static Register min(Register a, Register b) { return _mm256_min_ps(a, b); }
    static Register max(Register a, Register b) { return _mm256_max_ps(a, b); }
    // y where 0 < x < 1, else 0.
    static Register where_inside(Register x, Register y) {
        const Register above = _mm256_cmp_ps(x, zero(), _CMP_GT_OQ);
        const Register below = _mm256_cmp_ps(x, broadcast(1), _CMP_LT_OQ);
        return _mm256_and_ps(_mm256_and_ps(above, below), y);
    }
};

#include "learn/train/kernel/vector.inl"

}  // namespace

const Kernel avx2_kernel{"avx2", activate, gather, add, multiply, deactivate, adam, blend};

}  // namespace tsumugi::learn
