// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/match_config.hpp"

#include <array>
#include <cstdlib>
#include <functional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "base/mapped_file.hpp"
#include "base/text.hpp"

namespace tsumugi::arena {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;

using Setters = std::vector<std::pair<std::string_view, std::function<Result<void>(std::string_view)>>>;

std::function<Result<void>(std::string_view)> number_into(int& target, int low, int high) {
    return [&target, low, high](std::string_view text) -> Result<void> {
        const auto number = base::parse_number<int>(text, low, high);
        if (!number) return number.error();
        target = *number;
        return {};
    };
}

std::function<Result<void>(std::string_view)> number_into(double& target, double low, double high) {
    return [&target, low, high](std::string_view text) -> Result<void> {
        const auto number = base::parse_number<double>(text, low, high);
        if (!number) return number.error();
        target = *number;
        return {};
    };
}

// Words of the form key=value, by a table of what to do with each.
Result<void> apply(const std::vector<std::string>& words, const Setters& setters) {
    for (const std::string& word : words) {
        const auto equals = word.find('=');
        const std::string_view key = std::string_view(word).substr(0, equals);
        bool known = false;
        for (const auto& [name, set] : setters) {
            if (equals == std::string::npos || name != key) continue;
            known = true;
            if (const auto done = set(std::string_view(word).substr(equals + 1)); !done)
                return done.error().in(std::string(name));
        }
        if (known) continue;
        std::string names;
        for (const auto& each : setters)
            names.append(names.empty() ? "" : ", ").append(each.first).append("=…");
        return Error{Error::Code::syntax,
                     fmt::format("'{}' is not understood; there are {}", base::shorten(word, 40), names)};
    }
    return {};
}

// The file that a command runs, as the child will find it.
std::filesystem::path program_file(const EngineSpec& engine) {
    if (engine.command.empty()) return "/proc/self/exe";
    const std::filesystem::path program = engine.command.front();
    if (program.string().find('/') != std::string::npos) return program;
    const char* path = std::getenv("PATH");
    for (const std::string_view folder : base::split(path == nullptr ? "" : path, ':')) {
        std::error_code ignored;
        const auto candidate = std::filesystem::path(folder) / program;
        if (std::filesystem::is_regular_file(candidate, ignored)) return candidate;
    }
    return {};
}

// Names the content of a file, so that a program or net that was rebuilt is not taken for the one that played.
Result<std::string> content_name(const std::filesystem::path& file) {
    const auto content = base::MappedFile::open(file);
    if (!content) return content.error();
    return fmt::format("{:016x}", base::xxhash64(content->text()));
}

ordered_json describe(const AdjudicationSettings& settings) {
    ordered_json json = ordered_json::object();
    if (settings.resign)
        json["resign"] = {{"centipawns", settings.resign->centipawns}, {"moves", settings.resign->moves}};
    if (settings.draw)
        json["draw"] = {{"centipawns", settings.draw->centipawns},
                        {"moves", settings.draw->moves},
                        {"from_move", settings.draw->from_move}};
    if (settings.mate) json["mate"] = {{"moves", settings.mate->moves}};
    return json;
}

}  // namespace

Result<ordered_json> describe(const EngineSpec& engine) {
    ordered_json json;
    json["name"] = engine.name;
    json["command"] = engine.command.empty() ? std::vector<std::string>{"self"} : engine.command;
    if (engine.guest) json["guest"] = engine.guest->description;
    if (!engine.folder.empty()) json["folder"] = engine.folder.string();
    for (const auto& [name, value] : engine.options)
        json["options"][name] = value;
    for (const auto& [name, value] : engine.parameters)
        json["parameters"][name] = value;
    json["limits"] = engine.allowance.describe();
    json["ponder"] = engine.ponder;
    if (!engine.cluster_name().empty()) return json;  // whoever plays it knows the program
    const auto program = program_file(engine);
    if (program.empty())
        return Error{Error::Code::io,
                     fmt::format("engine '{}': there is no program '{}'", engine.name, engine.command.front())};
    const auto content = content_name(program);
    if (!content) return content.error().in("engine '" + engine.name + "'");
    json["program"] = *content;
    for (const auto& [name, value] : engine.options) {
        std::error_code ignored;
        const std::filesystem::path file = engine.folder / value;  // an absolute value stands alone
        if (value.empty() || !std::filesystem::is_regular_file(file, ignored)) continue;
        const auto net = content_name(file);
        if (!net) return net.error();
        json["files"][name] = *net;
    }
    return json;
}

ordered_json describe(const PlaySettings& settings) {
    ordered_json json;
    json["declaration"] = name(settings.rules.declaration);
    json["max_moves"] = settings.rules.max_moves;
    json["adjudication"] = describe(settings.adjudication);
    json["time_margin_ms"] = settings.time_margin.count();
    return json;
}

