// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/net_command.hpp"

namespace tsumugi::app {
namespace {

using nlohmann::ordered_json;

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

}  // namespace

void add_net_info_command(CLI::App& net, Session& session) {
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

}  // namespace tsumugi::app
