// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/table_share.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.hpp"

namespace tsumugi::ensemble {
namespace {

// The options that decide what an evaluation is, but for its noise: players that err differently are what a group is
// made of, and may share a table all the same.
constexpr std::array<std::string_view, 3> net_options{"evalfile", "evaldir", "fv_scale"};

std::string net_of(const MemberConfig& member) {
    std::string net;
    for (const auto& [name, value] : member.options)
        if (std::find(net_options.begin(), net_options.end(), base::to_lower(name)) != net_options.end())
            net.append(base::to_lower(name)).append("=").append(value).append("\n");
    return net;
}

}  // namespace

std::shared_ptr<search::SharedTable> TableShare::table_of(const MemberConfig& member, std::size_t mebibytes) {
    if (!member.is_own()) return nullptr;
    auto& table = tables_[net_of(member)];
    if (!table) {
        search::TableSettings settings;
        settings.kibibytes = mebibytes << 10;
        table = std::make_shared<search::SharedTable>(settings);
    }
    return table;
}

void TableShare::clear() {
    for (const auto& each : tables_)
        each.second->clear();
}

}  // namespace tsumugi::ensemble
