// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/quiescence/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/file.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "experiment/quiescence/position.hpp"
#include "experiment/quiescence/tree.hpp"
#include "search/threatmate.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::experiment::quiescence {
namespace {

using base::Error;
using base::Result;
using search::QuiescencePolicy;

constexpr std::array<QuiescencePolicy, 8> categories{
    QuiescencePolicy::see,     QuiescencePolicy::capture, QuiescencePolicy::king, QuiescencePolicy::escape,
    QuiescencePolicy::promote, QuiescencePolicy::check,   QuiescencePolicy::skep, QuiescencePolicy::threatmate};

nlohmann::json pairs_of(const std::vector<Measurement>& measurements) {
    nlohmann::json json = nlohmann::json::array();
    for (const Measurement& each : measurements)
        json.push_back({each.value, each.nodes});
    return json;
}

std::optional<std::vector<Measurement>> measurements_of(const nlohmann::json& json, int deepest) {
    if (!json.is_array() || json.size() != static_cast<std::size_t>(deepest)) return std::nullopt;
    std::vector<Measurement> measurements;
    for (const nlohmann::json& pair : json) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() || !pair[1].is_number_unsigned())
            return std::nullopt;
        measurements.push_back({pair[0].get<int>(), pair[1].get<std::uint64_t>()});
    }
    return measurements;
}

std::vector<Measurement> measurements_of(const std::vector<TreeResult>& results) {
    std::vector<Measurement> measurements;
    for (const TreeResult& each : results)
        measurements.push_back({each.value, each.nodes});
    return measurements;
}

// What moves are usually good, from full-width searches of positions that have nothing to do with those of the study.
Rating learn_rating(const Study& study) {
    constexpr int games = 4;
    constexpr int plies = 80;
    constexpr int depth = 2;
    Rating rating;
    Tree tree(study.evaluator, rating);
    base::Random random(study.seed);
    for (int game = 0; game < games; ++game) {
        shogi::Position position = shogi::Position::even();
        for (int ply = 0; ply < plies; ++ply) {
            const auto results = tree.full_width(position, depth, &rating);
            shogi::MoveList moves;
            shogi::legal_moves(position, moves);
            if (moves.empty()) break;
            // Good and random moves take turns: games that are neither all alike nor all nonsense.
            const shogi::Move best = results.back().best;
            position.do_move(best.is_none() || random.chance(0.5) ? moves[random.below(moves.size())] : best);
        }
    }
    return rating;
}

Finding examine(const Study& study, Tree& tree, const shogi::Position& position) {
    Finding finding;
    finding.progress = progress_of(position);
    const std::vector<TreeResult> full = tree.full_width(position, study.deepest);
    finding.full_width = measurements_of(full);
    shogi::Position copy = position;
    if (const shogi::Move best = full.back().best; !best.is_none()) finding.categories = categories_of(copy, best);
    for (const QuiescencePolicy policy : study.policies)
        finding.policies.push_back(measurements_of(tree.by_policy(position, policy, study.deepest)));
    return finding;
}

}  // namespace

std::string_view name_of(QuiescencePolicy policy) {
    const auto& table = search::quiescence_policies;
    return std::find_if(table.begin(), table.end(), [&](const auto& each) { return each.second == policy; })->first;
}

Result<std::vector<QuiescencePolicy>> find_policies(const std::vector<std::string>& names) {
    std::vector<QuiescencePolicy> policies;
    std::vector<std::string> known;
    for (const auto& [name, policy] : search::quiescence_policies)
        known.emplace_back(name);
    for (const std::string& wanted : names) {
        const auto found =
            std::find_if(search::quiescence_policies.begin(), search::quiescence_policies.end(),
                         [&](const auto& each) { return base::to_lower(each.first) == base::to_lower(wanted); });
        if (found == search::quiescence_policies.end())
            return Error{Error::Code::syntax, fmt::format("no policy of quiescence is called '{}'; there are {}",
                                                          base::shorten(wanted, 40), base::join(known, ", "))};
        policies.push_back(found->second);
    }
    return policies;
}

std::vector<std::string> categories_of(shogi::Position& position, shogi::Move move) {
    std::vector<std::string> names;
    for (const QuiescencePolicy category : categories) {
        const bool admitted = search::with_policy(category, [&]<typename Policy>() {
            if constexpr (std::is_same_v<Policy, search::policy::Standard>) {
                return false;
            } else {
                search::policy::Scene scene;
                if (Policy::judges_threats) scene.threatened = search::threatmate::threatened(position);
                return Policy::admits(position, move, scene);
            }
        });
        if (admitted) names.emplace_back(name_of(category));
    }
    return names;
}

