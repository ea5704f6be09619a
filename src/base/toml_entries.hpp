// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/result.hpp"
#include "base/text.hpp"

namespace tsumugi::base {

// Takes the entries of a table of a TOML file one by one. The first mistake is kept with its line, and a name that
// nobody asked for is a mistake too: a misspelt setting must not be ignored in silence.
class TomlEntries {
public:
    explicit TomlEntries(const toml::table& table) : table_(table) {}

    const toml::node* find(std::string_view name) {
        names_.emplace_back(name);
        return table_.get(name);
    }
    void read(std::string_view name, std::string& value) {
        const toml::node* node = find(name);
        if (node == nullptr) return;
        if (const auto text = node->value_exact<std::string>())
            value = *text;
        else
            complain(*node, fmt::format("{} is a text", name));
    }
    template <typename Number>
    void read(std::string_view name, Number& value, Number lowest, Number highest) {
        const toml::node* node = find(name);
        if (node == nullptr) return;
        const auto number = node->is_number() ? node->value<Number>() : std::nullopt;
        if (number && lowest <= *number && *number <= highest)
            value = *number;
        else
            complain(*node, fmt::format("{} is a number from {} to {}", name, lowest, highest));
    }
    void complain(const toml::node& node, const std::string& what) {
        if (!mistake_)
            mistake_ = Error{Error::Code::syntax, fmt::format("line {}: {}", node.source().begin.line, what)};
    }
    // After everything was asked for.
    [[nodiscard]] const std::optional<Error>& mistake() {
        for (const auto& [key, node] : table_)
            if (std::find(names_.begin(), names_.end(), key.str()) == names_.end())
                complain(node, fmt::format("unknown setting '{}'; here there are {}", shorten(key.str(), 40),
                                           join(names_, ", ")));
        return mistake_;
    }

private:
    const toml::table& table_;
    std::vector<std::string> names_;
    std::optional<Error> mistake_;
};

// Reads a TOML file's text with `read`, which gets the root table; what the parser throws becomes an error.
template <typename Read>
auto read_toml(std::string_view text, Read&& read) -> decltype(read(std::declval<const toml::table&>())) {
    try {
        return read(toml::parse(text));
    } catch (const toml::parse_error& problem) {
        return Error{Error::Code::syntax,
                     fmt::format("line {}: {}", problem.source().begin.line, problem.description())};
    }
}

}  // namespace tsumugi::base
