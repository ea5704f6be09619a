// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "shogi/move.hpp"
#include "shogi/see.hpp"

// Which moves quiescence looks at when the side to move is not in check (in check it looks at evasions whatever the
// policy). A policy is a type: `admits` is inlined into the loop of Worker::quiescence, which exists once for each.

namespace tsumugi::search {

// The names of the policies, for choosing one at run time.
enum class QuiescencePolicy {
    standard,
    eval,
    see,
    capture,
    king,
    escape,
    promote,
    check,
    threatmate,
    see_escape,
    see_check,
    see_threatmate,
    skep,
    skep_check,
    skep_threatmate,
    rating,
    all,
};

constexpr std::array<std::pair<const char*, QuiescencePolicy>, 17> quiescence_policies{{
    {"Standard", QuiescencePolicy::standard},
    {"Eval", QuiescencePolicy::eval},
    {"SEE", QuiescencePolicy::see},
    {"Capture", QuiescencePolicy::capture},
    {"King", QuiescencePolicy::king},
    {"Escape", QuiescencePolicy::escape},
    {"Promote", QuiescencePolicy::promote},
    {"Check", QuiescencePolicy::check},
    {"Threatmate", QuiescencePolicy::threatmate},
    {"SEE+Escape", QuiescencePolicy::see_escape},
    {"SEE+Check", QuiescencePolicy::see_check},
    {"SEE+Threatmate", QuiescencePolicy::see_threatmate},
    {"SKEP", QuiescencePolicy::skep},
    {"SKEP+Check", QuiescencePolicy::skep_check},
    {"SKEP+Threatmate", QuiescencePolicy::skep_threatmate},
    {"Rating", QuiescencePolicy::rating},
    {"All", QuiescencePolicy::all},
}};

namespace policy {

// What a policy may know besides the position. Only what it asks for by the constants of Category is filled in.
struct Scene {
    bool threatened = false;  // did the side to move seem to threaten mate two plies ago?
    int rank = 0;             // of the move, from 1, among all by how likely they are to be best
    int moves = 0;            // how many there are
};

// What a policy needs, unless it says otherwise.
struct Category {
    static constexpr bool quiet_moves = true;      // moves besides captures and promotions of pawns
    static constexpr bool judges_threats = false;  // Scene::threatened
    static constexpr bool ranks_moves = false;     // Scene::rank and Scene::moves
};

// What the engine plays with: captures and a ply of checks, pruned by what they can gain at best. Its rules use the
// bounds of the search, so they stand in the loop itself.
struct Standard {};

// Nothing: the evaluation decides.
struct Eval : Category {
    static constexpr bool quiet_moves = false;
    template <typename P>
    static bool admits(const P&, shogi::Move, const Scene&) {
        return false;
    }
};

// Captures that win material.
struct See : Category {
    static constexpr bool quiet_moves = false;
    template <typename P>
    static bool admits(const P& position, shogi::Move move, const Scene&) {
        return position.is_capture(move) && shogi::exchange_gains(position, move, 1);
    }
};

struct Capture : Category {
    static constexpr bool quiet_moves = false;
    template <typename P>
    static bool admits(const P& position, shogi::Move move, const Scene&) {
        return position.is_capture(move);
    }
};

struct King : Category {
    template <typename P>
    static bool admits(const P& position, shogi::Move move, const Scene&) {
        return !move.is_drop() && position.piece_at(move.from()).kind() == shogi::Kind::king;
    }
};

// Moves of pieces that could be taken.
struct Escape : Category {
    template <typename P>
    static bool admits(const P& position, shogi::Move move, const Scene&) {
        return !move.is_drop() && position.is_attacked(~position.side_to_move(), move.from());
    }
};

struct Promote : Category {
    template <typename P>
    static bool admits(const P&, shogi::Move move, const Scene&) {
        return move.promotes();
    }
};

struct Check : Category {
    template <typename P>
    static bool admits(const P& position, shogi::Move move, const Scene&) {
        return position.gives_check(move);
    }
};

// Checks, but only to carry out a threat of mate that the opponent did not answer.
struct Threatmate : Category {
    static constexpr bool judges_threats = true;
    template <typename P>
    static bool admits(const P& position, shogi::Move move, const Scene& scene) {
        return scene.threatened && position.gives_check(move);
    }
};

// The fifth of the moves that is most likely to hold the best one.
struct Rating : Category {
    static constexpr bool ranks_moves = true;
    template <typename P>
    static bool admits(const P&, shogi::Move, const Scene& scene) {
        return 5 * (scene.rank - 1) < scene.moves;
    }
};

struct All : Category {
    template <typename P>
    static bool admits(const P&, shogi::Move, const Scene&) {
        return true;
    }
};

// What any of the parts looks at.
template <typename... Parts>
struct SumOf {
    static constexpr bool quiet_moves = (Parts::quiet_moves || ...);
    static constexpr bool judges_threats = (Parts::judges_threats || ...);
    static constexpr bool ranks_moves = (Parts::ranks_moves || ...);
    template <typename P>
    static bool admits(const P& position, shogi::Move move, const Scene& scene) {
        return (Parts::admits(position, move, scene) || ...);
    }
};

using Skep = SumOf<See, King, Escape, Promote>;

}  // namespace policy

// Calls visit.operator()<Policy>() with the type that a name stands for.
template <typename Visit>
auto with_policy(QuiescencePolicy name, const Visit& visit) {
    using namespace policy;
    switch (name) {
        case QuiescencePolicy::eval: return visit.template operator()<Eval>();
        case QuiescencePolicy::see: return visit.template operator()<See>();
        case QuiescencePolicy::capture: return visit.template operator()<Capture>();
        case QuiescencePolicy::king: return visit.template operator()<King>();
        case QuiescencePolicy::escape: return visit.template operator()<Escape>();
        case QuiescencePolicy::promote: return visit.template operator()<Promote>();
        case QuiescencePolicy::check: return visit.template operator()<Check>();
        case QuiescencePolicy::threatmate: return visit.template operator()<Threatmate>();
        case QuiescencePolicy::see_escape: return visit.template operator()<SumOf<See, Escape>>();
        case QuiescencePolicy::see_check: return visit.template operator()<SumOf<See, Check>>();
        case QuiescencePolicy::see_threatmate: return visit.template operator()<SumOf<See, Threatmate>>();
        case QuiescencePolicy::skep: return visit.template operator()<Skep>();
        case QuiescencePolicy::skep_check: return visit.template operator()<SumOf<Skep, Check>>();
        case QuiescencePolicy::skep_threatmate: return visit.template operator()<SumOf<Skep, Threatmate>>();
        case QuiescencePolicy::rating: return visit.template operator()<Rating>();
        case QuiescencePolicy::all: return visit.template operator()<All>();
        case QuiescencePolicy::standard: break;
    }
    return visit.template operator()<Standard>();
}

}  // namespace tsumugi::search
