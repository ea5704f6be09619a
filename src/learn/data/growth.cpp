// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/growth.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/thread.hpp"
#include "eval/net.hpp"
#include "learn/data/format.hpp"
#include "learn/data/part_file.hpp"
#include "learn/data/sink.hpp"
#include "learn/data/source.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Error;
using base::Result;
using record::PackedSfenValue;

// What one worker is given, and how much of that is waited for at a time.
constexpr std::size_t positions_per_unit = 256;
constexpr std::size_t units_at_a_time = 64;

class Growth {
public:
    Growth(std::vector<std::unique_ptr<Grower>> growers, Sink& sink, const Monitor& monitor)
        : growers_(std::move(growers)), sink_(sink), monitor_(monitor) {}

    Result<void> add(const PackedSfenValue& value) {
        batch_.push_back(value);
        return batch_.size() == units_at_a_time * positions_per_unit ? flush() : Result<void>();
    }

    Result<void> flush() {
        const std::size_t units = (batch_.size() + positions_per_unit - 1) / positions_per_unit;
        std::vector<std::vector<PackedSfenValue>> grown(units);
        base::parallel_for(units, static_cast<int>(growers_.size()), [&](std::size_t unit, int worker) {
            if (monitor_.stop.stop_requested()) return;
            const std::size_t begin = unit * positions_per_unit;
            const auto part = std::span(batch_).subspan(begin, std::min(positions_per_unit, batch_.size() - begin));
            growers_[static_cast<std::size_t>(worker)]->grow(part, first_ + begin, grown[unit]);
        });
        if (monitor_.stop.stop_requested()) return stopped();
        first_ += batch_.size();
        batch_.clear();
        for (const auto& unit : grown) {
            written_ += unit.size();
            for (const PackedSfenValue& value : unit)
                if (const auto added = sink_.add(value); !added) return added;
        }
        return {};
    }

    [[nodiscard]] std::uint64_t written() const { return written_; }

private:
    std::vector<std::unique_ptr<Grower>> growers_;
    Sink& sink_;
    const Monitor& monitor_;
    std::vector<PackedSfenValue> batch_;
    std::uint64_t first_ = 0;  // number of the batch's first position
    std::uint64_t written_ = 0;
};

}  // namespace

void add_grown(std::vector<PackedSfenValue>& grown, const shogi::Board& board, int score, int max_score) {
    if (std::abs(score) > max_score) return;
    const auto packed = record::to_packed_sfen(board.setup());
    if (!packed) return;
    grown.push_back({*packed, static_cast<std::int16_t>(score), shogi::Move::none(),
                     static_cast<std::uint16_t>(board.move_number()), 0});
}

Result<GrowthReport> grow_positions(const GrowthSettings& settings, const MakeGrower& make_grower,
                                    const Monitor& monitor) {
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
    std::vector<std::unique_ptr<Grower>> growers;
    for (int i = 0; i < std::max(settings.workers, 1); ++i)
        growers.push_back(make_grower(*evaluator));
    Growth growth(std::move(growers), **sink, monitor);
    GrowthReport report;
    const auto poured = pour(
        **source,
        [&](Item& item) -> Result<void> {
            if (const auto* value = std::get_if<PackedSfenValue>(&item)) return growth.add(*value);
            const auto* game = std::get_if<record::ArchivedGame>(&item);
            if (game == nullptr) return {};
            return for_each_position(*game, [&](const PackedSfenValue& value) { return growth.add(value); });
        },
        monitor);
    if (!poured) return poured.error();
    report.read = *poured;
    if (const auto flushed = growth.flush(); !flushed) return flushed.error();
    if (const auto finished = (*sink)->finish(); !finished) return finished.error();
    report.written = growth.written();
    return report;
}

}  // namespace tsumugi::learn::data
