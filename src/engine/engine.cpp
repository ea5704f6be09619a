// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "engine/mate_helper.hpp"
#include "engine/setting.hpp"
#include "engine/skill.hpp"
#include "eval/net.hpp"
#include "eval/noise.hpp"
#include "shogi/movegen.hpp"
#include "think/win_rate.hpp"

namespace tsumugi::engine {
namespace {

using base::Error;
using base::Result;

// Passes on only as many lines as the user asked for.
class LineFilter : public think::Observer {
public:
    LineFilter(think::Observer& inner, int lines) : inner_(inner), lines_(lines) {}

    void on_line(const think::Line& line) override {
        if (line.rank <= lines_) inner_.on_line(line);
    }
    void on_text(const std::string& text) override { inner_.on_text(text); }

private:
    think::Observer& inner_;
    int lines_;
};

// Adds to every line what its score promises.
class WinRateTeller : public think::Observer {
public:
    WinRateTeller(think::Observer& inner, double scale) : inner_(inner), scale_(scale) {}

    void on_line(const think::Line& line) override {
        think::Line told = line;
        told.win_rate = think::win_rate(line.score, scale_);
        inner_.on_line(told);
    }
    void on_text(const std::string& text) override { inner_.on_text(text); }

private:
    think::Observer& inner_;
    double scale_;
};

// What the largest budget for one position can fill.
constexpr std::size_t helper_mebibytes = 32;

think::Answer move_answer(shogi::Move move) {
    think::Answer answer;
    answer.kind = think::Answer::Kind::move;
    answer.move = move;
    return answer;
}

}  // namespace

Engine::Engine(std::shared_ptr<search::SharedTable> table)
    : searcher_(std::move(table)), evaluator_(eval::default_evaluator()) {
    declare_options(options_);
    declare_book_options(options_);
    options_.add_button(
        "Clear_Hash", [this] { searcher_.clear(); }, "Forget what earlier searches found.");
}

std::string Engine::name() const { return program_name; }
std::string Engine::author() const { return "the Tsumugi authors"; }

search::Settings Engine::settings() const {
    search::Settings settings = search_settings(options_);
    settings.parameters = parameters_;
    return settings;
}

Result<Engine::EvaluationChoice> Engine::evaluation_choice() const {
    EvaluationChoice choice;
    choice.fv_scale = static_cast<int>(options_.spin("FV_SCALE"));
    std::filesystem::path file = options_.text("EvalFile");
    std::error_code problem;
    if (file == eval::material_name) {
        choice.file = file.string();
        return choice;
    }
    if (file.empty()) {
        const think::Option* folder = options_.find("EvalDir");
        file = std::filesystem::path(folder->value) / "nn.bin";
        if (!std::filesystem::exists(file, problem)) {
            // The usual folder need not exist: a net is built in. One that the user named must.
            if (folder->value == folder->initial || folder->value.empty()) return choice;
            return Error{Error::Code::io, fmt::format("EvalDir: there is no file '{}'", file.string())};
        }
    }
    choice.file = file.string();
    const auto written = std::filesystem::last_write_time(file, problem);
    choice.version = problem ? "" : std::to_string(written.time_since_epoch().count());
    return choice;
}

Result<void> Engine::prepare() {
    searcher_.configure(settings());
    if (options_.spin("MateHelperNodes") > 0 && !helper_solver_) {
        auto solver = mate::Solver::create({helper_mebibytes, 1});
        if (!solver) return solver.error();
        helper_solver_ = *std::move(solver);
    }
    const auto books = book_.prepare(options_);  // trouble with them must not keep the net from being loaded
    auto choice = evaluation_choice();
    if (!choice) return choice.error();
    if (*choice == loaded_) return books;
    auto evaluator = eval::choose_evaluator(choice->file, {.fv_scale = choice->fv_scale, .feature = {}});
    if (!evaluator) return evaluator.error().in("the net '" + choice->file + "' cannot be used");
    evaluator_ = *std::move(evaluator);
    loaded_ = *std::move(choice);
    if (sigma_ >= 0) searcher_.clear();  // the table holds scores of the evaluation before
    sigma_ = -1;
    return books;
}

void Engine::use_evaluator(double sigma) {
    const std::int64_t seed = options_.spin("EvalNoiseSeed");
    if (sigma == sigma_ && seed == noise_seed_) return;
    // Scores in the table are of the evaluation before.
    const bool changed = sigma_ >= 0;
    sigma_ = sigma;
    noise_seed_ = seed;
    searcher_.set_evaluator(
        sigma > 0 ? eval::with_noise(evaluator_, {.sigma = sigma, .seed = static_cast<std::uint64_t>(seed)})
                  : evaluator_);
    if (changed) searcher_.clear();
}

void Engine::new_game() {
    ++games_;
    promised_mate_ = 0;
    searcher_.configure(settings());
    searcher_.clear();
}

void Engine::game_over(think::GameResult) {}

Result<void> Engine::prepare_solver() {
    const mate::SolverSettings wanted{static_cast<std::size_t>(options_.spin("USI_Hash")),
                                      static_cast<int>(options_.spin("Threads"))};
    if (solver_ && wanted == solver_settings_) return {};
    solver_.reset();
    auto solver = mate::Solver::create(wanted);
    if (!solver) return solver.error();
    solver_ = *std::move(solver);
    solver_settings_ = wanted;
    return {};
}

think::MateAnswer Engine::find_mate(const shogi::Position& position, const think::Limits& limits,
                                    think::Observer& observer, std::stop_token stop) {
    think::MateAnswer answer;
    answer.kind = think::MateAnswer::Kind::unknown;
    if (const auto ready = prepare_solver(); !ready) {
        observer.on_text(ready.error().message);
        return answer;
    }
    mate::Limits chosen;
    if (limits.mate && *limits.mate != think::Milliseconds::max())
        chosen.deadline = base::Deadline::after(*limits.mate);
    if (limits.nodes) chosen.nodes = *limits.nodes;
    const base::Stopwatch watch;
    const mate::Verdict verdict = solver_->solve(position, position.side_to_move(), chosen, stop);
    if (verdict.outcome == mate::Outcome::no_mate) answer.kind = think::MateAnswer::Kind::none;
    if (verdict.outcome != mate::Outcome::mate) {
        observer.on_text(fmt::format("no mate {} in nodes {}",
                                     answer.kind == think::MateAnswer::Kind::none ? "exists: shown" : "was shown",
                                     verdict.nodes));
        return answer;
    }
    answer.kind = think::MateAnswer::Kind::mate;
    answer.moves = verdict.line;
    think::Line line;
    line.depth = verdict.length();
    line.score = {think::Score::Kind::mate, verdict.length(), think::Score::Bound::exact};
    line.nodes = verdict.nodes;
    line.time = watch.milliseconds();
    line.table_permille = solver_->permille_used();
    line.moves = verdict.line;
    observer.on_line(line);
    return answer;
}

think::Answer Engine::think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                            std::stop_token stop) {
    if (!options_.check("UCI_ShowWDL")) return decide(position, limits, observer, stop);
    WinRateTeller teller(observer, static_cast<double>(options_.spin("WinRateScale")));
    return decide(position, limits, teller, stop);
}

