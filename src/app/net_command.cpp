// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "base/hash.hpp"
#include "base/mapped_file.hpp"
#include "eval/nnue/calibration.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "record/packed_sfen.hpp"
#include "record/sfen.hpp"
#include "shogi/position.hpp"

namespace tsumugi::app {
namespace {

using nlohmann::ordered_json;

struct NetOnDisk {
    eval::nnue::NetFile net;
    std::string sha256;
};

base::Result<NetOnDisk> open_net(const std::string& path, const std::string& feature) {
    const auto file = base::MappedFile::open(path);
    if (!file) return file.error();
    auto net = eval::nnue::read_net_file(file->bytes(), feature);
    if (!net) return net.error().in(path);
    return NetOnDisk{std::move(*net), base::sha256_hex(file->text())};
}

// How the parameters of one section are spread.
struct Spread {
    static constexpr std::size_t bins = 16;

    std::string name;
    std::size_t count = 0;
    std::int64_t low = 0;
    std::int64_t high = 0;
    double mean = 0;
    double deviation = 0;
    double zeros = 0;                           // share
    std::array<std::size_t, bins> histogram{};  // equal steps from low to high
};

template <typename T>
Spread spread_of(std::string name, const std::vector<T>& values) {
    Spread s;
    s.name = std::move(name);
    s.count = values.size();
    if (values.empty()) return s;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    s.low = *low;
    s.high = *high;
    double sum = 0;
    double squares = 0;
    std::size_t zeros = 0;
    const double step = static_cast<double>(s.high - s.low + 1) / static_cast<double>(Spread::bins);
    for (const T value : values) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
        zeros += value == 0 ? 1 : 0;
        ++s.histogram[static_cast<std::size_t>(static_cast<double>(value - s.low) / step)];
    }
    const auto n = static_cast<double>(values.size());
    s.mean = sum / n;
    s.deviation = std::sqrt(std::max(squares / n - s.mean * s.mean, 0.0));
    s.zeros = static_cast<double>(zeros) / n;
    return s;
}

std::vector<Spread> spreads_of(const eval::nnue::Parameters& parameters) {
    std::vector<Spread> spreads;
    spreads.push_back(spread_of("transformer bias", parameters.transformer_bias));
    spreads.push_back(spread_of("transformer weights", parameters.transformer_weights));
    // Layer stacks are taken together.
    const std::array<std::pair<const char*, eval::nnue::Layer eval::nnue::LayerStack::*>, 3> layers{
        {{"layer 1", &eval::nnue::LayerStack::first},
         {"layer 2", &eval::nnue::LayerStack::second},
         {"output", &eval::nnue::LayerStack::output}}};
    for (const auto& [name, member] : layers) {
        std::vector<std::int32_t> bias;
        std::vector<std::int8_t> weights;
        for (const auto& stack : parameters.stacks) {
            const eval::nnue::Layer& layer = stack.*member;
            bias.insert(bias.end(), layer.bias.begin(), layer.bias.end());
            for (int o = 0; o < layer.outputs; ++o)
                for (int i = 0; i < layer.inputs; ++i)
                    weights.push_back(layer.weight(o, i));
        }
        spreads.push_back(spread_of(std::string(name) + " bias", bias));
        spreads.push_back(spread_of(std::string(name) + " weights", weights));
    }
    if (!parameters.progress.empty()) spreads.push_back(spread_of("progress", parameters.progress));
    return spreads;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

void print_info(const NetOnDisk& disk) {
    const auto& header = disk.net.header;
    const auto& a = disk.net.parameters.architecture;
    fmt::print("architecture   {}\n", a.name());
    fmt::print("recognised by  {}\n", joined(header.evidence));
    fmt::print("file           {} bytes, sha256 {}\n", header.file_bytes, disk.sha256);
    fmt::print("header         version {:#010x}, text \"{}\"\n", header.version, header.text);
    const auto verdict = [](std::uint32_t found, std::uint32_t expected) {
        return found == expected ? fmt::format("{:#010x}", found)
                                 : fmt::format("{:#010x} (usual: {:#010x})", found, expected);
    };
    fmt::print("hashes         file {}", verdict(header.file_hash, a.file_hash()));
    if (header.section_hashes)
        fmt::print(", transformer {}, network {}", verdict(header.transformer_hash, a.transformer_hash()),
                   verdict(header.network_hash, a.network_hash()));
    fmt::print("{}\n\n", header.section_hashes ? "" : ", none for the sections");
    fmt::print("{:<20} {:>11} {:>9} {:>9} {:>10} {:>10} {:>7}  {}\n", "section", "numbers", "lowest", "highest", "mean",
               "deviation", "zeros", "histogram from lowest to highest (%)");
    for (const Spread& s : spreads_of(disk.net.parameters)) {
        std::string histogram;
        for (const std::size_t bin : s.histogram)
            histogram += fmt::format(
                "{:3.0f}", 100.0 * static_cast<double>(bin) / static_cast<double>(std::max<std::size_t>(s.count, 1)));
        fmt::print("{:<20} {:>11} {:>9} {:>9} {:>10.2f} {:>10.2f} {:>6.1f}% {}\n", s.name, s.count, s.low, s.high,
                   s.mean, s.deviation, 100 * s.zeros, histogram);
    }
}

ordered_json info_json(const NetOnDisk& disk) {
    const auto& header = disk.net.header;
    const auto& a = disk.net.parameters.architecture;
    ordered_json sections = ordered_json::array();
    for (const Spread& s : spreads_of(disk.net.parameters))
        sections.push_back({{"name", s.name},
                            {"numbers", s.count},
                            {"lowest", s.low},
                            {"highest", s.high},
                            {"mean", s.mean},
                            {"deviation", s.deviation},
                            {"zeros", s.zeros},
                            {"histogram", s.histogram}});
    ordered_json json{{"architecture", a.name()},
                      {"features", std::string(eval::nnue::info(a.feature).name)},
                      {"inputs", eval::nnue::info(a.feature).inputs},
                      {"width", a.width},
                      {"layers", {a.first, a.second}},
                      {"layer_stacks", a.stacks.count()},
                      {"recognised_by", header.evidence},
                      {"bytes", header.file_bytes},
                      {"sha256", disk.sha256},
                      {"version", header.version},
                      {"text", header.text},
                      {"file_hash", header.file_hash}};
    if (header.section_hashes) {
        json["transformer_hash"] = header.transformer_hash;
        json["network_hash"] = header.network_hash;
    }
    json["sections"] = std::move(sections);
    return json;
}

struct InfoOptions {
    std::string file;
    std::string feature;
    bool json = false;
};

void run_info(const InfoOptions& options, Session& session) {
    const auto disk = open_net(options.file, options.feature);
    if (!disk) return fail(session, disk.error().message);
    if (options.json)
        fmt::print("{}\n", info_json(*disk).dump(2));
    else
        print_info(*disk);
}

// A position and the number that stands beside it: a score or a result.
struct Example {
    shogi::Setup setup;
    double score = 0;
    double result = 0.5;  // 1 when the side to move won
};

base::Result<std::vector<Example>> read_psv(const base::MappedFile& file, std::size_t limit) {
    constexpr std::size_t size = record::PackedSfenValue::size;
    if (file.size() == 0 || file.size() % size != 0)
        return base::Error{
            base::Error::Code::syntax,
            fmt::format("{} bytes are no whole number of {}-byte PackedSfenValue records", file.size(), size)};
    std::vector<Example> examples;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(file.text().data());
    for (std::size_t i = 0; i < file.size() / size && examples.size() < limit; ++i) {
        const auto value = record::read_packed_sfen_value(std::span<const std::uint8_t, size>(bytes + i * size, size));
        if (!value) return value.error().in(fmt::format("record {}", i + 1));
        const auto setup = record::from_packed_sfen(value->position);
        if (!setup) return setup.error().in(fmt::format("record {}", i + 1));
        examples.push_back({*setup, static_cast<double>(value->score), (1.0 + value->result) / 2});
    }
    return examples;
}

// Lines of "SFEN", "SFEN <tab> score" or "SFEN <tab> score <tab> result (1, 0 or -1)".
base::Result<std::vector<Example>> read_lines(const base::MappedFile& file, std::size_t limit) {
    std::vector<Example> examples;
    std::istringstream in{std::string(file.text())};
    std::string line;
    for (int number = 1; std::getline(in, line) && examples.size() < limit; ++number) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream cells(line);
        std::string sfen;
        std::string score;
        std::string result;
        std::getline(cells, sfen, '\t');
        std::getline(cells, score, '\t');
        std::getline(cells, result, '\t');
        const auto setup = record::parse_sfen(sfen == "startpos" ? std::string(record::even_sfen) : sfen);
        if (!setup) return setup.error().in(fmt::format("line {}", number));
        examples.push_back(
            {*setup, std::strtod(score.c_str(), nullptr), (1 + std::strtod(result.c_str(), nullptr)) / 2});
    }
    return examples;
}

base::Result<std::vector<Example>> read_examples(const std::string& path, std::size_t limit) {
    const auto file = base::MappedFile::open(path);
    if (!file) return file.error();
    // A packed position holds bytes that no text has.
    const std::string_view start = file->text().substr(0, 400);
    const bool is_text = std::all_of(start.begin(), start.end(), [](char c) {
        return c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c <= '~');
    });
    auto examples = is_text ? read_lines(*file, limit) : read_psv(*file, limit);
    if (!examples) return examples.error().in(path);
    return examples;
}

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

