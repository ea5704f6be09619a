// SPDX-License-Identifier: GPL-3.0-or-later
#include <type_traits>

#include <immintrin.h>

#include "eval/nnue/kernel/kernel.hpp"

namespace tsumugi::eval::nnue {
namespace {

#include "eval/nnue/kernel/x86/bit_list.inl"

struct V {
    using Register = __m128i;
    static constexpr int words = 8;
    static constexpr int lanes = 4;
    static constexpr bool exact = false;  // sums of products may outgrow their 16 bits

    static Register load(const void* p) { return _mm_load_si128(static_cast<const __m128i*>(p)); }
    static void store(void* p, Register r) { _mm_store_si128(static_cast<__m128i*>(p), r); }
    static Register zero() { return _mm_setzero_si128(); }
    static Register add16(Register a, Register b) { return _mm_add_epi16(a, b); }
    static Register sub16(Register a, Register b) { return _mm_sub_epi16(a, b); }
    static Register add32(Register a, Register b) { return _mm_add_epi32(a, b); }
    static Register broadcast(const std::uint8_t* four) {
        std::int32_t value;
        __builtin_memcpy(&value, four, sizeof value);
        return _mm_set1_epi32(value);
    }
    // Products of bytes, added two by two. No pair of them leaves 16 bits: 2 * 127 * 128 = 32512.
    static Register pairs(Register x, Register w) { return _mm_maddubs_epi16(x, w); }
    static Register widened(Register pairs) { return _mm_madd_epi16(pairs, _mm_set1_epi16(1)); }
    static Register clip(Register a, Register b) { return _mm_max_epi8(_mm_packs_epi16(a, b), zero()); }
    // (a * b) >> 9 with both within 0..254: the high half of (a << 7) * b.
    static Register multiply(Register a0, Register a1, Register b0, Register b1) {
        return _mm_packus_epi16(half_product(a0, b0), half_product(a1, b1));
    }
    static int append_active(std::uint16_t* list, Register bytes, int first) {
        return append_bits(list, _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(bytes, zero()))), first);
    }
    static void narrow(const std::int32_t* from, std::uint8_t* to) {
        for (int i = 0; i < input_unit; i += 16) {
            const Register a = _mm_packs_epi32(shifted(from + i), shifted(from + i + 4));
            const Register b = _mm_packs_epi32(shifted(from + i + 8), shifted(from + i + 12));
            store(to + i, _mm_max_epi8(_mm_packs_epi16(a, b), zero()));
        }
    }
    static std::int32_t dot_row(const std::uint8_t* x, const std::int8_t* w, int count) {
        Register sum = zero();
        for (int i = 0; i < count; i += 16)
            sum = add32(sum, widened(pairs(load(x + i), load(w + i))));
        const Register pair = _mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum));
        return _mm_cvtsi128_si32(pair) + _mm_extract_epi32(pair, 1);
    }

private:
    static Register half_product(Register a, Register b) {
        const Register high = _mm_set1_epi16(254);
        const Register x = _mm_slli_epi16(_mm_max_epi16(_mm_min_epi16(a, high), zero()), 7);
        return _mm_mulhi_epi16(x, _mm_max_epi16(_mm_min_epi16(b, high), zero()));
    }
    static Register shifted(const std::int32_t* p) { return _mm_srai_epi32(load(p), 6); }
};

#include "eval/nnue/kernel/vector.inl"

}  // namespace

const Kernel sse41_kernel{"sse4.1", V::lanes, update, classic, product};

}  // namespace tsumugi::eval::nnue
