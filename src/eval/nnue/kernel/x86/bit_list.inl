// SPDX-License-Identifier: GPL-3.0-or-later
// The positions of the set bits of a byte, as a list. Included in an unnamed namespace of each kernel that needs it.

struct BitLists {
    alignas(8) std::uint8_t positions[256][8];
};

constexpr BitLists bit_lists = [] {
    BitLists lists{};
    for (int mask = 0; mask < 256; ++mask) {
        int count = 0;
        for (int bit = 0; bit < 8; ++bit)
            if ((mask >> bit & 1) != 0) lists.positions[mask][count++] = static_cast<std::uint8_t>(bit);
    }
    return lists;
}();

// Appends `first` + each set bit of the byte `mask` and returns how many there are. Always writes eight numbers.
int append_bits(std::uint16_t* list, int mask, int first) {
    const __m128i positions = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bit_lists.positions[mask]));
    const __m128i numbers = _mm_add_epi16(_mm_cvtepu8_epi16(positions), _mm_set1_epi16(static_cast<short>(first)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(list), numbers);
    return __builtin_popcount(static_cast<unsigned>(mask));
}
