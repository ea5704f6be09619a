// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    skep,
    skep_check,
    all,
};

namespace policy {

// What the engine plays with: captures and a ply of checks, pruned by what they can gain at best. Its rules use the
// bounds of the search, so they stand in the loop itself.
struct Standard {};

// Nothing: the evaluation decides.
struct Eval {
    static constexpr bool quiet_moves = false;
    template <typename P>
    static bool admits(const P&, shogi::Move) {
        return false;
    }
};

// Captures that win material.
struct See {
    static constexpr bool quiet_moves = false;
    template <typename P>
    static bool admits(const P& position, shogi::Move move) {
        return position.is_capture(move) && shogi::exchange_gains(position, move, 1);
    }
};

struct Capture {
    static constexpr bool quiet_moves = false;
    template <typename P>
    static bool admits(const P& position, shogi::Move move) {
        return position.is_capture(move);
    }
};

struct King {
    static constexpr bool quiet_moves = true;
    template <typename P>
    static bool admits(const P& position, shogi::Move move) {
        return !move.is_drop() && position.piece_at(move.from()).kind() == shogi::Kind::king;
    }
};

// Moves of pieces that could be taken.
struct Escape {
    static constexpr bool quiet_moves = true;
    template <typename P>
    static bool admits(const P& position, shogi::Move move) {
        return !move.is_drop() && position.is_attacked(~position.side_to_move(), move.from());
    }
};

struct Promote {
    static constexpr bool quiet_moves = true;
    template <typename P>
    static bool admits(const P&, shogi::Move move) {
        return move.promotes();
    }
};

struct Check {
    static constexpr bool quiet_moves = true;
    template <typename P>
    static bool admits(const P& position, shogi::Move move) {
        return position.gives_check(move);
    }
};

struct All {
    static constexpr bool quiet_moves = true;
    template <typename P>
    static bool admits(const P&, shogi::Move) {
        return true;
    }
};

// What any of the parts looks at.
template <typename... Parts>
struct SumOf {
    static constexpr bool quiet_moves = (Parts::quiet_moves || ...);
    template <typename P>
    static bool admits(const P& position, shogi::Move move) {
        return (Parts::admits(position, move) || ...);
    }
};

using Skep = SumOf<See, King, Escape, Promote>;
using SkepCheck = SumOf<Skep, Check>;

}  // namespace policy

// Calls visit.operator()<Policy>() with the type that a name stands for.
template <typename Visit>
auto with_policy(QuiescencePolicy name, const Visit& visit) {
    switch (name) {
        case QuiescencePolicy::eval: return visit.template operator()<policy::Eval>();
        case QuiescencePolicy::see: return visit.template operator()<policy::See>();
        case QuiescencePolicy::capture: return visit.template operator()<policy::Capture>();
        case QuiescencePolicy::king: return visit.template operator()<policy::King>();
        case QuiescencePolicy::escape: return visit.template operator()<policy::Escape>();
        case QuiescencePolicy::promote: return visit.template operator()<policy::Promote>();
        case QuiescencePolicy::check: return visit.template operator()<policy::Check>();
        case QuiescencePolicy::skep: return visit.template operator()<policy::Skep>();
        case QuiescencePolicy::skep_check: return visit.template operator()<policy::SkepCheck>();
        case QuiescencePolicy::all: return visit.template operator()<policy::All>();
        case QuiescencePolicy::standard: break;
    }
    return visit.template operator()<policy::Standard>();
}

}  // namespace tsumugi::search
