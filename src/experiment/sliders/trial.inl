// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/sliders/trial.hpp"
#include "search/searcher.inl"
#include "shogi/perft.hpp"
#include "shogi/position.hpp"

namespace tsumugi::experiment::sliders {

template <shogi::slider::Method M>
class MethodTrial final : public Trial {
public:
    [[nodiscard]] const char* name() const override { return M::name; }
    [[nodiscard]] std::size_t table_bytes() const override { return M::table_bytes(); }
    [[nodiscard]] std::size_t state_bytes() const override { return sizeof(Occupied); }

    void load(const Workload& workload) override {
        boards_.clear();
        for (const shogi::Bitboard& board : workload.boards) {
            Occupied& occupied = boards_.emplace_back();
            board.for_each([&](shogi::Square s) { occupied.toggle(s); });
        }
        queries_ = workload.queries;
    }
    std::uint64_t run(Task task) override {
        using shogi::Color;
        switch (task) {
            case Task::bishop: return sum([](shogi::Square s, const Occupied& o) { return M::bishop(s, o); });
            case Task::rook: return sum([](shogi::Square s, const Occupied& o) { return M::rook(s, o); });
            case Task::lance:
                return sum([](shogi::Square s, const Occupied& o) { return M::template lance<Color::black>(s, o); });
            case Task::toggle:
                return sum([](shogi::Square s, Occupied& o) {
                    o.toggle(s);
                    return o.board();
                });
        }
        std::abort();  // unreachable: the switch names every value
    }

    void load(std::span<const shogi::Setup> setups) override {
        setups_.assign(setups.begin(), setups.end());
        positions_.clear();
        for (const shogi::Setup& setup : setups)
            positions_.push_back(*shogi::BasicPosition<M>::from(setup));
    }
    std::uint64_t perft(int depth) override {
        std::uint64_t leaves = 0;
        for (auto& position : positions_)
            leaves += shogi::perft(position, depth);
        return leaves;
    }
    EngineWork search(const std::shared_ptr<const eval::Evaluator>& evaluator, std::uint64_t nodes) override {
        prepare_engine(evaluator);
        think::SilentObserver silence;
        think::Limits limits;
        limits.nodes = nodes;
        EngineWork work;
        for (const shogi::Setup& setup : setups_) {
            const search::Outcome outcome = engine_->search(*shogi::Position::from(setup), limits, silence, {});
            work.nodes += outcome.nodes;
            work.checksum = 31 * work.checksum + outcome.best.bits() + static_cast<std::uint64_t>(outcome.score.value);
        }
        return work;
    }

private:
    using Occupied = typename M::Occupied;
    using Engine = search::BasicSearcher<shogi::BasicPosition<M>>;

    // Nothing that an earlier search learned may help a later one: all methods do the same work.
    void prepare_engine(const std::shared_ptr<const eval::Evaluator>& evaluator) {
        if (!engine_) {
            search::Settings settings;
            settings.table.kibibytes = 16 * 1024;
            engine_ = std::make_unique<Engine>();
            engine_->configure(settings);
        }
        engine_->set_evaluator(evaluator);
        engine_->clear();
    }

    template <typename F>
    std::uint64_t sum(F f) {
        std::uint64_t checksum = 0;
        for (const Workload::Query& query : queries_) {
            const shogi::Bitboard set = f(query.square, boards_[query.board]);
            checksum += set.low() ^ (set.high() << 32);
        }
        return checksum;
    }

    std::vector<Occupied> boards_;
    std::vector<Workload::Query> queries_;
    std::vector<shogi::Setup> setups_;
    std::vector<shogi::BasicPosition<M>> positions_;
    std::unique_ptr<Engine> engine_;
};

template <shogi::slider::Method M>
std::unique_ptr<Trial> make_trial() {
    return std::make_unique<MethodTrial<M>>();
}

}  // namespace tsumugi::experiment::sliders
