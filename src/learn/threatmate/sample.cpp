// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/threatmate/sample.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/random.hpp"
#include "base/thread.hpp"
#include "mate/solver.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::learn::threatmate {
namespace {

using base::Error;
using base::Result;
using shogi::Move;
using shogi::Position;

constexpr std::size_t solver_mebibytes = 16;
// Other moves of a position that are tried until one does not threaten mate.
constexpr int most_attempts = 8;

// Goes through one game.
class GameReader {
public:
    GameReader(mate::Solver& solver, const SampleSettings& settings, std::size_t game, const std::stop_token& stop)
        : solver_(solver),
          settings_(settings),
          game_(game),
          random_(base::SplitMix64(settings.seed + game)()),
          stop_(stop) {}

    SampleSet read(const record::tool::GameLine& line) {
        auto position = Position::from(line.start);
        if (!position) return std::move(set_);
        std::vector<Sample> harmless;  // what was played without a threat
        for (std::size_t ply = 0; ply < line.moves.size() && !stop_.stop_requested(); ++ply) {
            const Move move = line.moves[ply];
            if (static_cast<int>(ply) >= settings_.from_ply)
                if (auto sample = sample_of(*position, move)) {
                    if (sample->threat) {
                        set_.samples.push_back(*sample);
                        add_other(*position, move);
                    } else {
                        harmless.push_back(*sample);
                    }
                }
            position->do_move(move);
        }
        const std::size_t wanted = std::min(3 * set_.threats() - set_.samples.size(), harmless.size());
        random_.shuffle(std::span(harmless));
        set_.samples.insert(set_.samples.end(), harmless.begin(),
                            harmless.begin() + static_cast<std::ptrdiff_t>(wanted));
        set_.games = 1;
        return std::move(set_);
    }

private:
    // Nothing where the question cannot be asked or is not answered.
    std::optional<Sample> sample_of(Position& position, Move move) {
        if (!search::threatmate::may_threaten(position, move)) return std::nullopt;
        ++set_.moves;
        const mate::Outcome outcome = ask(position, move);
        if (outcome == mate::Outcome::unknown) {
            ++set_.unsettled;
            return std::nullopt;
        }
        return Sample{search::threatmate::observe(position, move), outcome == mate::Outcome::mate, game_};
    }

    // Would there be a mate if the opponent passed after the move?
    mate::Outcome ask(Position& position, Move move) {
        const shogi::Color us = position.side_to_move();
        position.do_move(move);
        shogi::Setup setup = position.setup();
        position.undo_move();
        setup.side_to_move = us;
        const auto passed = Position::from(setup);
        if (!passed) return mate::Outcome::unknown;
        mate::Limits limits;
        limits.nodes = settings_.solver_nodes;
        return solver_.solve(*passed, us, limits, stop_).outcome;
    }

    void add_other(Position& position, Move played) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            const Move other = moves[random_.below(moves.size())];
            if (other == played) continue;
            const auto sample = sample_of(position, other);
            if (!sample || sample->threat) continue;
            set_.samples.push_back(*sample);
            return;
        }
    }

    mate::Solver& solver_;
    const SampleSettings& settings_;
    std::size_t game_;
    base::Random random_;
    std::stop_token stop_;
    SampleSet set_;
};

void append(SampleSet& all, SampleSet&& more) {
    std::move(more.samples.begin(), more.samples.end(), std::back_inserter(all.samples));
    all.games += more.games;
    all.moves += more.moves;
    all.unsettled += more.unsettled;
}

}  // namespace

std::size_t SampleSet::threats() const {
    return static_cast<std::size_t>(
        std::count_if(samples.begin(), samples.end(), [](const Sample& each) { return each.threat; }));
}

Result<SampleSet> gather_samples(std::span<const record::tool::GameLine> games, const SampleSettings& settings,
                                 base::Progress& progress, const std::stop_token& stop) {
    std::vector<mate::Solver> solvers;
    for (int i = 0; i < settings.threads; ++i) {
        auto solver = mate::Solver::create({solver_mebibytes, 1});
        if (!solver) return solver.error();
        solvers.push_back(*std::move(solver));
    }
    // Whole batches, so that it does not depend on the threads where the work ends.
    constexpr std::size_t batch = 32;
    SampleSet all;
    for (std::size_t begin = 0; begin < games.size() && all.threats() < settings.threats; begin += batch) {
        const std::size_t count = std::min(batch, games.size() - begin);
        std::vector<SampleSet> sets(count);
        base::parallel_for(count, settings.threads, [&](std::size_t i, int worker) {
            sets[i] =
                GameReader(solvers[static_cast<std::size_t>(worker)], settings, begin + i, stop).read(games[begin + i]);
            progress.add(sets[i].threats());
        });
        if (stop.stop_requested()) return Error{Error::Code::limit, "interrupted"};
        for (SampleSet& each : sets)
            append(all, std::move(each));
    }
    return all;
}

}  // namespace tsumugi::learn::threatmate
