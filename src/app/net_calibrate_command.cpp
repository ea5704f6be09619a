// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/example.hpp"
#include "app/net_command.hpp"
#include "eval/nnue/calibration.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "shogi/position.hpp"

namespace tsumugi::app {
namespace {

using nlohmann::ordered_json;

struct CalibrateOptions {
    std::string net;
    std::string positions;
    std::string against = "results";
    std::string teacher;
    int teacher_fv_scale = 16;
    double winrate_scale = 600;
    double score_limit = 3000;
    std::size_t limit = 1'000'000;
    bool json = false;
};

base::Result<std::unique_ptr<eval::nnue::NetEvaluation>> start(const std::string& path,
                                                               std::shared_ptr<const eval::nnue::NetEvaluator>& keep) {
    const auto disk = open_net(path, {});
    if (!disk) return disk.error();
    auto evaluator = eval::nnue::make_evaluator(disk->net.parameters, 0, eval::nnue::best_kernel());
    if (!evaluator) return evaluator.error();
    keep = std::move(*evaluator);
    return keep->start_net();
}

base::Result<std::vector<eval::nnue::Observation>> observe(const CalibrateOptions& options) {
    const auto examples = read_examples(options.positions, options.limit);
    if (!examples) return examples.error();
    std::shared_ptr<const eval::nnue::NetEvaluator> student_keeper;
    std::shared_ptr<const eval::nnue::NetEvaluator> teacher_keeper;
    const auto student = start(options.net, student_keeper);
    if (!student) return student.error();
    std::unique_ptr<eval::nnue::NetEvaluation> teacher;
    if (!options.teacher.empty()) {
        auto started = start(options.teacher, teacher_keeper);
        if (!started) return started.error();
        teacher = std::move(*started);
    }
    const auto raw = [](eval::nnue::NetEvaluation& evaluation, const shogi::Board& board) {
        evaluation.reset(board);
        return static_cast<double>(evaluation.raw(board));
    };
    std::vector<eval::nnue::Observation> observations;
    for (const Example& example : *examples) {
        const auto position = shogi::Position::from(example.setup);
        if (!position || position->in_check()) continue;  // a static value means little there
        double target = options.against == "results" ? example.result : example.score;
        if (teacher) target = raw(*teacher, *position) / options.teacher_fv_scale;
        if (options.against != "results" && std::abs(target) > options.score_limit) continue;
        observations.push_back({raw(**student, *position), target});
    }
    return observations;
}

void calibrate_by_scores(const CalibrateOptions& options, const std::vector<eval::nnue::Observation>& observations,
                         Session& session) {
    const auto fit = eval::nnue::fit_scores(observations);
    if (!fit) return fail(session, fit.error().message);
    if (options.json) {
        fmt::print("{}\n", ordered_json{{"positions", fit->count},
                                        {"fv_scale", fit->slope},
                                        {"offset", fit->offset},
                                        {"correlation", fit->correlation}}
                               .dump(2));
        return;
    }
    fmt::print(
        "{} positions with scores up to {}\nFV_SCALE     {:.2f}\noffset       {:.1f} (in units of the net's "
        "output)\ncorrelation  {:.4f}\n",
        fit->count, options.score_limit, fit->slope, fit->offset, fit->correlation);
}

void calibrate_by_results(const CalibrateOptions& options, const std::vector<eval::nnue::Observation>& observations,
                          Session& session) {
    const auto fit = eval::nnue::fit_results(observations);
    if (!fit) return fail(session, fit.error().message);
    const double fv_scale = fit->scale / options.winrate_scale;
    const double winrate = fit->scale / eval::nnue::default_fv_scale;
    if (options.json) {
        fmt::print("{}\n", ordered_json{{"positions", fit->count},
                                        {"output_scale", fit->scale},
                                        {"fv_scale", fv_scale},
                                        {"winrate_scale_at_16", winrate},
                                        {"loss", fit->loss},
                                        {"baseline", fit->baseline}}
                               .dump(2));
        return;
    }
    fmt::print(
        "{} positions with results\nFV_SCALE       {:.2f} (for a win rate of 1 / (1 + exp(-score / {})))\nwin-rate "
        "scale {:.1f} at FV_SCALE {}\n"
        "loss           {:.5f} (mean result alone: {:.5f})\n",
        fit->count, fv_scale, options.winrate_scale, winrate, eval::nnue::default_fv_scale, fit->loss, fit->baseline);
}

void run_calibrate(const CalibrateOptions& options, Session& session) {
    const auto observations = observe(options);
    if (!observations) return fail(session, observations.error().message);
    if (options.against == "results" && options.teacher.empty())
        calibrate_by_results(options, *observations, session);
    else
        calibrate_by_scores(options, *observations, session);
}

}  // namespace

void add_net_calibrate_command(CLI::App& net, Session& session) {
    auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command = net.add_subcommand(
        "calibrate", "Fit FV_SCALE and the win-rate scale of a net to results, scores or another net");
    command->add_option("file", options->net, "The net (nn.bin)")->required();
    command
        ->add_option("--positions", options->positions,
                     "Training data, or lines of SFEN, score and result (1, 0, -1) separated by tabs")
        ->required();
    command->add_option("--against", options->against, "What to fit to")
        ->check(CLI::IsMember({"results", "scores"}))
        ->capture_default_str();
    command->add_option("--teacher", options->teacher, "Fit to the static scores of this net instead");
    command->add_option("--teacher-fv-scale", options->teacher_fv_scale, "Its FV_SCALE")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--winrate-scale", options->winrate_scale, "The score that wins 73 % of games")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--score-limit", options->score_limit, "Leave out scores beyond this")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--limit", options->limit, "Read at most so many positions")->capture_default_str();
    command->add_flag("--json", options->json, "Print JSON");
    command->footer(
        "Examples:\n  tsumugi net calibrate nn.bin --positions games.tsa\n  tsumugi net calibrate new.bin --positions "
        "positions.sfen --teacher nn.bin");
    command->callback([options, &session] { run_calibrate(*options, session); });
}

}  // namespace tsumugi::app
