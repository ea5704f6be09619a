// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/quiescence_policy.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "eval/material.hpp"
#include "search/searcher.hpp"
#include "support/position.hpp"
#include "support/random_play.hpp"

namespace tsumugi::search {
namespace {

using Named = std::pair<const char*, QuiescencePolicy>;
constexpr std::array<Named, 10> restricted_policies{{
    {"Eval", QuiescencePolicy::eval},
    {"SEE", QuiescencePolicy::see},
    {"Capture", QuiescencePolicy::capture},
    {"King", QuiescencePolicy::king},
    {"Escape", QuiescencePolicy::escape},
    {"Promote", QuiescencePolicy::promote},
    {"Check", QuiescencePolicy::check},
    {"SKEP", QuiescencePolicy::skep},
    {"SKEP+Check", QuiescencePolicy::skep_check},
    {"All", QuiescencePolicy::all},
}};

// Whether a policy looks at a move.
struct Admits {
    const shogi::Position& position;
    shogi::Move move;

    template <typename Policy>
    bool operator()() const {
        if constexpr (std::is_same_v<Policy, policy::Standard>)
            return false;
        else
            return Policy::admits(position, move);
    }
};

std::string admitting(const shogi::Position& position, shogi::Move move) {
    std::string names;
    for (const auto& [name, policy] : restricted_policies)
        if (with_policy(policy, Admits{position, move})) names += (names.empty() ? "" : " ") + std::string(name);
    return names;
}

TEST(QuiescencePolicy, LooksAtTheMovesOfItsCategory) {
    struct Row {
        const char* sfen;
        const char* move;
        const char* policies;
    };
    for (const Row& row : {
             Row{"4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1", "5f5e", "SEE Capture Escape SKEP SKEP+Check All"},
             Row{"4k4/9/9/4g4/4p4/4R4/9/9/4K4 b - 1", "5f5e", "Capture Escape SKEP SKEP+Check All"},
             Row{"4p4/k8/9/9/4R4/9/9/9/4K4 b - 1", "5e5a", "SEE Capture SKEP SKEP+Check All"},
             Row{"4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i4i", "King SKEP SKEP+Check All"},
             Row{"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5h", "All"},
             Row{"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", "Check SKEP+Check All"},
             Row{"k8/9/9/6P2/9/9/9/9/4K4 b - 1", "3d3c+", "Promote SKEP SKEP+Check All"},
         }) {
        const shogi::Position position = test::position(row.sfen);
        EXPECT_EQ(admitting(position, test::usi(row.move)), row.policies) << row.sfen << ' ' << row.move;
    }
}

TEST(QuiescencePolicy, NeedsMoreNodesTheMoreItLooksAt) {
    const auto nodes_of = [](QuiescencePolicy policy) {
        Settings settings;
        settings.table.kibibytes = 4 * 1024;
        settings.quiescence = policy;
        Searcher searcher;
        searcher.configure(settings);
        searcher.set_evaluator(eval::material_evaluator());
        think::Limits limits;
        limits.depth = 1;
        think::SilentObserver silence;
        std::uint64_t nodes = 0;
        test::play_random_games(1, 60, 7, [&](const shogi::Position& position) {
            searcher.clear();
            nodes += searcher.search(position, limits, silence, {}).nodes;
        });
        return nodes;
    };
    const std::vector<std::uint64_t> growing{nodes_of(QuiescencePolicy::eval), nodes_of(QuiescencePolicy::see),
                                             nodes_of(QuiescencePolicy::skep), nodes_of(QuiescencePolicy::skep_check),
                                             nodes_of(QuiescencePolicy::all)};
    EXPECT_TRUE(std::is_sorted(growing.begin(), growing.end()));
    EXPECT_LT(growing.front(), growing.back());
}

}  // namespace
}  // namespace tsumugi::search
