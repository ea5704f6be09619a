// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "base/result.hpp"
#include "report/chart.hpp"
#include "report/table.hpp"

namespace tsumugi::experiment {

// A table of results with what it is called.
struct NamedTable {
    std::string key;  // for files
    std::string title;
    report::Table table;
};

struct NamedChart {
    std::string key;
    report::Chart chart;
};

// For people, one after the other.
void print(std::ostream& out, std::span<const NamedTable> tables);

// NAME.json (with the facts about the run), NAME.md and one NAME-KEY.csv per table, in a folder that is made if need
// be.
base::Result<void> write_output(const std::filesystem::path& folder, const std::string& name,
                                const nlohmann::json& facts, std::span<const NamedTable> tables);

// NAME.html with all of it, and one NAME-KEY.svg per chart.
base::Result<void> write_page(const std::filesystem::path& folder, const std::string& name, const std::string& title,
                              std::span<const NamedTable> tables, std::span<const NamedChart> charts);

}  // namespace tsumugi::experiment
