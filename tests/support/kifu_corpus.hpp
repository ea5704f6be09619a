// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "support/data.hpp"

namespace tsumugi::test {

using Paths = std::vector<std::filesystem::path>;

inline void add_files(Paths& files, const std::filesystem::path& folder,
                      std::initializer_list<std::string_view> extensions) {
    if (folder.empty()) return;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (std::find(extensions.begin(), extensions.end(), entry.path().extension().string()) != extensions.end())
            files.push_back(entry.path());
}

// Record files in the tree with one of the extensions, and those of the larger collection where it is present.
inline Paths kifu_files(std::initializer_list<std::string_view> extensions) {
    Paths files;
    add_files(files, own_data("kifu"), extensions);
    for (const auto* folder : {"kifu", "book/shogihome", "protocol"})
        add_files(files, shared_data(folder), extensions);
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace tsumugi::test
