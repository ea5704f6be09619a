// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace tsumugi::base {

// Steele, Lea and Flood's SplitMix64: spreads a seed of any quality over 64 bits. The generator below
// is seeded through it, because xoshiro must not start near the all-zero state.
class SplitMix64 {
public:
    explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t operator()() {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_;
};

// Blackman and Vigna's xoshiro256**. A seed gives the same numbers with every compiler and instruction
// set, which std::uniform_int_distribution and std::normal_distribution do not promise.
class Random {
public:
    using result_type = std::uint64_t;

    explicit constexpr Random(std::uint64_t seed) {
        SplitMix64 mix(seed);
        for (auto& word : state_)
            word = mix();
    }

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    constexpr result_type operator()() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // Uniform in 0..bound-1 without bias: Lemire's multiplication, which almost never divides.
    constexpr std::uint64_t below(std::uint64_t bound) {
        assert(bound > 0);
        auto [high, low] = multiply((*this)(), bound);
        if (low < bound) {
            const std::uint64_t threshold = (0 - bound) % bound;
            while (low < threshold)
                std::tie(high, low) = multiply((*this)(), bound);
        }
        return high;
    }

    // Uniform in low..high, both included; the whole range of the type is allowed.
    constexpr std::int64_t between(std::int64_t low, std::int64_t high) {
        assert(low <= high);
        const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
        const std::uint64_t offset = width == 0 ? (*this)() : below(width);
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
    }

    // Uniform in [0, 1): every multiple of 2^-53 is equally likely.
    constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

    constexpr bool chance(double probability) { return uniform() < probability; }

    // Standard normal by Marsaglia's polar method. Every operation is exactly rounded (see natural_log),
    // so the value does not depend on the math library or on fused multiplication.
    double normal() {
        for (;;) {
            const double u = 2 * uniform() - 1;
            const double v = 2 * uniform() - 1;
            const double square = std::fma(u, u, v * v);
            if (square >= 1 || square == 0) continue;
            return u * std::sqrt(-2 * natural_log(square) / square);
        }
    }

    double normal(double mean, double deviation) { return std::fma(deviation, normal(), mean); }

    // Fisher-Yates; std::shuffle's order differs between libraries.
    template <typename T>
    constexpr void shuffle(std::span<T> items) {
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1], items[below(i)]);
    }

    // Hands out the next 2^128 numbers as a stream of their own and skips them here: streams split from
    // one generator never overlap.
    constexpr Random split() {
        const Random stream = *this;
        jump();
        return stream;
    }

    // Advances by 2^128 numbers. The constants are the coefficients of x^(2^128) modulo the
    // characteristic polynomial of the generator.
    constexpr void jump() {
        constexpr std::array<std::uint64_t, 4> polynomial = {0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa,
                                                             0x39abdc4529b1661c};
        std::array<std::uint64_t, 4> sum{};
        for (const std::uint64_t word : polynomial)
            for (int bit = 0; bit < 64; ++bit) {
                if ((word >> bit) & 1)
                    for (std::size_t i = 0; i < sum.size(); ++i)
                        sum[i] ^= state_[i];
                (*this)();
            }
        state_ = sum;
    }

    // The state can be saved and restored, so that interrupted work continues with the same numbers.
    [[nodiscard]] constexpr std::array<std::uint64_t, 4> state() const { return state_; }
    static constexpr Random from_state(const std::array<std::uint64_t, 4>& state) {
        assert((state[0] | state[1] | state[2] | state[3]) != 0);
        Random random(0);
        random.state_ = state;
        return random;
    }

    constexpr bool operator==(const Random&) const = default;

private:
    // The 128-bit product as {high, low}.
    static constexpr std::pair<std::uint64_t, std::uint64_t> multiply(std::uint64_t a, std::uint64_t b) {
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(a) * b;
        return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
    }

    // ln(x) for 0 < x < 1 through ln(m) = 2 artanh((m-1)/(m+1)), with fused steps written out. std::log may
    // differ in the last bit between libraries, and a compiler may fuse a*b+c for one instruction set only.
    static double natural_log(double x) {
        int exponent = 0;
        double mantissa = std::frexp(x, &exponent);
        if (mantissa < 0.70710678118654752) {
            mantissa *= 2;
            --exponent;
        }
        const double f = (mantissa - 1) / (mantissa + 1);
        const double square = f * f;
        double series = 0;
        // |f| < 0.172, so the term f^25/25 is below one unit in the last place.
        for (int odd = 23; odd >= 1; odd -= 2)
            series = std::fma(series, square, 1.0 / odd);
        return std::fma(exponent, 0.69314718055994531, 2 * f * series);
    }

    std::array<std::uint64_t, 4> state_{};
};

}  // namespace tsumugi::base
