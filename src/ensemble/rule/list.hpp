// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ensemble/rule.hpp"

// One function for each rule, in the file of its name; the row with its name in files is in rule.cpp.
namespace tsumugi::ensemble {

std::unique_ptr<Rule> make_majority(const RuleSettings& settings);
std::unique_ptr<Rule> make_leader(const RuleSettings& settings);
std::unique_ptr<Rule> make_weighted(const RuleSettings& settings);
std::unique_ptr<Rule> make_optimistic(const RuleSettings& settings);
std::unique_ptr<Rule> make_pessimistic(const RuleSettings& settings);
std::unique_ptr<Rule> make_win_rate_sum(const RuleSettings& settings);
std::unique_ptr<Rule> make_two_then_third(const RuleSettings& settings);
std::unique_ptr<Rule> make_exchange(const RuleSettings& settings);
std::unique_ptr<Rule> make_switch_by_ply(const RuleSettings& settings);
std::unique_ptr<Rule> make_switch_by_phase(const RuleSettings& settings);

}  // namespace tsumugi::ensemble
