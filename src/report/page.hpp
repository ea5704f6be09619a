// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "report/chart.hpp"
#include "report/table.hpp"

namespace tsumugi::report {

// A report as one HTML file that needs no other: it can be mailed, and read without a network.
class Page {
public:
    explicit Page(std::string title) : title_(std::move(title)) {}

    void add_heading(std::string_view text);
    void add_text(std::string_view text);
    void add(const Table& table);
    void add(const Chart& chart);

    [[nodiscard]] std::string to_html() const;

private:
    std::string title_;
    std::string body_;
};

}  // namespace tsumugi::report
