// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/atomic_file.hpp"
#include "report/page.hpp"

namespace tsumugi::experiment {

void print(std::ostream& out, std::span<const NamedTable> tables) {
    for (const NamedTable& t : tables)
        out << t.title << "\n\n" << t.table.to_text() << '\n';
}

base::Result<void> write_output(const std::filesystem::path& folder, const std::string& name,
                                const nlohmann::json& facts, std::span<const NamedTable> tables) {
    nlohmann::json json = facts;
    json["experiment"] = name;
    std::string markdown;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);  // writing below says what went wrong
    for (const NamedTable& t : tables) {
        json[t.key] = t.table.to_json();
        markdown += fmt::format("## {}\n\n{}\n", t.title, t.table.to_markdown());
        const auto file = folder / fmt::format("{}-{}.csv", name, t.key);
        if (auto written = base::write_file(file, t.table.to_csv()); !written) return written;
    }
    if (auto written = base::write_file(folder / (name + ".json"), json.dump(2) + "\n"); !written) return written;
    return base::write_file(folder / (name + ".md"), markdown);
}

base::Result<void> write_page(const std::filesystem::path& folder, const std::string& name, const std::string& title,
                              std::span<const NamedTable> tables, std::span<const NamedChart> charts) {
    report::Page page(title);
    for (const NamedChart& each : charts) {
        page.add(each.chart);
        const auto file = folder / fmt::format("{}-{}.svg", name, each.key);
        if (auto written = base::write_file(file, each.chart.to_svg()); !written) return written;
    }
    for (const NamedTable& each : tables) {
        page.add_heading(each.title);
        page.add(each.table);
    }
    return base::write_file(folder / (name + ".html"), page.to_html());
}

}  // namespace tsumugi::experiment
