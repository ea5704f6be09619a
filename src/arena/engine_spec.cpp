// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/engine_spec.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::arena {

using base::Error;
using base::Result;

namespace {

void assign(OptionValues& values, std::string_view name, std::string_view value) {
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == name; });
    if (found != values.end())
        found->second = value;
    else
        values.emplace_back(name, value);
}

constexpr std::string_view game_number = "{game}";

bool names_game(const std::string& value) { return value.find(game_number) != std::string::npos; }

// What `values` does not set is taken from `defaults`, which come first.
void merge(OptionValues& values, const OptionValues& defaults) {
    OptionValues merged = defaults;
    for (const auto& [name, value] : values)
        assign(merged, name, value);
    values = std::move(merged);
}

Result<bool> parse_flag(std::string_view text) {
    if (text == "true" || text == "yes" || text == "1") return true;
    if (text == "false" || text == "no" || text == "0") return false;
    return Error{Error::Code::syntax, fmt::format("expected true or false, got '{}'", base::shorten(text, 40))};
}

}  // namespace

OptionValues EngineSpec::options_of_game(std::uint64_t number) const {
    OptionValues values;
    for (const auto& each : options) {
        if (!names_game(each.second)) continue;
        std::string value = each.second;
        for (auto at = value.find(game_number); at != std::string::npos; at = value.find(game_number))
            value.replace(at, game_number.size(), std::to_string(number));
        values.emplace_back(each.first, value);
    }
    return values;
}

OptionValues EngineSpec::lasting_options() const {
    OptionValues values;
    std::copy_if(options.begin(), options.end(), std::back_inserter(values),
                 [](const auto& each) { return !names_game(each.second); });
    return values;
}

Result<void> EngineSpec::set(std::string_view key, std::string_view value) {
    if (key == "name") {
        name = value;
    } else if (key == "cmd") {
        auto words = base::split_command(value);
        if (!words) return words.error();
        if (words->empty()) return Error{Error::Code::syntax, "cmd= needs a program, or 'self'"};
        command = *std::move(words);
        if (command == std::vector<std::string>{"self"}) command.clear();
    } else if (key == "dir") {
        folder = std::string(value);
    } else if (key == "ponder") {
        const auto flag = parse_flag(value);
        if (!flag) return flag.error().in("ponder");
        ponder = *flag;
    } else if (key.starts_with("option.")) {
        assign(options, key.substr(7), value);
    } else if (key.starts_with("param.")) {
        assign(parameters, key.substr(6), value);
    } else {
        const auto known = allowance.set(key, value);
        if (!known) return known.error();
        if (!*known)
            return Error{Error::Code::syntax,
                         fmt::format("unknown setting '{}' of an engine; there are name, cmd, dir, ponder, "
                                     "option.NAME, param.NAME, nodes, depth, movetime, time, inc and byoyomi",
                                     base::shorten(key, 40))};
    }
    return {};
}

Result<void> EngineSpec::set(std::string_view assignment) {
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos)
        return Error{Error::Code::syntax, fmt::format("expected KEY=VALUE, got '{}'", base::shorten(assignment, 60))};
    return set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

void EngineSpec::fill_from(const EngineSpec& defaults) {
    merge(options, defaults.options);
    if (is_own()) merge(parameters, defaults.parameters);
    if (folder.empty()) folder = defaults.folder;
    ponder = ponder || defaults.ponder;
    if (allowance.is_empty()) allowance = defaults.allowance;
}

Result<void> EngineSpec::check() const {
    if (name.empty()) return Error{Error::Code::syntax, "an engine needs a name (name=…)"};
    if (allowance.is_empty())
        return Error{Error::Code::syntax,
                     fmt::format("engine '{}' has no limit: give nodes=, depth=, movetime=, byoyomi= or time=", name)};
    if (!is_own() && !parameters.empty())
        return Error{Error::Code::syntax,
                     fmt::format("engine '{}': param.NAME is for cmd=self only; use option.NAME", name)};
    return {};
}

}  // namespace tsumugi::arena
