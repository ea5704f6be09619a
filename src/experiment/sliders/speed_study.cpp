// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/sliders/speed_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "base/random.hpp"
#include "experiment/processor_time.hpp"
#include "experiment/sliders/trial.hpp"
#include "shogi/movegen.hpp"
#include "shogi/position.hpp"
#include "shogi/slider/rotated.hpp"

namespace tsumugi::experiment::sliders {
namespace {

using shogi::Bitboard;
using shogi::Square;

constexpr std::size_t board_count = 2048;
constexpr int queries_per_board = 16;

// What a method did in one round. The checksum has to be the same for every method.
struct Work {
    std::uint64_t amount = 0;
    std::uint64_t checksum = 0;
};

struct AttackRace {
    const char* what;
    const Workload& workload;
    Task task;
    Speed MethodSpeed::*result;
};
struct PerftRace {
    const char* what;
    std::span<const shogi::Setup> setups;
    int depth;
    Speed MethodSpeed::*result;
};

struct EngineRace {
    const char* what;
    std::span<const shogi::Setup> setups;
    std::uint64_t nodes;  // in all of them together
    Speed MethodSpeed::*result;
};

Workload with_queries(std::vector<Bitboard> boards, base::Random& random) {
    Workload workload;
    for (std::uint32_t board = 0; board < boards.size(); ++board)
        for (int n = 0; n < queries_per_board; ++n)
            workload.queries.push_back({board, Square::from_index(static_cast<int>(random.below(Square::count)))});
    workload.boards = std::move(boards);
    return workload;
}

Workload random_workload(base::Random& random) {
    std::vector<Bitboard> boards(board_count);
    for (Bitboard& board : boards) {
        const double density = 0.2 + 0.4 * random.uniform();  // 16 to 49 pieces
        for (int i = 0; i < Square::count; ++i)
            if (random.chance(density)) board |= Bitboard::of(Square::from_index(i));
    }
    return with_queries(std::move(boards), random);
}

Workload game_workload(std::span<const shogi::Setup> positions, base::Random& random) {
    std::vector<Bitboard> boards;
    for (std::size_t n = 0; n < board_count; ++n) {
        const auto position = shogi::Position::from(positions[n % positions.size()]);
        boards.push_back(position->occupied());
    }
    return with_queries(std::move(boards), random);
}

// Runs all methods against each other, one kind of work after the other.
class Stadium {
public:
    Stadium(const SpeedOptions& options, base::Progress& progress)
        : rounds_(options.rounds), passes_(options.passes), progress_(progress), trials_(make_trials()) {
        for (const auto& trial : trials_) {
            MethodSpeed& result = results_.emplace_back();
            result.method = trial->name();
            result.table_bytes = trial->table_bytes();
            result.state_bytes = trial->state_bytes();
        }
    }

    base::Result<void> hold(const AttackRace& race) {
        for (auto& trial : trials_)
            trial->load(race.workload);
        // Methods that share tables would otherwise find them in the cache or not by their place in the round. Two
        // passes, because toggling twice changes nothing.
        const auto warm_up = [&](Trial& trial) { return trial.run(race.task) + trial.run(race.task); };
        return hold(race.what, race.result, rounds_, warm_up, [&](Trial& trial) {
            Work work;
            for (int pass = 0; pass < passes_; ++pass)
                work.checksum += trial.run(race.task);
            work.amount = race.workload.queries.size() * static_cast<std::size_t>(passes_);
            return work;
        });
    }
    base::Result<void> hold(const PerftRace& race) {
        for (auto& trial : trials_)
            trial->load(race.setups);
        const auto warm_up = [](Trial&) { return std::uint64_t{0}; };  // the trees are large enough
        return hold(race.what, race.result, rounds_, warm_up, [&](Trial& trial) {
            const std::uint64_t leaves = trial.perft(race.depth);
            return Work{leaves, leaves};
        });
    }
    base::Result<void> hold(const EngineRace& race, int rounds,
                            const std::shared_ptr<const eval::Evaluator>& evaluator) {
        for (auto& trial : trials_)
            trial->load(race.setups);
        const std::uint64_t nodes = std::max<std::uint64_t>(race.nodes / race.setups.size(), 1);
        const auto warm_up = [](Trial&) { return std::uint64_t{0}; };
        return hold(race.what, race.result, rounds, warm_up, [&](Trial& trial) {
            const EngineWork work = trial.search(evaluator, nodes);
            return Work{work.nodes, work.nodes ^ work.checksum << 20};
        });
    }
    [[nodiscard]] const std::vector<MethodSpeed>& results() const { return results_; }

private:
    template <typename WarmUp, typename Run>
    base::Result<void> hold(const char* what, Speed MethodSpeed::*result, int rounds, WarmUp warm_up, Run run) {
        std::vector<std::vector<double>> rates(trials_.size());
        std::optional<std::uint64_t> expected;
        for (int round = -1; round < rounds; ++round) {  // round -1 warms up
            for (std::size_t i = 0; i < trials_.size(); ++i) {
                const std::uint64_t warm = warm_up(*trials_[i]);
                const double start = processor_seconds();
                const Work work = run(*trials_[i]);
                const double seconds = processor_seconds() - start;
                const std::uint64_t checksum = work.checksum + warm;
                if (!expected) expected = checksum;
                if (*expected != checksum)
                    return base::Error{
                        base::Error::Code::range,
                        fmt::format("slider method {} disagrees with {} on {}: this is a bug, please report it",
                                    trials_[i]->name(), trials_[0]->name(), what)};
                // The processor clock may tick too coarsely for tiny amounts of work.
                if (round >= 0) rates[i].push_back(static_cast<double>(work.amount) / std::max(seconds, 1e-6) / 1e6);
            }
            progress_.add();
        }
        const std::vector<double>& reference = rates[reference_index()];
        for (std::size_t i = 0; i < trials_.size(); ++i) {
            std::vector<double> shares;
            for (std::size_t round = 0; round < reference.size(); ++round)
                shares.push_back(rates[i][round] / reference[round]);
            results_[i].*result = {Quartiles::of(rates[i]), Quartiles::of(shares)};
        }
        return {};
    }
    [[nodiscard]] std::size_t reference_index() const {
        std::size_t i = 0;
        while (results_[i].method != shogi::slider::Rotated::name)  // needs no special instructions: always there
            ++i;
        return i;
    }

