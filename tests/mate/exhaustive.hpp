// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::test {

// The truth about a mate problem, found without any cleverness: every position that checks and defences can reach is
// listed, and the lengths of mates are worked out backwards from the positions without a move. Only for problems
// whose positions can be listed; nothing is returned for others.
class Exhaustive {
public:
    Exhaustive(const shogi::Position& root, shogi::Color attacker, std::size_t most) : attacker_(attacker) {
        complete_ = list(root, most);
        if (complete_) work_out();
    }

    [[nodiscard]] bool complete() const { return complete_; }
    // Plies to mate with best play of both sides, or nothing when there is no mate.
    [[nodiscard]] std::optional<int> length() const { return nodes_.front().length; }

private:
    using Name = std::tuple<shogi::Key, std::uint32_t, std::uint32_t>;
    struct Node {
        bool attacking = false;
        std::vector<std::size_t> children;
        std::optional<int> length;
    };

    static Name name_of(const shogi::Position& p) {
        return {p.board_key(), p.hand(shogi::Color::black).bits(), p.hand(shogi::Color::white).bits()};
    }

    bool list(const shogi::Position& root, std::size_t most) {
        std::vector<shogi::Position> waiting{root};
        std::map<Name, std::size_t> numbers{{name_of(root), 0}};
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting.size() > most) return false;
            shogi::Position p = waiting[i];
            Node node;
            node.attacking = p.side_to_move() == attacker_;
            shogi::MoveList moves;
            shogi::legal_moves(p, moves);
            for (const shogi::Move move : moves) {
                if (node.attacking && !p.gives_check(move)) continue;
                p.do_move(move);
                const auto [place, fresh] = numbers.emplace(name_of(p), waiting.size());
                if (fresh) waiting.push_back(p);
                node.children.push_back(place->second);
                p.undo_move();
            }
            nodes_.push_back(std::move(node));
        }
        return true;
    }

    // In round n the mates of exactly n plies are found.
    void work_out() {
        bool found = true;
        for (int round = 0; found || round < 2; ++round) {
            found = false;
            std::vector<std::size_t> solved;
            for (std::size_t i = 0; i < nodes_.size(); ++i)
                if (!nodes_[i].length && is_mated(nodes_[i])) solved.push_back(i);
            for (const std::size_t i : solved)
                nodes_[i].length = round;
            found = !solved.empty();
        }
    }

    [[nodiscard]] bool is_mated(const Node& node) const {
        const auto solved = [&](std::size_t child) { return nodes_[child].length.has_value(); };
        return node.attacking ? std::any_of(node.children.begin(), node.children.end(), solved)
                              : std::all_of(node.children.begin(), node.children.end(), solved);
    }

    shogi::Color attacker_;
    bool complete_ = false;
    std::vector<Node> nodes_;
};

// Plies to mate within a limit, by trying every check and every defence.
inline std::optional<int> mate_within(shogi::Position& p, shogi::Color attacker, int plies) {
    const bool attacking = p.side_to_move() == attacker;
    if (attacking && plies <= 0) return std::nullopt;
    shogi::MoveList moves;
    shogi::legal_moves(p, moves);
    std::optional<int> best;
    if (!attacking && moves.empty()) return 0;
    for (const shogi::Move move : moves) {
        if (attacking && !p.gives_check(move)) continue;
        p.do_move(move);
        const auto below = mate_within(p, attacker, (attacking && best ? *best : plies) - 1);
        p.undo_move();
        if (!attacking && !below) return std::nullopt;
        if (below) best = attacking || !best ? *below + 1 : std::max(*best, *below + 1);
    }
    return best;
}

// A king in a corner, a few pieces about it, a few in hand; the attacker, to move, with or without a king of his own.
// A simple problem has no pieces that act from afar and little in hand, so that all its positions can be listed.
inline shogi::Setup random_problem(base::Random& random, shogi::Color attacker, bool simple) {
    using shogi::Kind;
    constexpr std::array<Kind, 13> kinds{Kind::pawn,   Kind::knight, Kind::silver,    Kind::gold,  Kind::pro_pawn,
                                         Kind::silver, Kind::gold,   Kind::pro_lance, Kind::lance, Kind::bishop,
                                         Kind::rook,   Kind::horse,  Kind::dragon};
    constexpr std::size_t stepping = 8;
    const auto turned = [&](shogi::Square s) { return attacker == shogi::Color::black ? s : s.rotated(); };
    shogi::Setup setup;
    setup.side_to_move = attacker;
    // Drawn one after the other: compilers differ in the order of arguments, and the problems must not.
    const auto square = [&](std::uint64_t files, std::uint64_t ranks) {
        const auto rank = static_cast<int>(random.below(ranks));
        const auto file = static_cast<int>(random.below(files));
        return shogi::Square::at(1 + file, 1 + rank);
    };
    setup.put(turned(square(2, 2)), shogi::Piece(~attacker, Kind::king));
    if (random.below(2) == 0) setup.put(turned(shogi::Square::at(9, 9)), shogi::Piece(attacker, Kind::king));
    const auto scatter = [&](shogi::Color color, std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            const shogi::Square s = turned(square(4, 4));
            const Kind kind = kinds[random.below(simple ? stepping : kinds.size())];
            if (setup.at(s).is_none()) setup.put(s, shogi::Piece(color, kind));
        }
    };
    scatter(attacker, 2 + random.below(3));
    scatter(~attacker, 1 + random.below(4));
    const auto give = [&](shogi::Color color, std::uint64_t most) {
        constexpr std::array<Kind, 4> plain{Kind::gold, Kind::pawn, Kind::silver, Kind::knight};
        for (std::uint64_t i = random.below(most + 1); i > 0; --i)
            setup.hand(color).add(simple ? plain[random.below(4)] : shogi::hand_kinds[random.below(7)]);
    };
    give(attacker, simple ? 2 : 3);
    if (!simple) give(~attacker, 2);
    return setup;
}

// Moves the attacker's king, or puts one, next to the pieces: it may be in check, pinned behind its own pieces, or in
// the way.
inline void bring_king_near(shogi::Setup& setup, base::Random& random, shogi::Color attacker) {
    const shogi::Piece king(attacker, shogi::Kind::king);
    for (int i = 0; i < shogi::Square::count; ++i)
        if (const auto s = shogi::Square::from_index(i); setup.at(s) == king) setup.put(s, shogi::Piece());
    while (true) {
        const auto file = 1 + static_cast<int>(random.below(5));
        const auto rank = 1 + static_cast<int>(random.below(5));
        const shogi::Square near = shogi::Square::at(file, rank);
        const shogi::Square s = attacker == shogi::Color::black ? near : near.rotated();
        if (!setup.at(s).is_none()) continue;
        setup.put(s, king);
        return;
    }
}

}  // namespace tsumugi::test
