// SPDX-License-Identifier: GPL-3.0-or-later
#include <type_traits>

#include <immintrin.h>

#include "eval/nnue/kernel/kernel.hpp"

namespace tsumugi::eval::nnue {
namespace {

#include "eval/nnue/kernel/x86/bit_list.inl"
#include "eval/nnue/kernel/x86/registers_256.inl"

struct V : Registers256 {
    static constexpr bool exact = false;  // sums of products may outgrow their 16 bits

    // Products of bytes, added two by two. No pair of them leaves 16 bits: 2 * 127 * 128 = 32512.
    static Register pairs(Register x, Register w) { return _mm256_maddubs_epi16(x, w); }
    static Register widened(Register pairs) { return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)); }
    static std::int32_t dot_row(const std::uint8_t* x, const std::int8_t* w, int count) {
        Register sum = zero();
        for (int i = 0; i < count; i += input_unit)
            sum = add32(sum, widened(pairs(load(x + i), load(w + i))));
        return sum_of_lanes(sum);
    }
};

#include "eval/nnue/kernel/vector.inl"

}  // namespace

const Kernel avx2_kernel{"avx2", V::lanes, update, classic, product};

}  // namespace tsumugi::eval::nnue
