// SPDX-License-Identifier: GPL-3.0-or-later
#include <toml++/toml.h>

#include <array>
#include <sstream>

#include <fmt/format.h>

#include "arena/match_setting.hpp"
#include "base/file.hpp"

namespace tsumugi::arena {
namespace {

using base::Error;
using base::Result;

// A value as the command line would write it. Numbers keep the digits of the file as far as they matter.
Result<std::string> to_word(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* flag = node.as_boolean()) return std::string(flag->get() ? "true" : "false");
    return Error{Error::Code::syntax,
                 fmt::format("line {}: expected a text, a number or true or false", node.source().begin.line)};
}

// "key=value" for every entry, with names of inner tables before theirs: option.USI_Hash=16.
Result<void> add_assignments(const toml::table& table, const std::string& prefix, Words& words) {
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (const auto* inner = node.as_table()) {
            const std::string_view kind = name == "options" ? "option." : name == "parameters" ? "param." : "";
            if (kind.empty() || !prefix.empty())
                return Error{Error::Code::syntax,
                             fmt::format("line {}: an engine has tables 'options' and 'parameters', not '{}'",
                                         node.source().begin.line, name)};
            if (const auto added = add_assignments(*inner, std::string(kind), words); !added) return added;
            continue;
        }
        const auto word = to_word(node);
        if (!word) return word.error();
        words.push_back(prefix + name + "=" + *word);
    }
    return {};
}

// true is a setting without words, false no setting at all.
Result<void> add_setting(const std::string& name, const toml::node& node, MatchRequest& request) {
    if (const auto* flag = node.as_boolean()) {
        if (flag->get()) request.settings.push_back({name, {}});
        return {};
    }
    Words words;
    if (const auto* table = node.as_table()) {
        if (const auto added = add_assignments(*table, "", words); !added) return added;
    } else if (const auto* array = node.as_array()) {
        for (const toml::node& each : *array) {
            const auto word = to_word(each);
            if (!word) return word.error();
            words.push_back(*word);
        }
    } else {
        const auto word = to_word(node);
        if (!word) return word.error();
        words.push_back(*word);
    }
    request.settings.push_back({name, std::move(words)});
    return {};
}

Result<void> add_engines(const toml::node& node, MatchRequest& request) {
    const auto* const engines = node.as_array();
    if (engines == nullptr || !engines->is_array_of_tables())
        return Error{Error::Code::syntax, "engines are written as [[engine]]"};
    for (const toml::node& each : *engines)
        if (const auto added = add_assignments(*each.as_table(), "", request.engines.emplace_back()); !added)
            return added;
    return {};
}

Result<MatchRequest> read(const toml::table& root) {
    MatchRequest request;
    for (const auto& [key, node] : root) {
        const std::string name(key.str());
        Result<void> added;
        if (name == "engine")
            added = add_engines(node, request);
        else if (name == "each" && node.is_table())
            added = add_assignments(*node.as_table(), "", request.each);
        else
            added = add_setting(name, node, request);
        if (!added) return added.error();
    }
    return request;
}

// Paths in a file are meant from where the file is, so that it can be used from everywhere.
void resolve_paths(MatchRequest& request, const std::filesystem::path& folder) {
    for (MatchRequest::Said& said : request.settings)
        if ((said.name == "openings" || said.name == "out") && said.words.size() == 1)
            said.words[0] = (folder / said.words[0]).string();
    const auto resolve = [&](Words& words) {
        for (std::string& word : words)
            if (word.starts_with("dir=")) word = "dir=" + (folder / word.substr(4)).string();
    };
    resolve(request.each);
    for (Words& engine : request.engines)
        resolve(engine);
}

}  // namespace

Result<MatchRequest> MatchRequest::load(const std::filesystem::path& file) {
    const auto text = base::read_file(file);
    if (!text) return text.error();
    toml::table root;
    try {
        root = toml::parse(*text);
    } catch (const toml::parse_error& problem) {
        return Error{Error::Code::syntax,
                     fmt::format("{}:{}: {}", file.string(), problem.source().begin.line, problem.description())};
    }
    auto request = read(root);
    if (!request) return request.error().in(file.string());
    resolve_paths(*request, file.parent_path());
    return request;
}

}  // namespace tsumugi::arena
