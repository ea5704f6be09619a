// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/tables/contender.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "search/value.hpp"

namespace tsumugi::experiment::tables {
namespace {

using base::Error;
using base::Result;

template <typename Names, typename Value>
std::string_view name_of(const Names& names, Value value) {
    return std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.second == value; })->first;
}

template <typename Names>
auto find_name(const Names& names, std::string_view wanted, std::string_view kind)
    -> Result<decltype(names.front().second)> {
    std::vector<std::string> known;
    for (const auto& [name, value] : names) {
        if (base::to_lower(name) == base::to_lower(wanted)) return value;
        known.emplace_back(name);
    }
    return Error{Error::Code::syntax, fmt::format("no {} of the table is called '{}'; there are {}", kind,
                                                  base::shorten(wanted, 40), base::join(known, ", "))};
}

Result<Contender> parse_policy(std::string_view text) {
    Contender contender;
    const std::size_t colon = text.find(':');
    const auto policy = find_name(search::table_policies, text.substr(0, colon), "policy");
    if (!policy) return policy.error();
    contender.policy = *policy;
    if (colon == std::string_view::npos) return contender;
    if (contender.policy != search::TablePolicy::alternating)
        return Error{Error::Code::syntax,
                     fmt::format("'{}': only an alternating pair has a depth of the second probe", text)};
    const auto depth = base::parse_number<int>(text.substr(colon + 1), 0, search::max_ply);
    if (!depth) return depth.error().in(std::string(text));
    contender.second_probe_depth = *depth;
    return contender;
}

Result<std::vector<search::TableScheme>> parse_schemes(const std::vector<std::string>& names) {
    std::vector<search::TableScheme> schemes;
    for (const std::string& name : names) {
        if (base::to_lower(name) == "all") {
            for (const auto& each : search::table_schemes)
                schemes.push_back(each.second);
            continue;
        }
        const auto scheme = find_name(search::table_schemes, name, "scheme");
        if (!scheme) return scheme.error();
        schemes.push_back(*scheme);
    }
    return schemes;
}

}  // namespace

std::string Contender::policy_name() const {
    std::string name(bare_policy_name());
    if (second_probe_depth > 0) name += fmt::format(":{}", second_probe_depth);
    if (doubled) name += " 2x";
    return name;
}

std::string_view Contender::bare_policy_name() const { return name_of(search::table_policies, policy); }

std::string_view Contender::scheme_name() const { return name_of(search::table_schemes, scheme); }

search::TableSettings Contender::settings(std::size_t kibibytes) const {
    return {doubled ? 2 * kibibytes : kibibytes, policy, second_probe_depth, scheme};
}

Result<std::vector<Contender>> make_contenders(const std::vector<std::string>& policies,
                                               const std::vector<std::string>& schemes) {
    const auto wanted = parse_schemes(schemes);
    if (!wanted) return wanted.error();
    std::vector<Contender> contenders;
    for (const search::TableScheme scheme : *wanted)
        for (const std::string& policy : policies) {
            auto contender = parse_policy(policy);
            if (!contender) return contender.error();
            contender->scheme = scheme;
            if (contender->policy == search::TablePolicy::alternating) {
                contenders.push_back(*contender);
                contenders.back().doubled = true;
            }
            contenders.push_back(*contender);
        }
    if (contenders.empty()) return Error{Error::Code::range, "at least one policy and one scheme are needed"};
    return contenders;
}

}  // namespace tsumugi::experiment::tables
