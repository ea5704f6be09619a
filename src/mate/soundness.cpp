// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/soundness.hpp"

#include "shogi/movegen.hpp"

namespace tsumugi::mate {

using shogi::Move;
using shogi::Position;

std::vector<Trial> try_checks(Solver& solver, const Position& position, const Limits& each,
                              const std::stop_token& stop) {
    const shogi::Color attacker = position.side_to_move();
    shogi::MoveList checks;
    shogi::checking_moves(position, checks);
    std::vector<Trial> trials;
    Position p = position;
    for (const Move move : checks) {
        p.do_move(move);
        const Verdict verdict = solver.solve(p, attacker, each, stop);
        p.undo_move();
        trials.push_back({0, move, verdict.outcome, verdict.length() + 1});
    }
    return trials;
}

Soundness examine(Solver& solver, const Position& position, const std::vector<Move>& line, const Limits& each,
                  const std::stop_token& stop) {
    Soundness soundness;
    Position p = position;
    for (std::size_t ply = 0; ply < line.size(); ++ply) {
        const bool attacking = (line.size() - ply) % 2 == 1;
        if (attacking && ply + 1 < line.size())
            for (Trial trial : try_checks(solver, p, each, stop)) {
                if (trial.move == line[ply] || trial.outcome == Outcome::no_mate) continue;
                trial.ply = static_cast<int>(ply);
                (trial.outcome == Outcome::mate ? soundness.alternatives : soundness.open).push_back(trial);
            }
        p.do_move(line[ply]);
    }
    soundness.pieces_left = !p.hand(~p.side_to_move()).empty();
    return soundness;
}

}  // namespace tsumugi::mate
