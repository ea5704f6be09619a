// SPDX-License-Identifier: GPL-3.0-or-later
#include <immintrin.h>

#include "learn/train/kernel/kernel.hpp"

namespace tsumugi::learn {
namespace {

struct V {
    using Register = __m512;
    static constexpr std::size_t lanes = 16;
    // Thirty-two registers have room for sixteen sums and what they are made of.
    static constexpr std::size_t tile_rows = 8;
    static constexpr std::size_t tile_registers = 2;
    static constexpr std::size_t narrow_tile_rows = 8;

    static Register load(const float* p) { return _mm512_load_ps(p); }
    static void store(float* p, Register r) { _mm512_store_ps(p, r); }
    static Register zero() { return _mm512_setzero_ps(); }
    static Register broadcast(float x) { return _mm512_set1_ps(x); }
    static Register add(Register a, Register b) { return _mm512_add_ps(a, b); }
    static Register subtract(Register a, Register b) { return _mm512_sub_ps(a, b); }
    static Register multiply(Register a, Register b) { return _mm512_mul_ps(a, b); }
    static Register multiply_add(Register a, Register b, Register c) { return _mm512_fmadd_ps(a, b, c); }
    static Register divide(Register a, Register b) { return _mm512_div_ps(a, b); }
    static Register root(Register a) { return _mm512_sqrt_ps(a); }
    static Register min(Register a, Register b) { return _mm512_min_ps(a, b); }
    static Register max(Register a, Register b) { return _mm512_max_ps(a, b); }
    // y where 0 < x < 1, else 0.
    static Register where_inside(Register x, Register y) {
        const __mmask16 above = _mm512_cmp_ps_mask(x, zero(), _CMP_GT_OQ);
        return _mm512_maskz_mov_ps(_mm512_mask_cmp_ps_mask(above, x, broadcast(1), _CMP_LT_OQ), y);
    }
};

#include "learn/train/kernel/vector.inl"

}  // namespace

const Kernel avx512_kernel{"avx512", activate, gather, add, multiply, deactivate, adam, blend};

}  // namespace tsumugi::learn
