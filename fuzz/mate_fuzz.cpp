// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/solver.hpp"
#include "property.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

// Any position that Position accepts, however strange, is solved without harm, and what is called a mate is one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto setup = record::parse_sfen(fuzz::text_of(data, size));
    if (!setup) return 0;
    auto position = shogi::Position::from(*setup);
    if (!position) return 0;
    static auto solver = mate::Solver::create({1, 1});  // making one takes longer than a run
    mate::Limits limits;
    limits.nodes = 500;
    const shogi::Color attacker = position->side_to_move();
    const mate::Verdict verdict = solver->solve(*position, attacker, limits);
    for (const shogi::Move move : verdict.line) {
        fuzz::require(position->is_legal(move), "every move of a mate is legal");
        const bool attacking = position->side_to_move() == attacker;
        position->do_move(move);
        fuzz::require(!attacking || position->in_check(), "every move of the attacker gives check");
    }
    if (verdict.outcome == mate::Outcome::mate)
        fuzz::require(position->in_check() && !shogi::has_legal_move(*position), "a mate ends in mate");
    return 0;
}