void add_info(CLI::App& net, Session& session) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* command =
        net.add_subcommand("info", "Say what a net file is: architecture, hashes, spread of its parameters");
    command->add_option("file", options->file, "The net (nn.bin)")->required();
    command->add_option("--feature", options->feature,
                        "Name the feature set when the file fits several, e.g. HalfKPKrank");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer("Example:\n  tsumugi net info nn.bin");
    command->callback([options, &session] { run_info(*options, session); });
}

void add_calibrate(CLI::App& net, Session& session) {
    auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command = net.add_subcommand(
        "calibrate", "Fit FV_SCALE and the win-rate scale of a net to results, scores or another net");
    command->add_option("file", options->net, "The net (nn.bin)")->required();
    command
        ->add_option("--positions", options->positions,
                     "PackedSfenValue records, or lines of SFEN, score and result (1, 0, -1) separated by tabs")
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
        "Examples:\n  tsumugi net calibrate nn.bin --positions games.psv\n  tsumugi net calibrate new.bin --positions "
        "positions.sfen --teacher nn.bin");
    command->callback([options, &session] { run_calibrate(*options, session); });
}

}  // namespace

void add_net_command(CLI::App& program, Session& session) {
    CLI::App* net = program.add_subcommand("net", "Look at evaluation nets and calibrate them");
    net->require_subcommand(1);
    add_info(*net, session);
    add_calibrate(*net, session);
}

}  // namespace tsumugi::app
