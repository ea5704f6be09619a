// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/opening_book.hpp"
#include "eval/evaluation.hpp"
#include "mate/solver.hpp"
#include "search/searcher.hpp"
#include "think/player.hpp"

namespace tsumugi::engine {

// As it introduces itself, with its version.
constexpr const char* program_name = "Tsumugi 0.1.0";

// Tsumugi's own player: options, books, evaluation and search in one object.
class Engine : public think::Player {
public:
    // With a table of its own, or one that it shares with others; then the options about tables count for nothing.
    explicit Engine(std::shared_ptr<search::SharedTable> table = nullptr);

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::string author() const override;
    think::OptionSet& options() override { return options_; }

    // Loads the evaluation and the books that the options name. When that fails what is in use stays (at first the
    // built-in net and no book).
    base::Result<void> prepare() override;
    void new_game() override;
    think::Answer think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                        std::stop_token stop) override;
    think::MateAnswer find_mate(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                                std::stop_token stop) override;
    void game_over(think::GameResult result) override;

    // The numbers of the search, for whoever tunes them; they count from the next think() on.
    void set_parameters(const search::Parameters& parameters) { parameters_ = parameters; }
    [[nodiscard]] const search::Parameters& parameters() const { return parameters_; }

    // After prepare().
    [[nodiscard]] const std::shared_ptr<const eval::Evaluator>& evaluator() const { return evaluator_; }
    // Of the last think(), for statistics.
    [[nodiscard]] const search::Outcome& outcome() const { return outcome_; }

private:
    // What decides which evaluation is loaded; a change of the file counts.
    struct EvaluationChoice {
        std::string file;  // empty for the built-in net
        std::string version;
        int fv_scale = 0;

        bool operator==(const EvaluationChoice&) const = default;
    };

    [[nodiscard]] search::Settings settings() const;
    [[nodiscard]] base::Result<EvaluationChoice> evaluation_choice() const;
    void use_evaluator(double sigma);
    think::Answer play_from_book(const book::ProbeResult& found, const shogi::Position& position,
                                 const think::Limits& limits, think::Observer& observer, const std::stop_token& stop);
    think::Answer search(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                         const std::stop_token& stop);
    think::Answer decide(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                         const std::stop_token& stop);
    think::Answer search_at_skill(double level, const shogi::Position& position, const think::Limits& limits,
                                  think::Observer& observer, const std::stop_token& stop);
    void ponder_before_reply(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                             const std::stop_token& stop);
    void search_until_reply(const shogi::Position& position, const think::PonderSignal& reply,
                            think::Observer& observer, const std::stop_token& stop);
    void run_search(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                    const std::stop_token& stop);
    [[nodiscard]] bool wants_helper(const think::Limits& limits) const;
    [[nodiscard]] think::Answer answer_of(const search::Outcome& outcome) const;
    [[nodiscard]] bool resigns(const think::Score& score) const;
    base::Result<void> prepare_solver();

    think::OptionSet options_;
    OpeningBook book_;
    search::Parameters parameters_;
    search::Searcher searcher_;
    std::optional<mate::Solver> solver_;  // made when first asked for a mate
    mate::SolverSettings solver_settings_;
    std::optional<mate::Solver> helper_solver_;  // made when the options first ask for a helper
    std::uint64_t promised_mate_ = 0;            // see search_with_helper
    search::Outcome outcome_;
    std::shared_ptr<const eval::Evaluator> evaluator_;  // as loaded
    EvaluationChoice loaded_;
    double sigma_ = -1;  // of the noise the searcher's evaluator has; negative before there is one
    std::int64_t noise_seed_ = 0;
    std::uint64_t games_ = 0;
};

}  // namespace tsumugi::engine
