// SPDX-License-Identifier: GPL-3.0-or-later
// For processors with VNNI that run slower while they use 512-bit registers: the same instructions on half of them.
#include <type_traits>

#include <immintrin.h>

#include "eval/nnue/kernel/kernel.hpp"

namespace tsumugi::eval::nnue {
namespace {

#include "eval/nnue/kernel/x86/bit_list.inl"
#include "eval/nnue/kernel/x86/registers_256.inl"

struct V : Registers256 {
    static constexpr bool exact = true;  // sums of products are always in 32 bits

    static Register dot(Register sum, Register x, Register w) { return _mm256_dpbusd_epi32(sum, x, w); }
    static std::int32_t dot_row(const std::uint8_t* x, const std::int8_t* w, int count) {
        Register sum = zero();
        for (int i = 0; i < count; i += input_unit)
            sum = dot(sum, load(x + i), load(w + i));
        return sum_of_lanes(sum);
    }
};

#include "eval/nnue/kernel/vector.inl"

}  // namespace

const Kernel vnni256_kernel{"vnni-256", V::lanes, update, classic, product};

}  // namespace tsumugi::eval::nnue
