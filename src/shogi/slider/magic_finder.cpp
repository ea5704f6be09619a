// SPDX-License-Identifier: GPL-3.0-or-later
#include "shogi/slider/magic_finder.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/random.hpp"

namespace tsumugi::shogi::slider {

Words MagicSequence::candidate(std::uint64_t number) const {
    base::SplitMix64 random(base::SplitMix64(seed + number)());
    Words factors{};
    for (std::uint64_t& factor : factors) {
        factor = random();
        for (int i = 1; i < ands; ++i)
            factor &= random();
    }
    return factors;
}

MagicFinder::MagicFinder(Layout layout, Movement movement, Square s) {
    const Bitboard relevant = relevant_squares(movement, s);
    relevant_ = relevant.count();
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers;
    for_each_occupation(relevant, [&](const PlainOccupied& occupied) {
        const Bitboard reached = attacks(movement, s, occupied);
        const auto number = static_cast<std::uint32_t>(numbers.size());
        const auto known = numbers.try_emplace({reached.low(), reached.high()}, number).first;
        occupations_.push_back({words_of(layout, occupied.board()), known->second});
    });
    // In counting order a bad candidate survives long, because the first occupations differ in few squares.
    base::Random(1).shuffle(std::span<Occupation>(occupations_));
    slots_.resize(occupations_.size());
}

bool MagicFinder::works(const Words& factor) {
    if (++trial_ == 0) {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        trial_ = 1;
    }
    const int shift = 64 - relevant_;
    for (const Occupation& o : occupations_) {
        const std::size_t index = ((o.words[0] * factor[0]) ^ (o.words[1] * factor[1])) >> shift;
        Slot& slot = slots_[index];
        if (slot.trial != trial_)
            slot = {trial_, o.attacks};
        else if (slot.attacks != o.attacks)
            return false;
    }
    return true;
}

std::optional<std::uint64_t> MagicFinder::find(const MagicSequence& sequence, std::uint64_t limit) {
    for (std::uint64_t number = 0; number < limit; ++number)
        if (works(sequence.candidate(number))) return number;
    return std::nullopt;
}

}  // namespace tsumugi::shogi::slider
