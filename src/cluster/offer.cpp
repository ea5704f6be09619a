// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/offer.hpp"

#include <nlohmann/json.hpp>

namespace tsumugi::cluster {

using base::Error;
using base::Result;
using nlohmann::json;

std::string AgentOffer::to_text() const {
    json list = json::array();
    for (const EngineOffer& engine : engines)
        list.push_back({{"name", engine.name}, {"sessions", engine.sessions}, {"busy", engine.busy}});
    return json{{"name", name}, {"cores", cores}, {"memory_mib", memory_mib}, {"engines", list},
                {"nets", nets}, {"jobs", jobs},   {"workers", workers},       {"signature", signature}}
        .dump();
}

Result<AgentOffer> AgentOffer::parse(std::string_view text) {
    try {
        const json value = json::parse(text);
        AgentOffer offer;
        offer.name = value.at("name").get<std::string>();
        offer.cores = value.at("cores").get<int>();
        offer.memory_mib = value.at("memory_mib").get<std::uint64_t>();
        for (const json& each : value.at("engines"))
            offer.engines.push_back(
                {each.at("name").get<std::string>(), each.at("sessions").get<int>(), each.at("busy").get<int>()});
        offer.nets = value.at("nets").get<std::map<std::string, std::string>>();
        offer.jobs = value.at("jobs").get<std::vector<std::string>>();
        offer.workers = value.at("workers").get<int>();
        offer.signature = value.at("signature").get<std::uint64_t>();
        return offer;
    } catch (const json::exception& problem) {
        return Error{Error::Code::syntax, std::string("a member says something else than an agent: ") + problem.what()};
    }
}

int AgentOffer::room_for(std::string_view engine) const {
    for (const EngineOffer& each : engines)
        if (each.name == engine) return each.sessions - each.busy;
    return 0;
}

}  // namespace tsumugi::cluster
