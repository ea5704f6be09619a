// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/leaf.hpp"

#include <fmt/format.h>

#include "base/random.hpp"
#include "eval/mirror.hpp"
#include "eval/net.hpp"
#include "learn/data/item.hpp"
#include "search/searcher.hpp"

namespace tsumugi::learn::data {
namespace {

using record::PackedSfenValue;

using SharedEvaluator = std::shared_ptr<const eval::Evaluator>;

// Takes down some of the evaluations of one search thread, with the score of the one who searches, or, where somebody
// else has to answer, with his.
class Minutes {
public:
    Minutes(int every, int max_score, std::unique_ptr<eval::Evaluation> other)
        : every_(every), max_score_(max_score), other_(std::move(other)) {}

    void begin(std::uint64_t seed, std::vector<PackedSfenValue>& taken) {
        random_ = base::Random(seed);
        taken_ = &taken;
        wait();
    }

    void hear(const shogi::Board& board, int score) {
        if (--left_ > 0) return;
        add_grown(*taken_, board, other_ ? other_answer(board) : score, max_score_);
        wait();
    }

private:
    int other_answer(const shogi::Board& board) {
        other_->reset(board);
        return other_->evaluate(board);
    }

    // Until the next, on average as many as asked for, but never in step with what the search repeats.
    void wait() { left_ = random_.between(1, 2 * every_ - 1); }

    const int every_;
    const int max_score_;
    std::unique_ptr<eval::Evaluation> other_;  // may be nobody
    base::Random random_{0};
    std::vector<PackedSfenValue>* taken_ = nullptr;
    std::int64_t left_ = 0;
};

class OverheardEvaluation final : public eval::Evaluation {
public:
    OverheardEvaluation(std::unique_ptr<eval::Evaluation> inner, Minutes& minutes)
        : Evaluation(*inner), inner_(std::move(inner)), minutes_(minutes) {}

    void reset(const shogi::Board& root) override { inner_->reset(root); }

    int evaluate(const shogi::Board& board) override {
        const int score = inner_->evaluate(board);
        minutes_.hear(board, score);
        return score;
    }

private:
    std::unique_ptr<eval::Evaluation> inner_;
    Minutes& minutes_;
};

class OverheardEvaluator final : public eval::Evaluator {
public:
    OverheardEvaluator(SharedEvaluator inner, Minutes& minutes) : inner_(std::move(inner)), minutes_(minutes) {}

    [[nodiscard]] std::unique_ptr<eval::Evaluation> start() const override {
        return std::make_unique<OverheardEvaluation>(inner_->start(), minutes_);
    }
    [[nodiscard]] std::string description() const override { return inner_->description(); }

private:
    SharedEvaluator inner_;
    Minutes& minutes_;
};

class LeafSampler final : public Grower {
public:
    // Without an explorer, the one who answers searches.
    LeafSampler(const LeafSettings& settings, const SharedEvaluator& answers, const SharedEvaluator& explorer)
        : settings_(settings),
          answers_(answers),
          minutes_(settings.every, settings.max_score, explorer ? answers->start() : nullptr) {
        search::Settings options;
        options.table.kibibytes = static_cast<std::size_t>(settings.table_mib) * 1024;
        searcher_.configure(options);
        searcher_.set_evaluator(std::make_shared<const OverheardEvaluator>(explorer ? explorer : answers, minutes_));
        limits_.soft_nodes = settings.nodes;
        limits_.nodes = 10 * settings.nodes;
    }

    void grow(std::span<const PackedSfenValue> positions, std::uint64_t first,
              std::vector<PackedSfenValue>& grown) override {
        searcher_.clear();
        minutes_.begin(base::SplitMix64(settings_.seed)() ^ base::SplitMix64(first)(), grown);
        for (const PackedSfenValue& value : positions) {
            const auto position = position_of(value);
            if (!position) continue;
            think::SilentObserver silence;
            searcher_.search(*position, limits_, silence, {});
        }
    }

private:
    const LeafSettings& settings_;
    think::Limits limits_;
    SharedEvaluator answers_;  // outlives its evaluation
    Minutes minutes_;          // outlives the searcher, whose evaluation speaks to it
    search::Searcher searcher_;
};

}  // namespace

base::Result<GrowthReport> sample_leaves(const LeafSettings& settings, const Monitor& monitor) {
    if (settings.nodes == 0 || settings.every < 1)
        return base::Error{
            base::Error::Code::range,
            fmt::format("{} nodes and one of {} evaluations: both must be at least 1", settings.nodes, settings.every)};
    SharedEvaluator explorer;
    if (!settings.explorer.empty()) {
        const auto chosen = eval::choose_evaluator(settings.explorer, {});
        if (!chosen) return chosen.error();
        explorer = *chosen;
    }
    return grow_positions(
        settings,
        [&](const SharedEvaluator& net) {
            if (!settings.mirror_image) return std::make_unique<LeafSampler>(settings, net, explorer);
            return std::make_unique<LeafSampler>(settings, eval::with_mirror_image(net), explorer ? explorer : net);
        },
        monitor);
}

}  // namespace tsumugi::learn::data
