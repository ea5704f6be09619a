// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arena/score_sheet.hpp"
#include "experiment/books.hpp"
#include "experiment/output.hpp"

namespace tsumugi::experiment::books {

// One match of a book.
struct BookMatch {
    std::string name;
    std::filesystem::path book;
    std::string net;
    bool ponder = false;
    std::filesystem::path folder;  // of the match
    // Whether the player keeps to the best move of the book, instead of choosing among those nearly as good.
    bool best_only = false;
};

// Seen from the side with the book. Nothing is asked of a match that was finished before.
base::Result<arena::ScoreSheet> play(const BookMatch& match, const BookMatchOptions& options,
                                     const std::stop_token& stop);

// A row each for all games, those as Black and those as White.
class MatchTable {
public:
    MatchTable();

    void add(const std::string& name, const arena::ScoreSheet& sheet);
    // A published result: points in percent.
    void add(const std::string& name, const std::string& games, double score, double black, double white);
    [[nodiscard]] NamedTable table(std::string key, std::string title) const;

private:
    void add_row(const std::string& name, const std::string& side, const report::WinDrawLoss& games,
                 const report::EloEstimate& estimate);

    report::Table table_;
};

}  // namespace tsumugi::experiment::books
