// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tsumugi::search {

// How the table treats what earlier searches of the same game left behind.
enum class TablePolicy {
    ageing,       // one table; entries of older searches are replaced first
    alternating,  // two tables: this search writes to one and also reads the other, which holds the search before
    clearing,     // every search starts with an empty table
};

// Which positions stay when several fall on the same place. All but the first are what the literature compares; they
// are there for experiments. In every one of them a position gives way to its own newer result, and a result of an
// earlier search to any of this one.
enum class TableScheme {
    modern,      // places in fives; the least by depth and age gives way
    deep,        // one position a place: the more deeply searched one stays
    newest,      // the newcomer
    oldest,      // whoever was there first
    big1,        // the one with the larger tree, where a position answered by the table counts as one node
    big_all,     // the same, but it counts as the nodes that were once searched below it
    two_deep,    // two to a place: one chosen as in deep, beside it the newest of the others
    two_big,     // two to a place: one chosen as in big1, beside it the newest of the others
    three_slot,  // three to a place: one chosen as in deep, beside it the two newest of the others (Crafty)
};

constexpr std::array<std::pair<std::string_view, TablePolicy>, 3> table_policies{{
    {"Ageing", TablePolicy::ageing},
    {"Alternating", TablePolicy::alternating},
    {"Clearing", TablePolicy::clearing},
}};

constexpr std::array<std::pair<std::string_view, TableScheme>, 9> table_schemes{{
    {"Modern", TableScheme::modern},
    {"Deep", TableScheme::deep},
    {"New", TableScheme::newest},
    {"Old", TableScheme::oldest},
    {"Big1", TableScheme::big1},
    {"BigAll", TableScheme::big_all},
    {"TwoDeep", TableScheme::two_deep},
    {"TwoBig", TableScheme::two_big},
    {"ThreeSlot", TableScheme::three_slot},
}};

struct TableSettings {
    std::size_t kibibytes = 256 * 1024;  // in total, both tables of an alternating pair together
    TablePolicy policy = TablePolicy::ageing;
    // With an alternating pair: below this remaining depth the older table is not asked.
    int second_probe_depth = 0;
    TableScheme scheme = TableScheme::modern;

    bool operator==(const TableSettings&) const = default;
};

}  // namespace tsumugi::search
