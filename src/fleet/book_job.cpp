// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/book_job.hpp"

#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "eval/net.hpp"
#include "fleet/book_json.hpp"
#include "record/sfen.hpp"

namespace tsumugi::fleet {

using base::Error;
using base::Result;
using nlohmann::json;

std::uint64_t BookJob::number() const { return base::xxhash64(book::position_text(position)); }

std::string BookJob::to_text() const {
    json value{{"position", record::to_sfen(position)},
               {"nodes", effort.nodes},
               {"lines", effort.lines},
               {"table_mib", effort.table_mib},
               {"net", net}};
    if (effort.depth) value["depth"] = *effort.depth;
    return value.dump();
}

Result<BookJob> BookJob::parse(std::string_view text) {
    try {
        const json value = json::parse(text);
        BookJob job;
        job.position = value_or_throw(record::parse_sfen(value.at("position").get<std::string>()));
        value.at("nodes").get_to(job.effort.nodes);
        value.at("lines").get_to(job.effort.lines);
        value.at("table_mib").get_to(job.effort.table_mib);
        value.at("net").get_to(job.net);
        if (const auto depth = value.find("depth"); depth != value.end()) job.effort.depth = depth->get<int>();
        return job;
    } catch (const std::exception& problem) {
        return Error{Error::Code::syntax, fmt::format("a book job that cannot be read: {}", problem.what())};
    }
}

std::string BookJobResult::to_text() const {
    json list = json::array();
    for (const book::StoredMove& move : moves)
        list.push_back(stored_move_to_json(move));
    return json{{"position", record::to_sfen(position.setup())}, {"moves", list}}.dump();
}

Result<BookJobResult> BookJobResult::parse(std::string_view text) {
    try {
        const json value = json::parse(text);
        const auto setup = value_or_throw(record::parse_sfen(value.at("position").get<std::string>()));
        BookJobResult result{value_or_throw(shogi::Position::from(setup)), {}};
        for (const json& each : value.at("moves"))
            result.moves.push_back(stored_move_from(each, result.position));
        return result;
    } catch (const std::exception& problem) {
        return Error{Error::Code::syntax, fmt::format("an analysis that cannot be read: {}", problem.what())};
    }
}

Result<BookJobResult> think(const BookJob& job, const NetFiles& nets, const std::stop_token& stop) {
    const auto net = local_net(job.net, nets);
    if (!net) return net.error();
    auto evaluator = eval::choose_evaluator(*net, {});
    if (!evaluator) return evaluator.error();
    auto position = shogi::Position::from(job.position);
    if (!position) return position.error();
    learn::bookmaking::Analyst analyst(*std::move(evaluator), job.effort);
    BookJobResult result{*position, analyst.think(*position, {}, stop)};
    if (stop.stop_requested()) return Error{Error::Code::io, "interrupted"};
    return result;
}

}  // namespace tsumugi::fleet
