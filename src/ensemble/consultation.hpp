// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "base/random.hpp"
#include "ensemble/group.hpp"
#include "ensemble/rule.hpp"

namespace tsumugi::ensemble {

// Several players as one: all think about the same position, and a rule decides between their moves.
class Consultation : public Group {
public:
    static base::Result<std::unique_ptr<Consultation>> create(Config config);

    think::Answer think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                        std::stop_token stop) override;

private:
    Consultation(Config config, std::unique_ptr<Rule> rule);

    std::unique_ptr<Rule> rule_;
    base::Random random_;
};

}  // namespace tsumugi::ensemble