think::Answer Engine::decide(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                             const std::stop_token& stop) {
    outcome_ = {};
    if (position.king(shogi::Color::black).is_none() || position.king(shogi::Color::white).is_none()) {
        observer.on_text("a position without both kings can only be searched for mate");
        return {};
    }
    if (!shogi::has_legal_move(position)) return {};

    const search::Settings chosen = settings();
    searcher_.configure(chosen);
    think::Answer by_rule;  // resigning stands for nothing here
    if (shogi::can_declare_win(position, position.in_check(), chosen.entering_king))
        by_rule.kind = think::Answer::Kind::declare_win;
    if (chosen.entering_king == shogi::EnteringKingRule::try_rule)
        if (const shogi::Move step = shogi::try_move(position); !step.is_none()) by_rule = move_answer(step);
    const bool won_by_rule = by_rule.kind != think::Answer::Kind::resign;
    // Who analyses wants to see lines all the same, and who ponders must not answer yet.
    if (won_by_rule && !limits.infinite && !limits.ponder) return by_rule;
    if (!won_by_rule && !limits.infinite) {
        const book::ProbeResult found = book_.ask(position, limits, options_, games_);
        if (found.chosen) return play_from_book(found, position, limits, observer, stop);
        announce(found, observer);
    }
    const think::Answer answer = search(position, with_option_limits(limits, options_), observer, stop);
    return won_by_rule ? by_rule : answer;
}

think::Answer Engine::play_from_book(const book::ProbeResult& found, const shogi::Position& position,
                                     const think::Limits& limits, think::Observer& observer,
                                     const std::stop_token& stop) {
    if (limits.ponder) {
        // What is learned now serves the first move after the book.
        use_evaluator(static_cast<double>(options_.spin("EvalNoiseSigma")));
        search_until_reply(position, *limits.ponder_signal, observer, stop);
        const int book_depth = found.candidates[*found.chosen].stored.depth.value_or(0);
        if (options_.check("BookPreferDeeperSearch") && !outcome_.best.is_none() && outcome_.depth > book_depth) {
            observer.on_text(fmt::format("the search while pondering reached depth {}, the book {}: the search decides",
                                         outcome_.depth, book_depth));
            return answer_of(outcome_);
        }
        outcome_ = {};  // the answer is not the search's
    }
    announce(found, observer);
    return book_answer(found);
}

