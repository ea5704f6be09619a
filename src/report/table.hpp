// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tsumugi::report {

// One entry of a table: text, a number with the decimals it is shown with, or nothing.
class Cell {
public:
    Cell() = default;
    Cell(std::string text) : value_(std::move(text)) {}
    Cell(std::string_view text) : value_(std::string(text)) {}
    Cell(const char* text) : value_(std::string(text)) {}
    template <std::integral T>
    requires(!std::same_as<T, bool>) Cell(T number) : value_(static_cast<std::int64_t>(number)) {}
    Cell(double number, int decimals = 2) : value_(Real{number, decimals}) {}

    [[nodiscard]] bool is_number() const { return value_.index() >= 2; }
    [[nodiscard]] bool is_empty() const { return value_.index() == 0; }

    // As people read it: real numbers are rounded.
    [[nodiscard]] std::string text() const;
    // As programs read it: real numbers keep every digit.
    [[nodiscard]] std::string exact() const;
    [[nodiscard]] nlohmann::json json() const;

private:
    struct Real {
        double value;
        int decimals;
    };
    std::variant<std::monostate, std::string, std::int64_t, Real> value_;
};

// Rows under named columns, written for people (aligned text, Markdown) and for programs (CSV, JSON).
// Columns that hold numbers only are aligned to the right.
class Table {
public:
    explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

    // As many cells as there are columns; fewer are filled up with empty ones.
    void add(std::vector<Cell> row);

    [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
    [[nodiscard]] const std::vector<std::vector<Cell>>& rows() const { return rows_; }
    [[nodiscard]] bool is_numeric(std::size_t column) const;

    [[nodiscard]] std::string to_text() const;
    [[nodiscard]] std::string to_markdown() const;
    // RFC 4180, with LF line ends.
    [[nodiscard]] std::string to_csv() const;
    // An array with one object per row.
    [[nodiscard]] nlohmann::json to_json() const;

private:
    [[nodiscard]] std::vector<std::size_t> widths(const std::vector<std::vector<std::string>>& texts) const;
    // The header and the rows as text, changed by `escape`.
    template <typename Escape>
    [[nodiscard]] std::vector<std::vector<std::string>> texts(Escape&& escape) const;
    [[nodiscard]] std::string padded(const std::string& text, std::size_t width, std::size_t column) const;

    std::vector<std::string> columns_;
    std::vector<std::vector<Cell>> rows_;
};

}  // namespace tsumugi::report
