// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/skill.hpp"

#include <cassert>
#include <cmath>
#include <vector>

#include "engine/setting.hpp"
#include "think/win_rate.hpp"

namespace tsumugi::engine {

Skill Skill::of_level(double level) {
    const double weakness = full_skill - level;
    Skill skill;
    skill.nodes = static_cast<std::uint64_t>(100 * std::exp2(0.6 * level));
    skill.candidates = 4 + static_cast<int>(weakness / 4);
    skill.sigma = 6 * weakness;
    skill.temperature = 0.004 * weakness;
    skill.greatest_loss = 0.02 + 0.013 * weakness;
    return skill;
}

std::size_t choose(std::span<const think::Line> lines, const Skill& skill, base::Random& random) {
    assert(!lines.empty());
    std::vector<double> weights;
    double total = 0;
    for (const think::Line& line : lines) {
        const double loss = think::win_rate(lines[0].score) - think::win_rate(line.score);
        weights.push_back(loss > skill.greatest_loss ? 0 : std::exp(-loss / skill.temperature));
        total += weights.back();
    }
    double point = random.uniform() * total;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        point -= weights[i];
        if (point < 0) return i;
    }
    return 0;
}

}  // namespace tsumugi::engine