Result<OpeningSuite> OpeningSettings::load() const {
    if (file.empty()) return OpeningSuite();
    auto suite = OpeningSuite::load(file, plies);
    if (suite && shuffle) suite->shuffle(seed);
    return suite;
}

Result<ordered_json> OpeningSettings::description() const {
    ordered_json json;
    json["file"] = file.filename().string();
    if (file.empty()) return json;
    const auto content = content_name(file);
    if (!content) return content.error();
    json["content"] = *content;
    if (plies != std::numeric_limits<std::size_t>::max()) json["plies"] = plies;
    if (shuffle) json["seed"] = seed;
    return json;
}

Result<void> MatchConfig::check() const {
    if (engines.size() < 2)
        return Error{Error::Code::syntax, "a match needs at least two engines (--engine name=… cmd=… nodes=…)"};
    std::set<std::string> names;
    for (const EngineSpec& engine : engines) {
        if (const auto good = engine.check(); !good) return good;
        if (!names.insert(engine.name).second)
            return Error{Error::Code::syntax, fmt::format("two engines are called '{}'", engine.name)};
    }
    if (games == 0) return Error{Error::Code::range, "a match needs at least one game"};
    if (sprt && engines.size() != 2)
        return Error{Error::Code::unsupported, "the sequential test compares two engines; leave out --sprt"};
    if (sprt)
        if (const auto test = report::Sprt::create(*sprt); !test) return test.error();
    return {};
}

Result<ordered_json> MatchConfig::description() const {
    ordered_json json;
    json["engines"] = ordered_json::array();
    for (const EngineSpec& engine : engines) {
        auto one = describe(engine);
        if (!one) return one.error();
        json["engines"].push_back(*std::move(one));
    }
    json["tournament"] = tournament == Tournament::gauntlet ? "gauntlet" : "round-robin";
    auto suite = openings.description();
    if (!suite) return suite.error();
    json["openings"] = *std::move(suite);
    json["play"] = describe(pool.play);
    json["on_failure"] = pool.on_failure == FailurePolicy::loss ? "loss" : "replay";
    return json;
}

Result<report::Sprt::Bounds> parse_sprt(const std::vector<std::string>& words) {
    struct Preset {
        std::string_view name;
        double elo0;
        double elo1;
    };
    constexpr std::array<Preset, 3> presets{{{"gain", 0, 2}, {"keep", -1.75, 0.25}, {"large", 0, 10}}};
    report::Sprt::Bounds bounds;
    bounds.model = report::Sprt::Model::normalized;
    bounds.elo1 = 10;
    std::vector<std::string> rest;
    for (const std::string& word : words) {
        bool is_preset = false;
        for (const Preset& preset : presets) {
            if (word != preset.name) continue;
            is_preset = true;
            bounds.elo0 = preset.elo0;
            bounds.elo1 = preset.elo1;
        }
        if (!is_preset) rest.push_back(word);
    }
    const auto set_model = [&](std::string_view text) -> Result<void> {
        if (text != "normalized" && text != "logistic")
            return Error{Error::Code::syntax, "the model is normalized or logistic"};
        bounds.model = text == "normalized" ? report::Sprt::Model::normalized : report::Sprt::Model::logistic;
        return {};
    };
    const auto good = apply(rest, {{"elo0", number_into(bounds.elo0, -10000, 10000)},
                                   {"elo1", number_into(bounds.elo1, -10000, 10000)},
                                   {"alpha", number_into(bounds.alpha, 0, 1)},
                                   {"beta", number_into(bounds.beta, 0, 1)},
                                   {"model", set_model}});
    if (!good) return good.error().in("--sprt");
    return bounds;
}

Result<AdjudicationSettings::Resign> parse_resign(const std::vector<std::string>& words) {
    AdjudicationSettings::Resign resign;
    const auto good = apply(
        words, {{"cp", number_into(resign.centipawns, 1, 100'000)}, {"moves", number_into(resign.moves, 1, 1000)}});
    if (!good) return good.error().in("--resign");
    return resign;
}

Result<AdjudicationSettings::Draw> parse_draw(const std::vector<std::string>& words) {
    AdjudicationSettings::Draw draw;
    const auto good = apply(words, {{"cp", number_into(draw.centipawns, 0, 100'000)},
                                    {"moves", number_into(draw.moves, 1, 1000)},
                                    {"from", number_into(draw.from_move, 0, 100'000)}});
    if (!good) return good.error().in("--draw");
    return draw;
}

Result<AdjudicationSettings::Mate> parse_mate(const std::vector<std::string>& words) {
    AdjudicationSettings::Mate mate;
    const auto good = apply(words, {{"moves", number_into(mate.moves, 1, 1000)}});
    if (!good) return good.error().in("--mate");
    return mate;
}

}  // namespace tsumugi::arena
