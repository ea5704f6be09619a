// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "ensemble/config.hpp"
#include "support/notebook.hpp"
#include "think/player.hpp"

// What tests of groups share: players and limits.
namespace tsumugi::test {

// The engine of tests/arena/mock/engine.cpp; its name says how it misbehaves.
inline ensemble::MemberConfig mock(std::vector<std::string> mode) {
    ensemble::MemberConfig member;
    member.name = mode[0];
    mode.insert(mode.begin(), std::string(TSUMUGI_MOCK_DIR) + "/arena_mock_engine");
    member.command = std::move(mode);
    return member;
}

inline ensemble::MemberConfig own(const std::string& name, int sigma = 0, int seed = 0) {
    ensemble::MemberConfig member;
    member.name = name;
    member.options = {{"USI_Hash", "1"},
                      {"EvalFile", "material"},
                      {"EvalNoiseSigma", std::to_string(sigma)},
                      {"EvalNoiseSeed", std::to_string(seed)}};
    return member;
}

template <typename Group>
std::unique_ptr<Group> make_group(ensemble::Config config) {
    config.longest_think = std::chrono::seconds(5);
    auto created = Group::create(std::move(config));
    if (!created) throw std::runtime_error(created.error().message);
    for (const auto& [name, value] : ensemble::OptionValues{{"NetworkDelay", "0"},
                                                            {"NetworkDelay2", "100"},
                                                            {"MinimumThinkingTime", "0"},
                                                            {"RoundUpToFullSecond", "false"},
                                                            {"USI_OwnBook", "false"}})
        EXPECT_TRUE((*created)->options().set(name, value).ok());
    return *std::move(created);
}

template <typename Group>
std::unique_ptr<Group> make_group(std::vector<ensemble::MemberConfig> members, const std::string& rule) {
    ensemble::Config config;
    config.rule = rule;
    config.members = std::move(members);
    return make_group<Group>(std::move(config));
}

template <typename Group>
std::unique_ptr<Group> ready_group(std::vector<ensemble::MemberConfig> members, const std::string& rule) {
    auto group = make_group<Group>(std::move(members), rule);
    const auto prepared = group->prepare();
    EXPECT_TRUE(prepared.ok()) << prepared.error().message;
    group->new_game();
    return group;
}

inline think::Limits nodes(std::uint64_t count) {
    think::Limits limits;
    limits.nodes = count;
    return limits;
}

inline think::Limits byoyomi(think::Milliseconds time) {
    think::Limits limits;
    limits.clock.emplace();
    limits.clock->byoyomi = time;
    return limits;
}

inline double seconds_of(const std::function<void()>& work) {
    const base::Stopwatch watch;
    work();
    return watch.seconds();
}

}  // namespace tsumugi::test
