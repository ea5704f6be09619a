// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "book/output.hpp"
#include "book/output_log.hpp"
#include "book/rating.hpp"
#include "record/game.hpp"
#include "store/sqlite.hpp"

namespace tsumugi::book {

// Which moves of which games become moves of the book.
struct ImportRule {
    int plies = 80;            // moves at the start of a game
    double lowest_rating = 0;  // of both players; above 0, games with a player of unknown rating are left out
    bool winner_only = true;   // only the moves of the side that won, hence none of undecided games
    // Without winner_only: a game without an end may still be played, and is left for later instead of used as it is.
    bool awaits_ends = false;

    // One line that says what may not change in a workspace.
    [[nodiscard]] std::string text() const;
};

struct ImportReport {
    std::uint64_t files = 0;       // new or grown since the last time
    std::uint64_t games = 0;       // used
    std::uint64_t unfinished = 0;  // games whose record has no end: used or left for later as the rule says
    std::uint64_t undecided = 0;   // games left out: nobody won
    std::uint64_t rated_low = 0;   // or a player is rated too low, or not at all
    std::uint64_t broken = 0;      // or they could not be read, or start elsewhere than the even game
    std::uint64_t moves = 0;       // counted
};

// Builds a book from game records. What has been counted is kept in a database, so that work can be broken off at any
// time, and only new games are read the next time.
class GameImport {
public:
    // A workspace that was begun with another rule is refused.
    static base::Result<GameImport> open(const std::filesystem::path& workspace, const ImportRule& rule,
                                         RatingTable ratings);

    // Takes a book for that of this workspace; one that it has not written is refused unless it may be overwritten.
    base::Result<void> claim(const std::filesystem::path& output, bool overwrite) {
        return outputs_.claim(database_, output, overwrite);
    }

    // Counts the games of files and folders that were not counted yet. Troubles with single files are told to
    // `complain`; `advance` is called after every file with the number of all.
    base::Result<ImportReport> read(const std::vector<std::string>& inputs,
                                    const std::function<void(const std::string&)>& complain,
                                    const std::function<void(std::size_t)>& advance, const std::stop_token& stop);

    // Was the book last written with these settings and from the games counted so far?
    base::Result<bool> is_written(const std::filesystem::path& output, std::int64_t least_games);
    // Writes every move played in at least `least_games` games. Comments tell how those games ended.
    base::Result<std::uint64_t> write(const std::filesystem::path& output, std::int64_t least_games,
                                      const Output::Options& options);

private:
    GameImport(store::Database database, OutputLog outputs, const ImportRule& rule, RatingTable ratings)
        : database_(std::move(database)), outputs_(std::move(outputs)), rule_(rule), ratings_(std::move(ratings)) {}

    struct Seen {
        std::int64_t size = 0;
        std::int64_t written = 0;  // time
        std::int64_t games = 0;    // of the file that are done with
        bool waiting = false;      // the last one was left for later
        std::uint64_t used = 0;    // games, by all runs
    };

    base::Result<void> read_file(const std::filesystem::path& path,
                                 const std::function<void(const std::string&)>& complain, ImportReport& report);
    base::Result<Seen> seen(const std::filesystem::path& path, const std::string& key);
    base::Result<void> count(const record::Game& game, store::Statement& insert, ImportReport& report);

    // What a book written now would be made of.
    base::Result<std::string> state(std::int64_t least_games);

    store::Database database_;
    OutputLog outputs_;
    ImportRule rule_;
    RatingTable ratings_;
};

}  // namespace tsumugi::book