think::Answer Engine::search(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                             const std::stop_token& stop) {
    const auto level = skill_level(options_);
    if (level && !limits.infinite) return search_at_skill(*level, position, limits, observer, stop);
    use_evaluator(static_cast<double>(options_.spin("EvalNoiseSigma")));
    if (limits.ponder && options_.check("Stochastic_Ponder") && position.history() > 0) {
        ponder_before_reply(position, limits, observer, stop);
        think::Limits after = limits;
        after.ponder = false;
        after.ponder_signal.reset();
        if (limits.ponder_signal->is_hit()) {
            if (limits.ponder_signal->clock()) after.clock = limits.ponder_signal->clock();
            after.start = limits.ponder_signal->when();
        } else {
            after.depth = 1;  // the answer to a `stop` during pondering is not played
        }
        run_search(position, after, observer, stop);
    } else {
        run_search(position, limits, observer, stop);
    }
    think::Answer answer = answer_of(outcome_);
    if (!limits.infinite && resigns(answer.score)) answer.kind = think::Answer::Kind::resign;
    return answer;
}

void Engine::ponder_before_reply(const shogi::Position& position, const think::Limits& limits,
                                 think::Observer& observer, const std::stop_token& stop) {
    shogi::Position before = position;
    before.undo_move();
    // Lines from the opponent's side would confuse whoever reads them as ours.
    think::SilentObserver silence;
    observer.on_text("pondering on the position before the expected reply");
    search_until_reply(before, *limits.ponder_signal, silence, stop);
}

void Engine::search_until_reply(const shogi::Position& position, const think::PonderSignal& reply,
                                think::Observer& observer, const std::stop_token& stop) {
    std::stop_source enough;
    const auto request = [&enough] { enough.request_stop(); };
    const std::stop_callback on_stop(stop, request);
    const std::stop_callback on_hit(reply.token(), request);
    think::Limits open;
    open.infinite = true;
    run_search(position, open, observer, enough.get_token());
}

void Engine::run_search(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                        const std::stop_token& stop) {
    const auto run = [&] {
        outcome_ = wants_helper(limits)
                       ? search_with_helper(searcher_, *helper_solver_, position, limits, observer, stop,
                                            {.nodes = static_cast<std::uint64_t>(options_.spin("MateHelperNodes")),
                                             .last_move = static_cast<int>(options_.spin("MaxMovesToDraw"))},
                                            promised_mate_)
                       : searcher_.search(position, limits, observer, stop);
    };
    if (!limits.ponder_signal) return run();
    const std::stop_callback on_hit(limits.ponder_signal->token(),
                                    [&] { searcher_.ponder_hit(limits.ponder_signal->clock()); });
    run();
}

bool Engine::wants_helper(const think::Limits& limits) const {
    return helper_solver_ && options_.spin("MateHelperNodes") > 0 && options_.spin("MultiPV") == 1 &&
           limits.root_moves.empty() && !skill_level(options_);
}

think::Answer Engine::search_at_skill(double level, const shogi::Position& position, const think::Limits& limits,
                                      think::Observer& observer, const std::stop_token& stop) {
    const Skill skill = Skill::of_level(level);
    search::Settings weakened = settings();
    LineFilter filter(observer, weakened.multi_pv);
    weakened.multi_pv = std::max(weakened.multi_pv, skill.candidates);
    weakened.threads = 1;  // the same mistakes on every machine
    searcher_.configure(weakened);
    use_evaluator(std::max(skill.sigma, static_cast<double>(options_.spin("EvalNoiseSigma"))));
    think::Limits limited = limits;
    limited.nodes = std::min(limits.nodes.value_or(skill.nodes), skill.nodes);
    run_search(position, limited, filter, stop);
    think::Answer answer = answer_of(outcome_);
    if (outcome_.lines.size() > 1) {
        base::Random random(
            base::SplitMix64(position.key() + static_cast<std::uint64_t>(options_.spin("EvalNoiseSeed")))() + games_);
        const think::Line& line = outcome_.lines[choose(outcome_.lines, skill, random)];
        answer = move_answer(line.moves.front());
        if (line.moves.size() > 1) answer.ponder = line.moves[1];
        answer.score = line.score;
    }
    if (resigns(answer.score)) answer.kind = think::Answer::Kind::resign;
    return answer;
}

think::Answer Engine::answer_of(const search::Outcome& outcome) const {
    if (outcome.best.is_none()) return {};
    think::Answer answer = move_answer(outcome.best);
    answer.ponder = outcome.ponder;
    answer.score = outcome.score;
    return answer;
}

bool Engine::resigns(const think::Score& score) const {
    const auto limit = static_cast<int>(options_.spin("ResignValue"));
    if (limit >= 99999 || score.bound == think::Score::Bound::lower) return false;
    if (score.kind == think::Score::Kind::mate) return score.value <= 0;
    return score.value <= -limit;
}

}  // namespace tsumugi::engine
