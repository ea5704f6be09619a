// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tsumugi::test {

// Files of the tree that tests read.
inline std::filesystem::path own_data(std::string_view name) {
    return std::filesystem::path(TSUMUGI_SOURCE_DIR) / "tests" / "data" / name;
}

// The larger collection that may stand beside the checkout; empty path when it does not.
inline std::filesystem::path shared_data(std::string_view name) {
    const auto path = std::filesystem::path(TSUMUGI_SOURCE_DIR) / ".." / "shared" / "data" / name;
    return std::filesystem::exists(path) ? path : std::filesystem::path();
}

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

// Rows of a tab-separated table; lines that start with '#' are skipped.
inline std::vector<std::vector<std::string>> read_table(const std::filesystem::path& path) {
    std::vector<std::vector<std::string>> rows;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string>& row = rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, '\t');)
            row.push_back(cell);
    }
    return rows;
}

}  // namespace tsumugi::test