    int rounds_;
    int passes_;
    base::Progress& progress_;
    std::vector<std::unique_ptr<Trial>> trials_;
    std::vector<MethodSpeed> results_;
};

}  // namespace

std::vector<shogi::Setup> random_game_positions(std::uint64_t seed, std::size_t count) {
    base::Random random(seed);
    std::vector<shogi::Setup> setups;
    while (setups.size() < count) {
        shogi::Position position = shogi::Position::even();
        const std::uint64_t length = 20 + random.below(100);
        shogi::MoveList moves;
        for (std::uint64_t ply = 0; ply < length; ++ply) {
            moves.clear();
            legal_moves(position, moves);
            if (moves.empty()) break;
            position.do_move(moves[random.below(moves.size())]);
        }
        if (!moves.empty()) setups.push_back(position.setup());
    }
    return setups;
}

base::Result<std::vector<MethodSpeed>> study_speed(const SpeedOptions& options, std::span<const shogi::Setup> positions,
                                                   std::span<const shogi::Setup> problems, base::Progress& progress) {
    base::Random random(options.seed);
    const Workload by_chance = random_workload(random);
    const Workload from_games = game_workload(positions, random);
    const std::array even{shogi::Setup::even()};
    Stadium stadium(options, progress);
    for (const AttackRace& race : {AttackRace{"bishops", by_chance, Task::bishop, &MethodSpeed::random_bishop},
                                   AttackRace{"rooks", by_chance, Task::rook, &MethodSpeed::random_rook},
                                   AttackRace{"lances", by_chance, Task::lance, &MethodSpeed::random_lance},
                                   AttackRace{"bishops", from_games, Task::bishop, &MethodSpeed::game_bishop},
                                   AttackRace{"rooks", from_games, Task::rook, &MethodSpeed::game_rook},
                                   AttackRace{"lances", from_games, Task::lance, &MethodSpeed::game_lance},
                                   AttackRace{"toggling", from_games, Task::toggle, &MethodSpeed::toggle}})
        if (const auto held = stadium.hold(race); !held) return held.error();
    for (const PerftRace& race : {PerftRace{"perft", even, options.even_depth, &MethodSpeed::even_perft},
                                  PerftRace{"perft", positions, options.game_depth, &MethodSpeed::game_perft}})
        if (const auto held = stadium.hold(race); !held) return held.error();
    if (options.engine_rounds == 0) return stadium.results();
    for (const EngineRace& race : {EngineRace{"a search", even, options.engine_nodes, &MethodSpeed::even_engine},
                                   EngineRace{"searches", problems, options.engine_nodes, &MethodSpeed::game_engine}})
        if (const auto held = stadium.hold(race, options.engine_rounds, options.evaluator); !held) return held.error();
    return stadium.results();
}

}  // namespace tsumugi::experiment::sliders
