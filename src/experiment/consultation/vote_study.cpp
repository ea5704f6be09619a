// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/consultation/vote_study.hpp"

#include <fmt/format.h>

#include "ensemble/tally.hpp"

namespace tsumugi::experiment::consultation {
namespace {

using base::Error;
using base::Result;

// The decision on a position by players who know nothing of other positions.
shogi::Move decide(Council& council, const shogi::Position& position, const std::stop_token& stop) {
    think::SilentObserver silence;
    council.new_game();
    return council.think(position, {}, silence, stop).move;
}

Result<std::unique_ptr<Council>> make_ready(const Setting& setting, const Entrant& entrant) {
    auto council = Council::create(council_of(setting, entrant), {});
    if (!council) return council.error();
    if (const auto ready = (*council)->prepare(); !ready) return ready.error();
    return council;
}

void count(const Council& council, shogi::Move decided, shogi::Move plain, VoteCount& counted) {
    const auto candidates = ensemble::tally(council.poll().ballots);
    if (candidates.empty()) return;  // a win that is declared
    ++counted.positions;
    ++counted.by_moves[candidates.size() - 1];
    if (decided == plain) ++counted.decided_as_plain;
    for (const ensemble::Candidate& candidate : candidates)
        if (candidate.move == plain) counted.voted_as_plain += candidate.votes;
}

// The score for Black.
int evaluate(const eval::Evaluator& evaluator, const shogi::Position& position) {
    const auto evaluation = evaluator.start();
    evaluation->reset(position);
    const int score = evaluation->evaluate(position);
    return position.side_to_move() == shogi::Color::black ? score : -score;
}

}  // namespace

double VoteCount::mean_moves() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < by_moves.size(); ++i)
        sum += by_moves[i] * (i + 1);
    return positions == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(positions);
}

Result<std::vector<VoteCount>> count_votes(const Setting& setting, int players, std::span<const double> sigmas,
                                           std::uint64_t nodes, std::span<const TestPosition> positions,
                                           base::Progress& progress, const std::stop_token& stop) {
    const auto allowance = so_many_nodes(nodes);
    const auto plain = make_ready(setting, {1, 0, allowance});
    if (!plain) return plain.error();
    std::vector<shogi::Move> plain_moves;
    for (const TestPosition& each : positions)
        plain_moves.push_back(decide(**plain, each.position, stop));
    std::vector<VoteCount> counts;
    for (const double sigma : sigmas) {
        progress.note(fmt::format("noise of {}", fraction(sigma)));
        const auto council = make_ready(setting, {players, sigma, allowance});
        if (!council) return council.error();
        VoteCount counted;
        counted.sigma = sigma;
        counted.by_moves.resize(static_cast<std::size_t>(players));
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const shogi::Move decided = decide(**council, positions[i].position, stop);
            if (stop.stop_requested()) return Error{Error::Code::limit, "interrupted"};
            count(**council, decided, plain_moves[i], counted);
            progress.add();
        }
        counts.push_back(std::move(counted));
    }
    return counts;
}

std::vector<double> pawn_exchanges(const eval::Evaluator& evaluator, std::span<const TestPosition> positions) {
    std::vector<double> differences;
    for (const TestPosition& each : positions)
        for (const shogi::Color winner : shogi::both_colors) {
            shogi::Setup setup = each.position.setup();
            if (!setup.hand(~winner).has(shogi::Kind::pawn)) continue;
            setup.hand(~winner).remove(shogi::Kind::pawn);
            setup.hand(winner).add(shogi::Kind::pawn);
            const auto changed = shogi::Position::from(setup);
            if (!changed) continue;
            const int gain = evaluate(evaluator, *changed) - evaluate(evaluator, each.position);
            differences.push_back(winner == shogi::Color::black ? gain : -gain);
        }
    return differences;
}

}  // namespace tsumugi::experiment::consultation