nlohmann::json to_json(const Finding& finding, const Study& study) {
    nlohmann::json policies = nlohmann::json::object();
    for (std::size_t i = 0; i < study.policies.size(); ++i)
        policies[std::string(name_of(study.policies[i]))] = pairs_of(finding.policies[i]);
    return {{"progress", finding.progress},
            {"best", finding.categories},
            {"full width", pairs_of(finding.full_width)},
            {"policies", policies}};
}

std::optional<Finding> from_json(const nlohmann::json& json, const Study& study) {
    if (!json.is_object()) return std::nullopt;
    const auto member = [&](const nlohmann::json& object, std::string_view name) {
        const auto found = object.find(std::string(name));
        return found == object.end() ? nlohmann::json() : *found;
    };
    const nlohmann::json progress = member(json, "progress");
    const nlohmann::json best = member(json, "best");
    const nlohmann::json policies = member(json, "policies");
    auto full_width = measurements_of(member(json, "full width"), study.deepest);
    if (!progress.is_number_integer() || !best.is_array() || !policies.is_object() || !full_width) return std::nullopt;
    Finding finding;
    finding.progress = progress.get<int>();
    if (finding.progress < 0 || finding.progress > most_progress) return std::nullopt;
    finding.full_width = *std::move(full_width);
    for (const nlohmann::json& category : best) {
        if (!category.is_string()) return std::nullopt;
        finding.categories.push_back(category.get<std::string>());
    }
    for (const QuiescencePolicy policy : study.policies) {
        auto measurements = measurements_of(member(policies, name_of(policy)), study.deepest);
        if (!measurements) return std::nullopt;
        finding.policies.push_back(*std::move(measurements));
    }
    return finding;
}

Result<Log> Log::open(const std::filesystem::path& path, const Study& study, const nlohmann::json& facts,
                      std::size_t positions) {
    Log log;
    log.path_ = path;
    log.findings_.resize(positions);
    if (path.empty()) return log;
    std::string kept = facts.dump() + "\n";
    if (std::filesystem::exists(path)) {
        const auto content = base::read_file(path);
        if (!content) return content.error();
        const std::vector<std::string_view> lines = base::split_lines(*content);
        if (lines.empty() || nlohmann::json::parse(lines[0], nullptr, false) != facts)
            return Error{Error::Code::range,
                         fmt::format("{} holds searches of other positions or by other rules; name another folder, or "
                                     "remove it",
                                     path.string())};
        for (std::size_t i = 1; i < lines.size(); ++i) {
            // What a crash has cut short is done again.
            const nlohmann::json json = nlohmann::json::parse(lines[i], nullptr, false);
            auto finding = from_json(json, study);
            if (!finding || !json.contains("position") || !json["position"].is_number_unsigned()) continue;
            const auto number = json["position"].get<std::size_t>();
            if (number >= positions) continue;
            log.findings_[number] = *std::move(finding);
            kept += json.dump() + "\n";
        }
    }
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);  // writing says what went wrong
    if (const auto written = base::write_file(path, kept); !written) return written.error();
    return log;
}

Result<void> Log::add(std::size_t position, Finding finding, const Study& study) {
    if (!path_.empty()) {
        nlohmann::json json = to_json(finding, study);
        json["position"] = position;
        std::ofstream file(path_, std::ios::app);
        file << json.dump() << '\n' << std::flush;
        if (!file) return Error{Error::Code::io, fmt::format("cannot write to {}", path_.string())};
    }
    findings_[position] = std::move(finding);
    return {};
}

Result<std::vector<Finding>> study_positions(const Study& study, std::span<const shogi::Position> positions, Log& log,
                                             base::Progress& progress, const std::stop_token& stop) {
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (!log.findings()[i]) missing.push_back(i);
    if (!missing.empty()) {
        const Rating rating = learn_rating(study);
        std::vector<Tree> trees;
        for (int i = 0; i < study.threads; ++i)
            trees.emplace_back(study.evaluator, rating);
        std::mutex mutex;
        Result<void> written;
        base::parallel_for(missing.size(), study.threads, [&](std::size_t i, int worker) {
            if (stop.stop_requested()) return;
            Finding finding = examine(study, trees[static_cast<std::size_t>(worker)], positions[missing[i]]);
            const std::scoped_lock lock(mutex);
            if (written) written = log.add(missing[i], std::move(finding), study);
            progress.add();
        });
        if (!written) return written.error();
        if (stop.stop_requested())
            return Error{Error::Code::limit, "interrupted; the same command with the same --output goes on"};
    }
    std::vector<Finding> findings;
    for (const std::optional<Finding>& each : log.findings())
        findings.push_back(*each);
    return findings;
}

}  // namespace tsumugi::experiment::quiescence
