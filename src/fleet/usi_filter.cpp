// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/usi_filter.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "protocol/usi_text.hpp"

namespace tsumugi::fleet {
namespace {

using base::Error;
using base::Result;

constexpr std::array<std::string_view, 10> usi_words{"usi", "isready", "setoption", "usinewgame", "position",
                                                     "go",  "stop",    "ponderhit", "gameover",   "quit"};

Result<std::optional<std::string>> filter_option(std::string_view line, const NetFiles& nets) {
    const auto option = protocol::parse_setoption(base::trim(line).substr(std::string_view("setoption").size()));
    if (!option) return std::optional<std::string>();
    const std::string& value = option->second;
    if (value.starts_with(net_prefix)) {
        const auto net = nets.find(value.substr(net_prefix.size()));
        if (net == nets.end())
            return Error{Error::Code::unsupported, fmt::format("there is no net {} here", base::shorten(value, 80))};
        return std::optional<std::string>(fmt::format("setoption name {} value {}", option->first, net->second));
    }
    if (value.find('/') != std::string::npos || value.find("..") != std::string::npos)
        return Error{Error::Code::unsupported,
                     fmt::format("{}: files of an agent's host are named as {}HASH", option->first, net_prefix)};
    return std::optional<std::string>(line);
}

}  // namespace

Result<std::string> local_net(const std::string& name, const NetFiles& nets) {
    if (name.starts_with(net_prefix)) {
        const auto found = nets.find(name.substr(net_prefix.size()));
        if (found == nets.end()) return Error{Error::Code::unsupported, "there is no net " + name + " here"};
        return found->second;
    }
    if (!name.empty() && name != "material")
        return Error{Error::Code::unsupported, fmt::format("nets of an agent's host are named as {}HASH", net_prefix)};
    return name;
}

Result<std::optional<std::string>> filter_usi(std::string_view line, const NetFiles& nets) {
    const auto words = base::split_words(line);
    if (words.empty() || std::find(usi_words.begin(), usi_words.end(), words[0]) == usi_words.end())
        return std::optional<std::string>();
    if (words[0] == "setoption") return filter_option(line, nets);
    return std::optional<std::string>(line);
}

}  // namespace tsumugi::fleet
