// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "mate/futile.hpp"
#include "mate/number.hpp"
#include "shogi/position.hpp"

namespace tsumugi::mate {

// The attacker's move in a claimed mate of at most `length` plies.
struct Claim {
    shogi::Move move;
    Plies length = 0;
};

// Asks whoever claims a mate what the attacker plays to mate within so many plies. Nothing when he has no answer.
using Guide = std::function<std::optional<Claim>(const shogi::Position&, Plies)>;

// Checks a claimed mate move by move against the rules alone: every attacker's move is legal and gives check, every
// legal defence is answered, and the plies left become fewer with every move, so that no position can repeat and every
// line ends, in a position without a legal move. It shares nothing with the search but the rules.
class Verifier {
public:
    Verifier(shogi::Color attacker, Guide guide, Counting counting = Counting::every_move)
        : attacker_(attacker), guide_(std::move(guide)), counting_(counting) {}

    // Is there a mate within `limit` plies? False means that the claim was not shown, not that there is none.
    [[nodiscard]] bool verify(const shogi::Position& position, Plies limit);
    // After a success: a line of the mate in which the defender holds out as long as he can. No defence takes longer,
    // so its length is that of the mate that was shown.
    [[nodiscard]] std::vector<shogi::Move> line(const shogi::Position& position) const;
    // Positions with the attacker to move that were checked.
    [[nodiscard]] std::size_t checked() const { return checked_; }

private:
    // A checked position with the attacker to move. It answers for the same board with more in his hand.
    struct Checked {
        shogi::Hand hand;
        shogi::Move move;
        Plies length;  // of the longest line from here
    };
    // A position of the line being checked.
    struct Step {
        shogi::Key board = 0;
        shogi::Hand hand;
        shogi::Move move;                   // the attacker's
        std::vector<shogi::Move> defences;  // not yet answered, the last one first
        Plies limit = 0;                    // for each of the positions after a defence
        Plies longest = 0;                  // of the lines so far
    };

    // The attacker's checked moves played out, one for each position: the length of a checked position is only a bound,
    // since shorter mates of positions behind it may have been checked later.
    class Play {
    public:
        Play(const Verifier& verifier, const shogi::Position& position);
        std::vector<shogi::Move> longest_line();

    private:
        // A position with the attacker to move.
        struct Followed {
            shogi::Move move;
            shogi::Move reply;  // the longest one; none at the end
            Plies length = 1;
        };
        struct Step {
            Followed found;
            std::vector<shogi::Move> defences;  // still to be followed
            shogi::Move answered;               // the one that is being followed
        };

        shogi::Move longest_of(const std::vector<shogi::Move>& defences);
        void follow();
        void enter();
        void leave();

        const Verifier& verifier_;
        shogi::Position position_;
        std::vector<Step> steps_;
        std::unordered_map<shogi::Key, Followed> followed_;  // by position, hands included
    };

    bool enter(Plies limit);
    bool run();
    // The defences that must be answered; none at the end of a mate.
    void defences(const shogi::Position& position, shogi::MoveList& moves) const;
    [[nodiscard]] const Checked* find(const shogi::Position& position, Plies limit) const;

    shogi::Color attacker_;
    Guide guide_;
    Counting counting_;
    std::optional<shogi::Position> position_;
    std::vector<Step> steps_;
    std::unordered_map<shogi::Key, std::vector<Checked>> boards_;
    std::size_t checked_ = 0;
};

}  // namespace tsumugi::mate
