// SPDX-License-Identifier: GPL-3.0-or-later
// For processors with AVX-512 F, BW, VL and VNNI: four byte products and their sum are one instruction.
#include <type_traits>

#include <immintrin.h>

#include "eval/nnue/kernel/kernel.hpp"

namespace tsumugi::eval::nnue {
namespace {

struct V {
    using Register = __m512i;
    static constexpr int words = 32;
    static constexpr int lanes = 16;
    static constexpr bool exact = true;  // sums of products are always in 32 bits

    static Register load(const void* p) { return _mm512_load_si512(p); }
    static void store(void* p, Register r) { _mm512_store_si512(p, r); }
    static Register zero() { return _mm512_setzero_si512(); }
    static Register add16(Register a, Register b) { return _mm512_add_epi16(a, b); }
    static Register sub16(Register a, Register b) { return _mm512_sub_epi16(a, b); }
    static Register add32(Register a, Register b) { return _mm512_add_epi32(a, b); }
    static Register broadcast(const std::uint8_t* four) {
        std::int32_t value;
        __builtin_memcpy(&value, four, sizeof value);
        return _mm512_set1_epi32(value);
    }
    static Register dot(Register sum, Register x, Register w) { return _mm512_dpbusd_epi32(sum, x, w); }
    // Packing works within quarters of a register; this puts the eighths back in order.
    static Register in_order(Register packed) {
        return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed);
    }
    static Register clip(Register a, Register b) { return in_order(_mm512_max_epi8(_mm512_packs_epi16(a, b), zero())); }
    // (a * b) >> 9 with both within 0..254: the high half of (a << 7) * b.
    static Register multiply(Register a0, Register a1, Register b0, Register b1) {
        return in_order(_mm512_packus_epi16(half_product(a0, b0), half_product(a1, b1)));
    }
    static int append_active(std::uint16_t* list, Register bytes, int first) {
        const __mmask16 mask = _mm512_test_epi32_mask(bytes, bytes);
        const Register numbers = _mm512_add_epi32(
            _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), _mm512_set1_epi32(first));
        const Register packed = _mm512_maskz_compress_epi32(mask, numbers);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(list), _mm512_cvtepi32_epi16(packed));
        return __builtin_popcount(mask);
    }
    static void narrow(const std::int32_t* from, std::uint8_t* to) {
        for (int i = 0; i < input_unit; i += lanes) {
            const Register positive = _mm512_max_epi32(_mm512_srai_epi32(load(from + i), 6), zero());
            const __m128i bytes = _mm512_cvtsepi32_epi8(positive);
            _mm_store_si128(reinterpret_cast<__m128i*>(to + i), bytes);
        }
    }
    static std::int32_t dot_row(const std::uint8_t* x, const std::int8_t* w, int count) {
        __m256i sum = _mm256_setzero_si256();
        for (int i = 0; i < count; i += input_unit)
            sum = _mm256_dpbusd_epi32(sum, _mm256_load_si256(reinterpret_cast<const __m256i*>(x + i)),
                                      _mm256_load_si256(reinterpret_cast<const __m256i*>(w + i)));
        const __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        const __m128i pair = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half));
        return _mm_cvtsi128_si32(pair) + _mm_extract_epi32(pair, 1);
    }

private:
    static Register half_product(Register a, Register b) {
        const Register high = _mm512_set1_epi16(254);
        const Register x = _mm512_slli_epi16(_mm512_max_epi16(_mm512_min_epi16(a, high), zero()), 7);
        return _mm512_mulhi_epi16(x, _mm512_max_epi16(_mm512_min_epi16(b, high), zero()));
    }
};

#include "eval/nnue/kernel/vector.inl"

}  // namespace

const Kernel avx512_kernel{"avx512-vnni", V::lanes, update, classic, product};

}  // namespace tsumugi::eval::nnue
