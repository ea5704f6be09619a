// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tsumugi::base {

// CRC-32C (Castagnoli, RFC 3720): finds every burst of up to 32 wrong bits; guards blocks on the disk.
// Pass the result of the first part as `before` to continue over the next.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

// XXH64 of the xxHash specification: a fast 64-bit fingerprint for tables; not against an adversary.
std::uint64_t xxhash64(std::string_view bytes, std::uint64_t seed = 0);

// SHA-256 (FIPS 180-4): names contents for good, e.g. the provenance of a net.
class Sha256 {
public:
    using Digest = std::array<std::uint8_t, 32>;

    void update(std::string_view bytes);
    // Ends the message; the object must not be used afterwards.
    Digest finish();

private:
    static constexpr std::size_t block_size = 64;

    void compress(const char* block);

    // The fractional parts of the square roots of the first eight primes.
    std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<char, block_size> pending_{};
    std::uint64_t length_ = 0;
};

// The digest of one message as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);
std::string to_hex(const Sha256::Digest& digest);

}  // namespace tsumugi::base
