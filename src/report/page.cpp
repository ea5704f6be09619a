// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page.hpp"

#include <fmt/format.h>

#include "report/markup.hpp"

namespace tsumugi::report {

namespace {

constexpr const char* page_style =
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .8em;border-bottom:1px solid #8886;text-align:left}"
    ".number{text-align:right;font-variant-numeric:tabular-nums}svg{max-width:100%;height:auto;margin:1em 0}"
    "@media (prefers-color-scheme:dark){body{color:#ddd;background:#181818}}";

}  // namespace

void Page::add_heading(std::string_view text) { body_ += fmt::format("<h2>{}</h2>\n", escape_markup(text)); }

void Page::add_text(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", escape_markup(text)); }

void Page::add(const Table& table) {
    const auto cell = [&table](const char* tag, std::size_t column, const std::string& text) {
        const char* side = table.is_numeric(column) ? " class=\"number\"" : "";
        return fmt::format("<{}{}>{}</{}>", tag, side, escape_markup(text), tag);
    };
    body_ += "<table>\n<tr>";
    for (std::size_t i = 0; i < table.columns().size(); ++i)
        body_ += cell("th", i, table.columns()[i]);
    body_ += "</tr>\n";
    for (const auto& row : table.rows()) {
        body_ += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            body_ += cell("td", i, row[i].text());
        body_ += "</tr>\n";
    }
    body_ += "</table>\n";
}

void Page::add(const Chart& chart) { body_ += chart.to_svg(); }

std::string Page::to_html() const {
    const std::string title = escape_markup(title_);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"/>"
        "<meta name=\"viewport\" content=\"width=device-width\"/>"
        "<title>{}</title><style>{}</style></head>\n<body>\n<h1>{}</h1>\n{}</body>\n</html>\n",
        title, page_style, title, body_);
}

}  // namespace tsumugi::report
