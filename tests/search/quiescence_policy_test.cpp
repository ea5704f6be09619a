// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/quiescence_policy.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "eval/material.hpp"
#include "search/searcher.hpp"
#include "support/position.hpp"
#include "support/random_play.hpp"

namespace tsumugi::search {
namespace {

// Whether a policy looks at a move.
struct Admits {
    const shogi::Position& position;
    shogi::Move move;
    policy::Scene scene{};

    template <typename Policy>
    bool operator()() const {
        if constexpr (std::is_same_v<Policy, policy::Standard>)
            return false;
        else
            return Policy::admits(position, move, scene);
    }
};

std::string admitting(const shogi::Position& position, shogi::Move move, const policy::Scene& scene) {
    std::string names;
    for (const auto& [name, policy] : quiescence_policies)
        if (with_policy(policy, Admits{position, move, scene})) names += (names.empty() ? "" : " ") + std::string(name);
    return names;
}

TEST(QuiescencePolicy, LooksAtTheMovesOfItsCategory) {
    struct Row {
        const char* sfen;
        const char* move;
        std::string policies;
    };
    const std::string skep = "SKEP SKEP+Check SKEP+Threatmate";
    const std::string see = "SEE+Escape SEE+Check SEE+Threatmate " + skep;
    for (const Row& row : {
             Row{"4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1", "5f5e", "SEE Capture Escape " + see},
             Row{"4k4/9/9/4g4/4p4/4R4/9/9/4K4 b - 1", "5f5e", "Capture Escape SEE+Escape " + skep},
             Row{"4p4/k8/9/9/4R4/9/9/9/4K4 b - 1", "5e5a", "SEE Capture " + see},
             Row{"4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i4i", "King " + skep},
             Row{"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5h", ""},
             Row{"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", "Check SEE+Check SKEP+Check"},
             Row{"k8/9/9/6P2/9/9/9/9/4K4 b - 1", "3d3c+", "Promote " + skep},
         }) {
        const shogi::Position position = test::position(row.sfen);
        // A scene in which the move is neither rated high nor follows a threat.
        const std::string expected = row.policies + (row.policies.empty() ? "All" : " All");
        EXPECT_EQ(admitting(position, test::usi(row.move), {false, 50, 100}), expected) << row.sfen << ' ' << row.move;
    }
}

TEST(QuiescencePolicy, LooksAtChecksAfterAThreatOfMateOnly) {
    const shogi::Position position = test::position("4k4/9/9/9/9/9/9/9/4K4 b G 1");
    const auto admits = [&](const char* move, bool threatened) {
        return with_policy(QuiescencePolicy::threatmate,
                           Admits{position, test::usi(move), policy::Scene{threatened, 1, 100}});
    };
    EXPECT_TRUE(admits("G*5b", true));
    EXPECT_FALSE(admits("G*5b", false));
    EXPECT_FALSE(admits("G*5h", true)) << "no check";
}

TEST(QuiescencePolicy, RatingLooksAtTheBestFifthRoundedUp) {
    const shogi::Position position = shogi::Position::even();
    const auto admitted = [&](int moves) {
        int count = 0;
        for (int rank = 1; rank <= moves; ++rank)
            count += with_policy(QuiescencePolicy::rating,
                                 Admits{position, test::usi("7g7f"), policy::Scene{false, rank, moves}})
                         ? 1
                         : 0;
        return count;
    };
    EXPECT_EQ(admitted(100), 20);
    EXPECT_EQ(admitted(6), 2);
    EXPECT_EQ(admitted(1), 1);
}

// What the categories mean, said once more without the functions that the policies use.
TEST(QuiescencePolicy, AdmitsOfAllLegalMovesExactlyThoseOfItsParts) {
    int admitted = 0;
    test::play_random_games(3, 120, 11, [&](shogi::Position& position) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        const shogi::Color us = position.side_to_move();
        for (const shogi::Move move : moves) {
            const auto admits = [&](QuiescencePolicy name) {
                return with_policy(name, Admits{position, move, policy::Scene{true, 50, 100}});
            };
            using enum QuiescencePolicy;
            const shogi::Hand before = position.hand(us);
            const shogi::Piece piece = position.piece_to_move(move);
            const bool attacked = !move.is_drop() && position.attackers(~us, move.from()).any();
            position.do_move(move);
            const bool captures = !move.is_drop() && position.hand(us) != before;
            const bool checks = position.in_check();
            position.undo_move();
            EXPECT_EQ(admits(capture), captures);
            EXPECT_EQ(admits(check), checks);
            EXPECT_EQ(admits(threatmate), checks);
            EXPECT_EQ(admits(promote), move.promotes());
            EXPECT_EQ(admits(king), piece.kind() == shogi::Kind::king);
            EXPECT_EQ(admits(escape), attacked);
            EXPECT_FALSE(admits(see) && !captures);
            const bool in_skep = admits(see) || admits(king) || admits(escape) || admits(promote);
            EXPECT_EQ(admits(skep), in_skep);
            EXPECT_EQ(admits(skep_check), in_skep || checks);
            EXPECT_EQ(admits(see_check), admits(see) || checks);
            EXPECT_EQ(admits(see_escape), admits(see) || attacked);
            EXPECT_TRUE(admits(all));
            EXPECT_FALSE(admits(eval));
            admitted += in_skep ? 1 : 0;
        }
    });
    EXPECT_GT(admitted, 1000);
}

TEST(QuiescencePolicy, GivesEveryNameAnotherMeaning) {
    std::set<std::string> names;
    std::set<QuiescencePolicy> meanings;
    for (const auto& [name, meaning] : quiescence_policies) {
        names.insert(name);
        meanings.insert(meaning);
    }
    EXPECT_EQ(names.size(), quiescence_policies.size());
    EXPECT_EQ(meanings.size(), quiescence_policies.size());
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
    using enum QuiescencePolicy;
    const std::vector<std::uint64_t> growing{nodes_of(eval), nodes_of(see), nodes_of(skep), nodes_of(skep_check),
                                             nodes_of(all)};
    EXPECT_TRUE(std::is_sorted(growing.begin(), growing.end()));
    EXPECT_LT(growing.front(), growing.back());
    EXPECT_LT(nodes_of(see_threatmate), nodes_of(see_check)) << "checks after threats are fewer than all checks";
    EXPECT_LT(nodes_of(rating), growing.back());
}

}  // namespace
}  // namespace tsumugi::search
