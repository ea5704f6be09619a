// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/selfplay_job.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "eval/net.hpp"
#include "learn/selfplay_game.hpp"
#include "record/archive.hpp"

namespace tsumugi::fleet {
namespace {

using base::Error;
using base::Result;
using nlohmann::json;

// A folder for one file, removed with it.
class Workplace {
public:
    static Result<Workplace> make() {
        std::string name = (std::filesystem::temp_directory_path() / "tsumugi-shard-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) return Error{Error::Code::io, "cannot make a folder like " + name};
        return Workplace(name);
    }
    Workplace(Workplace&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
    Workplace& operator=(Workplace&&) = delete;
    ~Workplace() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::filesystem::path file() const { return path_ / "shard.tsa"; }

private:
    explicit Workplace(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

json to_json(const learn::OpeningRecipe& opening) {
    return {{"fewest_random_plies", opening.fewest_random_plies},
            {"most_random_plies", opening.most_random_plies},
            {"late_random_share", opening.late_random_share},
            {"late_from", opening.late_from},
            {"late_to", opening.late_to},
            {"sampled_plies", opening.sampled_plies},
            {"sampled_lines", opening.sampled_lines},
            {"sampled_margin", opening.sampled_margin},
            {"most_unbalanced", opening.most_unbalanced},
            {"entering_king_share", opening.entering_king_share}};
}

learn::OpeningRecipe recipe_from(const json& value) {
    learn::OpeningRecipe opening;
    value.at("fewest_random_plies").get_to(opening.fewest_random_plies);
    value.at("most_random_plies").get_to(opening.most_random_plies);
    value.at("late_random_share").get_to(opening.late_random_share);
    value.at("late_from").get_to(opening.late_from);
    value.at("late_to").get_to(opening.late_to);
    value.at("sampled_plies").get_to(opening.sampled_plies);
    value.at("sampled_lines").get_to(opening.sampled_lines);
    value.at("sampled_margin").get_to(opening.sampled_margin);
    value.at("most_unbalanced").get_to(opening.most_unbalanced);
    value.at("entering_king_share").get_to(opening.entering_king_share);
    return opening;
}

json to_json(const learn::EndRecipe& end) {
    return {{"score", end.score},
            {"plies", end.plies},
            {"played_out_share", end.played_out_share},
            {"max_moves", end.max_moves},
            {"declaration", static_cast<int>(end.declaration)}};
}

learn::EndRecipe end_from(const json& value) {
    learn::EndRecipe end;
    value.at("score").get_to(end.score);
    value.at("plies").get_to(end.plies);
    value.at("played_out_share").get_to(end.played_out_share);
    value.at("max_moves").get_to(end.max_moves);
    end.declaration = static_cast<shogi::EnteringKingRule>(value.at("declaration").get<int>());
    return end;
}

}  // namespace

std::string SelfplayJob::to_text() const {
    return json{{"first", first},
                {"count", count},
                {"nodes", settings.nodes},
                {"most_nodes", settings.most_nodes},
                {"table_mib", settings.table_mib},
                {"sharing", static_cast<int>(settings.sharing)},
                {"seed", settings.seed},
                {"net", settings.net},
                {"fv_scale", settings.fv_scale},
                {"remembered_positions", settings.remembered_positions},
                {"opening", to_json(settings.opening)},
                {"end", to_json(settings.end)}}
        .dump();
}

Result<SelfplayJob> SelfplayJob::parse(std::string_view text) {
    try {
        const json value = json::parse(text);
        SelfplayJob job;
        learn::SelfplaySettings& settings = job.settings;
        value.at("first").get_to(job.first);
        value.at("count").get_to(job.count);
        value.at("nodes").get_to(settings.nodes);
        value.at("most_nodes").get_to(settings.most_nodes);
        value.at("table_mib").get_to(settings.table_mib);
        settings.sharing = static_cast<learn::TableSharing>(value.at("sharing").get<int>());
        value.at("seed").get_to(settings.seed);
        value.at("net").get_to(settings.net);
        value.at("fv_scale").get_to(settings.fv_scale);
        value.at("remembered_positions").get_to(settings.remembered_positions);
        settings.opening = recipe_from(value.at("opening"));
        settings.end = end_from(value.at("end"));
        return job;
    } catch (const json::exception& problem) {
        return Error{Error::Code::syntax, fmt::format("a self-play job that cannot be read: {}", problem.what())};
    }
}

Result<std::string> play(SelfplayJob job, const NetFiles& nets, const std::stop_token& stop) {
    const auto net = local_net(job.settings.net, nets);
    if (!net) return net.error();
    auto evaluator = eval::choose_evaluator(*net, {.fv_scale = job.settings.fv_scale, .feature = {}});
    if (!evaluator) return evaluator.error();
    const auto place = Workplace::make();
    if (!place) return place.error();
    auto writer = record::ArchiveWriter::open(place->file());
    if (!writer) return writer.error();
    const arena::OpeningSuite suite;
    learn::Footprints footprints(job.settings.remembered_positions);
    learn::SelfplayPlayer player(job.settings, *std::move(evaluator), suite, footprints);
    for (std::uint64_t number = job.first; number < job.first + job.count; ++number) {
        const auto game = player.play(number, stop);
        if (stop.stop_requested()) return Error{Error::Code::io, "interrupted"};
        if (!game) continue;
        if (const auto added = writer->add(*game); !added) return added.error();
    }
    if (const auto written = writer->flush(); !written) return written.error();
    return base::read_file(place->file());
}

}  // namespace tsumugi::fleet
