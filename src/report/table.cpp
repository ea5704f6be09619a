// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace tsumugi::report {

namespace {

// Inside a Markdown table a bar would start a new cell and a line end a new row.
std::string escape_markdown(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '|') result += '\\';
        result += c == '\n' ? "<br>" : std::string(1, c);
    }
    return result;
}

std::string quote_csv(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text)
        result += c == '"' ? "\"\"" : std::string(1, c);
    return result + '"';
}

std::string trim_right(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

std::string Cell::text() const {
    if (const auto* real = std::get_if<Real>(&value_)) return fmt::format("{:.{}f}", real->value, real->decimals);
    return exact();
}

std::string Cell::exact() const {
    if (const auto* text = std::get_if<std::string>(&value_)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&value_)) return std::to_string(*number);
    if (const auto* real = std::get_if<Real>(&value_)) return fmt::format("{}", real->value);
    return {};
}

nlohmann::json Cell::json() const {
    if (const auto* text = std::get_if<std::string>(&value_)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&value_)) return *number;
    // JSON has no infinities.
    if (const auto* real = std::get_if<Real>(&value_); real != nullptr && std::isfinite(real->value))
        return real->value;
    return nullptr;
}

void Table::add(std::vector<Cell> row) {
    assert(row.size() <= columns_.size());
    row.resize(columns_.size());
    rows_.push_back(std::move(row));
}

bool Table::is_numeric(std::size_t column) const {
    bool any = false;
    for (const auto& row : rows_) {
        if (!row[column].is_number() && !row[column].is_empty()) return false;
        any |= row[column].is_number();
    }
    return any;
}

template <typename Escape>
std::vector<std::vector<std::string>> Table::texts(Escape&& escape) const {
    std::vector<std::vector<std::string>> result(1);
    for (const auto& title : columns_)
        result[0].push_back(escape(title));
    for (const auto& row : rows_) {
        auto& line = result.emplace_back();
        for (const auto& cell : row)
            line.push_back(escape(cell.text()));
    }
    return result;
}

std::vector<std::size_t> Table::widths(const std::vector<std::vector<std::string>>& texts) const {
    std::vector<std::size_t> result(columns_.size(), 0);
    for (const auto& line : texts)
        for (std::size_t i = 0; i < line.size(); ++i)
            result[i] = std::max(result[i], base::display_width(line[i]));
    return result;
}

std::string Table::padded(const std::string& text, std::size_t width, std::size_t column) const {
    const std::string space(width - base::display_width(text), ' ');
    return is_numeric(column) ? space + text : text + space;
}

std::string Table::to_text() const {
    const auto lines = texts([](const std::string& text) { return text; });
    const auto width = widths(lines);
    std::string result;
    for (std::size_t n = 0; n < lines.size(); ++n) {
        std::string line;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            line += (i > 0 ? "  " : "") + padded(lines[n][i], width[i], i);
        result += trim_right(std::move(line)) + '\n';
        if (n > 0) continue;
        std::string rule;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            rule += (i > 0 ? "  " : "") + std::string(width[i], '-');
        result += rule + '\n';
    }
    return result;
}

std::string Table::to_markdown() const {
    const auto lines = texts(escape_markdown);
    auto width = widths(lines);
    // The rule under the header needs three characters.
    for (auto& w : width)
        w = std::max<std::size_t>(w, 3);
    std::string result;
    for (std::size_t n = 0; n < lines.size(); ++n) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            result += "| " + padded(lines[n][i], width[i], i) + " ";
        result += "|\n";
        if (n > 0) continue;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            result += "| " + std::string(width[i] - 1, '-') + (is_numeric(i) ? ":" : "-") + " ";
        result += "|\n";
    }
    return result;
}

std::string Table::to_csv() const {
    std::string result;
    for (std::size_t i = 0; i < columns_.size(); ++i)
        result += (i > 0 ? "," : "") + quote_csv(columns_[i]);
    result += '\n';
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i)
            result += (i > 0 ? "," : "") + quote_csv(row[i].exact());
        result += '\n';
    }
    return result;
}

nlohmann::json Table::to_json() const {
    auto result = nlohmann::json::array();
    for (const auto& row : rows_) {
        auto object = nlohmann::json::object();
        for (std::size_t i = 0; i < row.size(); ++i)
            object[columns_[i]] = row[i].json();
        result.push_back(std::move(object));
    }
    return result;
}

}  // namespace tsumugi::report
