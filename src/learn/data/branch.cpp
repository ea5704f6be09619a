// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/branch.hpp"

#include <cstdlib>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/thread.hpp"
#include "eval/net.hpp"
#include "learn/data/format.hpp"
#include "learn/data/part_file.hpp"
#include "learn/data/quiescence.hpp"
#include "learn/data/sink.hpp"
#include "learn/data/source.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Error;
using base::Result;
using record::PackedSfenValue;

// Positions that are worked on at a time.
constexpr std::size_t positions_at_a_time = 16384;

bool play_random_move(shogi::Position& position, base::Random& random) {
    shogi::MoveList moves;
    shogi::legal_moves(position, moves, shogi::Promotion::sensible);
    if (moves.empty()) return false;
    position.do_move(moves[random.below(moves.size())]);
    return true;
}

class Branching {
public:
    Branching(const BranchSettings& settings, Sink& sink, const std::shared_ptr<const eval::Evaluator>& evaluator)
        : settings_(settings), sink_(sink) {
        for (int i = 0; i < settings.workers; ++i)
            judges_.push_back(std::make_unique<Quiescence>(evaluator));
    }

    Result<void> add(const PackedSfenValue& value) {
        batch_.push_back(value);
        return batch_.size() == positions_at_a_time ? flush() : Result<void>();
    }

    Result<void> flush() {
        const auto count = static_cast<std::size_t>(settings_.count);
        std::vector<std::optional<PackedSfenValue>> grown(batch_.size() * count);
        base::parallel_for(batch_.size(), settings_.workers, [&](std::size_t i, int worker) {
            for (std::size_t n = 0; n < count; ++n)
                grown[i * count + n] =
                    grow(batch_[i], first_ + i * count + n, *judges_[static_cast<std::size_t>(worker)]);
        });
        first_ += grown.size();
        batch_.clear();
        for (const auto& each : grown) {
            if (!each) continue;
            ++written_;
            if (const auto added = sink_.add(*each); !added) return added;
        }
        return {};
    }

    [[nodiscard]] std::uint64_t written() const { return written_; }

private:
    [[nodiscard]] std::optional<PackedSfenValue> grow(const PackedSfenValue& value, std::uint64_t number,
                                                      Quiescence& judge) const {
        auto position = position_of(value);
        if (!position) return std::nullopt;
        base::Random random(base::SplitMix64(settings_.seed)() ^ base::SplitMix64(number)());
        for (auto left = random.between(1, settings_.moves); left > 0; --left)
            if (!play_random_move(*position, random)) return std::nullopt;
        if (position->in_check() || !shogi::has_legal_move(*position)) return std::nullopt;
        const Quiescence::Verdict verdict = judge.judge(*position);
        for (const shogi::Move move : verdict.line)
            position->do_move(move);
        if (position->in_check()) return std::nullopt;
        const int score = verdict.line.size() % 2 == 0 ? verdict.after : -verdict.after;
        const auto packed = record::to_packed_sfen(position->setup());
        if (std::abs(score) > settings_.max_score || !packed) return std::nullopt;
        return PackedSfenValue{*packed, static_cast<std::int16_t>(score), shogi::Move::none(),
                               static_cast<std::uint16_t>(position->move_number()), 0};
    }

    const BranchSettings& settings_;
    Sink& sink_;
    std::vector<std::unique_ptr<Quiescence>> judges_;
    std::vector<PackedSfenValue> batch_;
    std::uint64_t first_ = 0;  // number of the batch's first new position
    std::uint64_t written_ = 0;
};

}  // namespace

Result<BranchReport> branch(const BranchSettings& settings, const Monitor& monitor) {
    if (const auto fine = check_output(settings.output, settings.inputs, settings.overwrite); !fine)
        return fine.error();
    if (holds_games(format_of(settings.output)))
        return Error{Error::Code::unsupported, fmt::format("{}: single positions come out, write them to .psv or .hcpe",
                                                           settings.output.string())};
    const auto evaluator = eval::choose_evaluator(settings.net, {.fv_scale = settings.fv_scale, .feature = {}});
    if (!evaluator) return evaluator.error();
    const auto source = open_sources(settings.inputs);
    if (!source) return source.error();
    const auto sink = create_sink(settings.output);
    if (!sink) return sink.error();
    Branching branching(settings, **sink, *evaluator);
    BranchReport report;
    const auto poured = pour(
        **source,
        [&](Item& item) -> Result<void> {
            if (const auto* value = std::get_if<PackedSfenValue>(&item)) return branching.add(*value);
            const auto* game = std::get_if<record::ArchivedGame>(&item);
            if (game == nullptr) return {};
            return for_each_position(*game, [&](const PackedSfenValue& value) { return branching.add(value); });
        },
        monitor);
    if (!poured) return poured.error();
    report.read = *poured;
    if (const auto flushed = branching.flush(); !flushed) return flushed.error();
    if (const auto finished = (*sink)->finish(); !finished) return finished.error();
    report.written = branching.written();
    return report;
}

}  // namespace tsumugi::learn::data
