// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/example.hpp"
#include "app/net_command.hpp"
#include "base/random.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "learn/net_difference.hpp"
#include "report/table.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::app {
namespace {

using base::Result;
using learn::ScoreDifference;
using learn::SectionDifference;
using nlohmann::ordered_json;

struct DiffOptions {
    std::string first;
    std::string second;
    std::string feature;
    std::string positions;
    std::size_t limit = 10'000;
    int fv_scale = eval::nnue::default_fv_scale;
    bool json = false;
};

// Random moves lead to all kinds of positions, though not to those of good games.
void compare_random(learn::ScoreComparison& comparison, std::size_t count) {
    base::Random random(1);
    shogi::Position position = shogi::Position::even();
    for (std::size_t i = 0; i < count; ++i) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        if (moves.empty() || position.history() >= 120)
            position = shogi::Position::even();
        else
            position.do_move(moves[random.below(moves.size())]);
        comparison.add(position);
    }
}

Result<ScoreDifference> compare_scores(const DiffOptions& options, const NetOnDisk& a, const NetOnDisk& b) {
    const auto& kernel = eval::nnue::best_kernel();
    const auto first = eval::nnue::make_evaluator(a.net.parameters, options.fv_scale, kernel);
    if (!first) return first.error().in(options.first);
    const auto second = eval::nnue::make_evaluator(b.net.parameters, options.fv_scale, kernel);
    if (!second) return second.error().in(options.second);
    learn::ScoreComparison comparison(**first, **second);
    if (options.positions.empty()) {
        compare_random(comparison, options.limit);
        return comparison.difference();
    }
    const auto examples = read_examples(options.positions, options.limit);
    if (!examples) return examples.error();
    for (const Example& example : *examples)
        if (const auto position = shogi::Position::from(example.setup)) comparison.add(*position);
    return comparison.difference();
}

double share(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

void print_sections(const std::vector<SectionDifference>& sections) {
    report::Table table({"section", "numbers", "different %", "largest", "mean"});
    for (const SectionDifference& each : sections)
        table.add(
            {each.name, each.numbers, {100 * share(each.different, each.numbers), 2}, each.largest, {each.mean, 3}});
    fmt::print("{}\n", table.to_text());
}

void print_scores(const ScoreDifference& scores) {
    fmt::print(
        "{} positions: {:.2f} % have another score, {:.2f} % another side ahead\n"
        "difference   largest {}, mean {:.2f} of either sign and {:.2f} with it, deviation {:.2f}\n"
        "correlation  {:.5f}\n",
        scores.positions, 100 * share(scores.different, scores.positions),
        100 * share(scores.other_side, scores.positions), scores.largest, scores.mean, scores.bias, scores.deviation,
        scores.correlation);
}

ordered_json to_json(const std::optional<std::vector<SectionDifference>>& sections, const ScoreDifference& scores) {
    ordered_json json;
    json["sections"] = ordered_json::array();
    if (sections)
        for (const SectionDifference& each : *sections)
            json["sections"].push_back({{"name", each.name},
                                        {"numbers", each.numbers},
                                        {"different", each.different},
                                        {"largest", each.largest},
                                        {"mean", each.mean}});
    json["scores"] = {{"positions", scores.positions},
                      {"different", scores.different},
                      {"other_side", scores.other_side},
                      {"largest", scores.largest},
                      {"mean", scores.mean},
                      {"bias", scores.bias},
                      {"deviation", scores.deviation},
                      {"correlation", scores.correlation}};
    return json;
}

Result<void> run(const DiffOptions& options) {
    const auto a = open_net(options.first, options.feature);
    if (!a) return a.error();
    const auto b = open_net(options.second, options.feature);
    if (!b) return b.error();
    std::optional<std::vector<SectionDifference>> sections;
    if (a->net.parameters.architecture == b->net.parameters.architecture)
        sections = *learn::section_differences(a->net.parameters, b->net.parameters);
    const auto scores = compare_scores(options, *a, *b);
    if (!scores) return scores.error();
    if (options.json) {
        fmt::print("{}\n", to_json(sections, *scores).dump(2));
        return {};
    }
    for (const NetOnDisk* net : {&*a, &*b})
        fmt::print("{}  {}\n", net->sha256.substr(0, 16), net->net.parameters.architecture.name());
    fmt::print("\n");
    if (sections) print_sections(*sections);
    print_scores(*scores);
    return {};
}

}  // namespace

void add_net_diff_command(CLI::App& net, Session& session) {
    auto options = std::make_shared<DiffOptions>();
    CLI::App* command = net.add_subcommand("diff", "Compare two nets, number by number and on positions");
    command->add_option("first", options->first, "A net (nn.bin)")->required();
    command->add_option("second", options->second, "Another; only scores are compared when its shape differs")
        ->required();
    command->add_option("--positions", options->positions,
                        "Training data, or lines of SFEN (default: positions of random games)");
    command->add_option("--limit", options->limit, "Positions to compare at most")->capture_default_str();
    command->add_option("--fv-scale", options->fv_scale, "FV_SCALE of both")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--feature", options->feature, "Name the feature set when a file fits several");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer("Example:\n  tsumugi net diff old.bin new.bin --positions games.tsa");
    command->callback([options, &session] {
        if (const auto done = run(*options); !done) fail(session, done.error().message);
    });
}

}  // namespace tsumugi::app
