// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "ensemble/config.hpp"
#include "search/shared_table.hpp"

namespace tsumugi::ensemble {

// The tables that the copies of our engine in a group have in common: one for each net, because the scores of different
// nets mean different things.
class TableShare {
public:
    // Nothing for a player in another process. A table is made when it is first asked for.
    std::shared_ptr<search::SharedTable> table_of(const MemberConfig& member, std::size_t mebibytes);
    // For a new game; waits for players that still think.
    void clear();

private:
    std::map<std::string, std::shared_ptr<search::SharedTable>> tables_;  // by what the players say about their net
};

}  // namespace tsumugi::ensemble
