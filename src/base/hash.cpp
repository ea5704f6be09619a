// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tsumugi::base {

namespace {

// Numbers in the published definitions are little-endian (CRC, xxHash) whatever the machine is.
template <typename T>
T little_endian(const char* bytes) {
    std::array<unsigned char, sizeof(T)> raw{};
    std::memcpy(raw.data(), bytes, sizeof(T));
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value |= static_cast<T>(static_cast<T>(raw[i]) << (8 * i));
    return value;
}

// crc_tables[k][b] is the remainder of byte b followed by k zero bytes: eight bytes go in one step.
constexpr auto crc_tables = [] {
    constexpr std::uint32_t reversed_polynomial = 0x82F63B78;
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit)
            remainder = (remainder >> 1) ^ ((remainder & 1) ? reversed_polynomial : 0);
        tables[0][byte] = remainder;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t byte = 0; byte < 256; ++byte)
            tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xFF];
    return tables;
}();

// The primes of the xxHash specification.
constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87;
constexpr std::uint64_t prime2 = 0xC2B2AE3D27D4EB4F;
constexpr std::uint64_t prime3 = 0x165667B19E3779F9;
constexpr std::uint64_t prime4 = 0x85EBCA77C2B2AE63;
constexpr std::uint64_t prime5 = 0x27D4EB2F165667C5;

constexpr std::uint64_t lane_round(std::uint64_t lane, std::uint64_t input) {
    return std::rotl(lane + input * prime2, 31) * prime1;
}

// The last step of the specification for fewer than 32 bytes: eights, one four, ones, then mixing.
std::uint64_t xxhash_tail(std::uint64_t hash, std::string_view bytes) {
    for (; bytes.size() >= 8; bytes.remove_prefix(8))
        hash = std::rotl(hash ^ lane_round(0, little_endian<std::uint64_t>(bytes.data())), 27) * prime1 + prime4;
    if (bytes.size() >= 4) {
        hash = std::rotl(hash ^ (little_endian<std::uint32_t>(bytes.data()) * prime1), 23) * prime2 + prime3;
        bytes.remove_prefix(4);
    }
    for (const char byte : bytes)
        hash = std::rotl(hash ^ (static_cast<unsigned char>(byte) * prime5), 11) * prime1;
    hash = (hash ^ (hash >> 33)) * prime2;
    hash = (hash ^ (hash >> 29)) * prime3;
    return hash ^ (hash >> 32);
}

// The fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> sha_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
    std::uint32_t crc = ~before;
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
        const std::uint64_t word = little_endian<std::uint64_t>(bytes.data()) ^ crc;
        crc = 0;
        for (std::size_t i = 0; i < 8; ++i)
            crc ^= crc_tables[7 - i][(word >> (8 * i)) & 0xFF];
    }
    for (const char byte : bytes)
        crc = (crc >> 8) ^ crc_tables[0][(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
    return ~crc;
}

std::uint64_t xxhash64(std::string_view bytes, std::uint64_t seed) {
    const std::uint64_t length = bytes.size();
    if (length < 32) return xxhash_tail(seed + prime5 + length, bytes);

    std::array<std::uint64_t, 4> lanes = {seed + prime1 + prime2, seed + prime2, seed, seed - prime1};
    for (; bytes.size() >= 32; bytes.remove_prefix(32))
        for (std::size_t i = 0; i < 4; ++i)
            lanes[i] = lane_round(lanes[i], little_endian<std::uint64_t>(bytes.data() + 8 * i));
    std::uint64_t hash =
        std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes)
        hash = (hash ^ lane_round(0, lane)) * prime1 + prime4;
    return xxhash_tail(hash + length, bytes);
}

void Sha256::compress(const char* block) {
    std::array<std::uint32_t, 64> schedule{};
    for (std::size_t t = 0; t < 16; ++t)
        for (std::size_t i = 0; i < 4; ++i)
            schedule[t] = (schedule[t] << 8) | static_cast<unsigned char>(block[4 * t + i]);
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t w15 = schedule[t - 15];
        const std::uint32_t w2 = schedule[t - 2];
        schedule[t] = schedule[t - 16] + (std::rotr(w15, 7) ^ std::rotr(w15, 18) ^ (w15 >> 3)) + schedule[t - 7] +
                      (std::rotr(w2, 17) ^ std::rotr(w2, 19) ^ (w2 >> 10));
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                                    sha_constants[t] + schedule[t];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<std::uint32_t, 8> result = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i)
        state_[i] += result[i];
}

void Sha256::update(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t used = length_ % block_size;
        if (used == 0 && bytes.size() >= block_size) {
            compress(bytes.data());
            bytes.remove_prefix(block_size);
            length_ += block_size;
            continue;
        }
        const std::size_t count = std::min(block_size - used, bytes.size());
        std::memcpy(pending_.data() + used, bytes.data(), count);
        bytes.remove_prefix(count);
        length_ += count;
        if (length_ % block_size == 0) compress(pending_.data());
    }
}

Sha256::Digest Sha256::finish() {
    const std::uint64_t bits = length_ * 8;
    // A one bit, zeros up to eight bytes before the end of a block, and the length in bits, big-endian.
    std::string padding(1, '\x80');
    padding.append((2 * block_size - 9 - length_ % block_size) % block_size, '\0');
    for (int shift = 56; shift >= 0; shift -= 8)
        padding += static_cast<char>((bits >> shift) & 0xFF);
    update(padding);
    Digest digest{};
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

std::string to_hex(const Sha256::Digest& digest) { return fmt::format("{:02x}", fmt::join(digest, "")); }

std::string sha256_hex(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return to_hex(hash.finish());
}

}  // namespace tsumugi::base
