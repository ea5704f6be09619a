// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "search/table_settings.hpp"

namespace tsumugi::experiment::tables {

// One way to keep a table from move to move.
struct Contender {
    search::TablePolicy policy = search::TablePolicy::ageing;
    int second_probe_depth = 0;
    // A pair of tables that are each as large as the single table of the others, instead of half as large.
    bool doubled = false;
    search::TableScheme scheme = search::TableScheme::modern;

    // "Alternating:4 2x": from depth 4 on the older table is asked too, and both together have twice the memory.
    [[nodiscard]] std::string policy_name() const;
    // Without what follows the colon: the words that the option HashPolicy knows.
    [[nodiscard]] std::string_view bare_policy_name() const;
    [[nodiscard]] std::string_view scheme_name() const;

    // When a single table has so much memory.
    [[nodiscard]] search::TableSettings settings(std::size_t kibibytes) const;
};

// Every policy with every scheme, by their names: "Clearing", "Ageing", "Alternating", "Alternating:DEPTH"; "Modern",
// "Deep" and so on in any case, or "all". An alternating pair comes twice, with twice the memory of the others and
// with the same.
base::Result<std::vector<Contender>> make_contenders(const std::vector<std::string>& policies,
                                                     const std::vector<std::string>& schemes);

}  // namespace tsumugi::experiment::tables
