// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels with 256-bit registers share. Included within the anonymous namespace of each, because each is compiled
// with flags of its own.

struct Registers256 {
    using Register = __m256i;
    static constexpr int words = 16;
    static constexpr int lanes = 8;

    static Register load(const void* p) { return _mm256_load_si256(static_cast<const __m256i*>(p)); }
    static void store(void* p, Register r) { _mm256_store_si256(static_cast<__m256i*>(p), r); }
    static Register zero() { return _mm256_setzero_si256(); }
    static Register add16(Register a, Register b) { return _mm256_add_epi16(a, b); }
    static Register sub16(Register a, Register b) { return _mm256_sub_epi16(a, b); }
    static Register add32(Register a, Register b) { return _mm256_add_epi32(a, b); }
    static Register broadcast(const std::uint8_t* four) {
        std::int32_t value;
        __builtin_memcpy(&value, four, sizeof value);
        return _mm256_set1_epi32(value);
    }
    // Packing works within halves of a register; this puts the quarters back in order.
    static Register in_order(Register packed) { return _mm256_permute4x64_epi64(packed, 0b11011000); }
    static Register clip(Register a, Register b) { return in_order(_mm256_max_epi8(_mm256_packs_epi16(a, b), zero())); }
    // (a * b) >> 9 with both within 0..254: the high half of (a << 7) * b.
    static Register multiply(Register a0, Register a1, Register b0, Register b1) {
        return in_order(_mm256_packus_epi16(half_product(a0, b0), half_product(a1, b1)));
    }
    static int append_active(std::uint16_t* list, Register bytes, int first) {
        const int mask = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(bytes, zero())));
        return append_bits(list, mask, first);
    }
    static void narrow(const std::int32_t* from, std::uint8_t* to) {
        const Register a = _mm256_packs_epi32(shifted(from), shifted(from + 8));
        const Register b = _mm256_packs_epi32(shifted(from + 16), shifted(from + 24));
        const Register bytes = _mm256_max_epi8(_mm256_packs_epi16(a, b), zero());
        store(to, _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
    }

protected:
    static std::int32_t sum_of_lanes(Register r) {
        const __m128i half = _mm_add_epi32(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1));
        const __m128i pair = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half));
        return _mm_cvtsi128_si32(pair) + _mm_extract_epi32(pair, 1);
    }

private:
    static Register half_product(Register a, Register b) {
        const Register high = _mm256_set1_epi16(254);
        const Register x = _mm256_slli_epi16(_mm256_max_epi16(_mm256_min_epi16(a, high), zero()), 7);
        return _mm256_mulhi_epi16(x, _mm256_max_epi16(_mm256_min_epi16(b, high), zero()));
    }
    static Register shifted(const std::int32_t* p) { return _mm256_srai_epi32(load(p), 6); }
};
