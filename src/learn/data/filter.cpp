// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/filter.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/thread.hpp"
#include "eval/net.hpp"
#include "learn/net_identity.hpp"

namespace tsumugi::learn::data {

using base::Result;
using nlohmann::ordered_json;
using record::ArchivedPly;

std::string FilterRules::json(const std::string& net) const {
    ordered_json rules{{"min_ply", min_ply},     {"max_ply", max_ply},   {"min_score", min_score},
                       {"max_score", max_score}, {"in_check", in_check}, {"loud_move", loud_move},
                       {"shortest", shortest},   {"longest", longest},   {"draws", draws}};
    if (quiet_margin) {
        rules["quiet_margin"] = *quiet_margin;
        rules["net_sha256"] = net;
    }
    return ordered_json{{"program", "tsumugi data filter"}, {"rules", std::move(rules)}}.dump();
}

Filter::Filter(const FilterRules& rules, std::shared_ptr<const eval::Evaluator> evaluator) : rules_(rules) {
    if (rules.quiet_margin) quiescence_.emplace(std::move(evaluator));
}

bool Filter::keeps(shogi::Position& position, shogi::Move best, int score) {
    const int size = std::abs(score);
    if (size < rules_.min_score || size > rules_.max_score) return false;
    if (position.in_check()) return rules_.in_check && !rules_.quiet_margin;
    if (!rules_.loud_move && is_loud(position, best)) return false;
    return !rules_.quiet_margin || quiescence_->is_quiet(position, *rules_.quiet_margin);
}

Result<bool> Filter::keeps(record::ArchivedGame& game) {
    if (game.plies.size() < rules_.shortest || game.plies.size() > rules_.longest) return false;
    if (!rules_.draws && game.result == record::HcpeResult::draw) return false;
    bool any = false;
    const auto replayed = replay(game, [&](shogi::Position& position, ArchivedPly& ply) {
        if (!ply.has_score()) return;
        const int before = position.move_number() - 1;
        if (before < rules_.min_ply || before > rules_.max_ply || !keeps(position, ply.move, ply.score))
            ply.score = ArchivedPly::no_score;
        any = any || ply.has_score();
    });
    if (!replayed) return replayed.error().in(fmt::format("game {}", game.number));
    return any;
}

Result<bool> Filter::keeps(Item& item) {
    if (auto* game = std::get_if<record::ArchivedGame>(&item)) return keeps(*game);
    const auto* value = std::get_if<record::PackedSfenValue>(&item);
    if (value == nullptr) return true;
    // The number of the move to come; writers that do not know it write 0.
    const int before = value->game_ply - 1;
    if (before >= 0 && (before < rules_.min_ply || before > rules_.max_ply)) return false;
    auto position = position_of(*value);
    if (!position) return position.error();
    return keeps(*position, value->move, value->score);
}

namespace {

// Judges items with several workers, and passes on what stays in the order in which it came.
class Sieve {
public:
    Sieve(const FilterSettings& settings, Sink& sink, const std::shared_ptr<const eval::Evaluator>& evaluator)
        : sink_(sink) {
        for (int i = 0; i < std::max(settings.workers, 1); ++i)
            filters_.push_back(std::make_unique<Filter>(settings.rules, evaluator));
    }

    Result<void> add(Item item) {
        waiting_ += scored_positions(item);
        batch_.push_back(std::move(item));
        return waiting_ >= judged_at_a_time ? flush() : Result<void>();
    }

    Result<void> flush() {
        std::vector<Result<bool>> stays(batch_.size(), false);
        base::parallel_for(batch_.size(), static_cast<int>(filters_.size()), [&](std::size_t i, int worker) {
            stays[i] = filters_[static_cast<std::size_t>(worker)]->keeps(batch_[i]);
        });
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            if (!stays[i]) return stays[i].error();
            if (!*stays[i]) continue;
            kept_.games += std::holds_alternative<record::ArchivedGame>(batch_[i]) ? 1U : 0U;
            kept_.positions += scored_positions(batch_[i]);
            if (const auto added = sink_.add(batch_[i]); !added) return added;
        }
        batch_.clear();
        waiting_ = 0;
        return {};
    }

    [[nodiscard]] const FlowReport& kept() const { return kept_; }

private:
    static constexpr std::uint64_t judged_at_a_time = 16384;  // positions

    Sink& sink_;
    std::vector<std::unique_ptr<Filter>> filters_;
    std::vector<Item> batch_;
    std::uint64_t waiting_ = 0;  // positions in the batch
    FlowReport kept_;
};

}  // namespace

Result<FilterReport> filter(const FilterSettings& settings, const Monitor& monitor) {
    if (const auto fine = check_output(settings.output, settings.inputs, settings.overwrite); !fine)
        return fine.error();
    const auto evaluator = eval::choose_evaluator(settings.net, {.fv_scale = settings.fv_scale, .feature = {}});
    if (!evaluator) return evaluator.error();
    const auto source = open_sources(settings.inputs);
    if (!source) return source.error();
    const auto sink = create_sink(settings.output);
    if (!sink) return sink.error();
    const auto net = net_identity(settings.net);
    if (!net) return net.error();
    if (const auto noted = (*sink)->add(Provenance{settings.rules.json(*net)}); !noted) return noted.error();
    Sieve sieve(settings, **sink, *evaluator);
    const auto poured = pour(
        **source, [&](Item& item) { return sieve.add(std::move(item)); }, monitor);
    if (!poured) return poured.error();
    if (const auto flushed = sieve.flush(); !flushed) return flushed.error();
    if (const auto finished = (*sink)->finish(); !finished) return finished.error();
    return FilterReport{*poured, sieve.kept()};
}

}  // namespace tsumugi::learn::data
