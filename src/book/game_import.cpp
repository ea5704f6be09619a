// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/game_import.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/file.hpp"
#include "book/workspace.hpp"
#include "record/ending.hpp"
#include "record/format.hpp"
#include "record/packed_sfen.hpp"
#include "record/tool/file_list.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::book {
namespace {

using base::Error;
using base::Result;
using shogi::Color;

constexpr std::array<std::string_view, 3> schema{
    "CREATE TABLE rule (text TEXT NOT NULL);"
    "CREATE TABLE file (path TEXT PRIMARY KEY, size INTEGER NOT NULL, written INTEGER NOT NULL, games INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE move (position BLOB, move INTEGER, ply INTEGER NOT NULL, games INTEGER NOT NULL,"
    " wins INTEGER NOT NULL, losses INTEGER NOT NULL, PRIMARY KEY (position, move)) WITHOUT ROWID;",
    // Of files read before nobody knows whether their last game waits for its end.
    "ALTER TABLE file ADD COLUMN waiting INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE file ADD COLUMN used INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE output (path TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;"
    "INSERT INTO output SELECT '', '' WHERE EXISTS (SELECT 1 FROM file)"};

constexpr std::size_t files_per_transaction = 200;

// The legal moves at the start of the game, and who won.
struct Course {
    std::vector<shogi::Move> moves;
    std::optional<Color> winner;
};

Course course_of(const record::Game& game) {
    Course course;
    shogi::Position position = shogi::Position::even();
    const auto moves = game.main_moves();
    for (const shogi::Move move : moves) {
        if (!position.is_legal(move)) break;
        course.moves.push_back(move);
        position.do_move(move);
    }
    const Color to_move = moves.size() % 2 == 0 ? Color::black : Color::white;
    if (const auto ending = game.main_ending(); ending) {
        course.winner = record::winner_of(*ending, to_move);
    } else if (course.moves.size() == moves.size() && !shogi::has_legal_move(position)) {
        course.winner = ~to_move;  // mated, although the record just stops
    }
    return course;
}

// A record whose end is still to be written, as opposed to a format that has no words for the end.
bool is_unfinished(const record::Game& game, std::optional<record::Format> format) {
    const bool says_end = format && (*format == record::Format::csa || *format == record::Format::kif ||
                                     *format == record::Format::ki2 || *format == record::Format::jkf);
    if (!says_end || game.main_ending()) return false;
    return game.start != shogi::Setup::even() || !course_of(game).winner;
}

std::int64_t write_time(const std::filesystem::path& path) {
    std::error_code problem;
    const auto time = std::filesystem::last_write_time(path, problem);
    return problem ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

// The same for a file however it is named.
std::string key_of(const std::filesystem::path& path) {
    std::error_code problem;
    const auto canonical = std::filesystem::canonical(path, problem);
    return problem ? path.string() : canonical.string();
}

}  // namespace

std::string ImportRule::text() const {
    return fmt::format("plies {} rating {} {}", plies, lowest_rating, winner_only ? "winner" : "all");
}

Result<GameImport> GameImport::open(const std::filesystem::path& workspace, const ImportRule& rule,
                                    RatingTable ratings) {
    auto database = open_workspace(workspace, WorkspaceKind::games, schema);
    if (!database) return database.error();
    const auto known = database->value<std::string>("SELECT text FROM rule");
    if (!known) return known.error();
    if (*known && **known != rule.text())
        return Error{Error::Code::range,
                     fmt::format("{} was begun with '{}' and cannot go on with '{}'; use the same settings or another "
                                 "workspace",
                                 workspace.string(), **known, rule.text())};
    if (!*known)
        if (const auto done = database->run("INSERT INTO rule VALUES (?)", rule.text()); !done) return done.error();
    return GameImport(*std::move(database), OutputLog(workspace), rule, std::move(ratings));
}

Result<GameImport::Seen> GameImport::seen(const std::filesystem::path& path, const std::string& key) {
    // Older programs kept files under the name they were given.
    if (const std::string given = path.string(); given != key)
        if (const auto done = database_.run("UPDATE OR IGNORE file SET path = ? WHERE path = ?", key, given); !done)
            return done.error();
    auto rows = database_.prepare("SELECT size, written, games, waiting, used FROM file WHERE path = ?");
    if (!rows) return rows.error();
    if (const auto bound = rows->bind(key); !bound) return bound.error();
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) return Seen{-1, 0, 0, false, 0};
    return Seen{rows->get<std::int64_t>(0), rows->get<std::int64_t>(1), rows->get<std::int64_t>(2), rows->get<bool>(3),
                rows->get<std::uint64_t>(4)};
}

Result<ImportReport> GameImport::read(const std::vector<std::string>& inputs,
                                      const std::function<void(const std::string&)>& complain,
                                      const std::function<void(std::size_t)>& advance, const std::stop_token& stop) {
    const auto files = record::tool::list_files(inputs);
    if (!files) return files.error();
    ImportReport report;
    for (std::size_t first = 0; first < files->size() && !stop.stop_requested(); first += files_per_transaction) {
        auto transaction = store::Transaction::begin(database_);
        if (!transaction) return transaction.error();
        const std::size_t end = std::min(files->size(), first + files_per_transaction);
        for (std::size_t i = first; i < end && !stop.stop_requested(); ++i) {
            if (const auto done = read_file((*files)[i].path, complain, report); !done) return done.error();
            advance(files->size());
        }
        if (const auto done = transaction->commit(); !done) return done.error();
    }
    return report;
}

Result<void> GameImport::read_file(const std::filesystem::path& path,
                                   const std::function<void(const std::string&)>& complain, ImportReport& report) {
    std::error_code problem;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, problem));
    const std::int64_t written = write_time(path);
    const std::string key = key_of(path);
    const auto before = seen(path, key);
    if (!before) return before.error();
    const bool waits = rule_.winner_only || rule_.awaits_ends;
    if (before->size == size && before->written == written && (waits || !before->waiting)) return {};
    const auto bytes = base::read_file(path);
    if (!bytes) {
        complain(bytes.error().message);
        return {};
    }
    ++report.files;
    const record::GameFile file = record::read_games(*bytes, record::format_of_name(path));
    for (const record::Problem& each : file.problems)
        complain(each.text(path.string()));
    report.broken += file.problems.size();
    auto insert = database_.prepare(
        "INSERT INTO move VALUES (?, ?, ?, 1, ?, ?) ON CONFLICT DO UPDATE SET games = games + 1,"
        " wins = wins + excluded.wins, losses = losses + excluded.losses, ply = min(ply, excluded.ply)");
    if (!insert) return insert.error();
    auto games = static_cast<std::int64_t>(file.games.size());
    const bool unfinished = games > before->games && is_unfinished(file.games.back(), file.format);
    if (unfinished) ++report.unfinished;
    if (unfinished && waits) --games;
    const std::uint64_t used_before = report.games;
    for (auto i = before->games; i < games; ++i) {
        const record::Game& game = file.games[static_cast<std::size_t>(i)];
        auto ratings = ratings_of(game, ratings_);
        if (file.games.size() == 1) {
            const auto before_start = ratings_in(*bytes);
            for (std::size_t c = 0; c < ratings.size(); ++c)
                if (before_start[c]) ratings[c] = before_start[c];
        }
        const bool rated = rule_.lowest_rating <= 0 ||
                           std::all_of(ratings.begin(), ratings.end(),
                                       [&](const auto& rating) { return rating && *rating >= rule_.lowest_rating; });
        if (!rated)
            ++report.rated_low;
        else if (auto done = count(game, *insert, report); !done)
            return done;
    }
    return database_.run("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?)", key, size, written,
                         std::max(games, before->games), unfinished && waits,
                         before->used + report.games - used_before);
}

Result<void> GameImport::count(const record::Game& game, store::Statement& insert, ImportReport& report) {
    if (game.start != shogi::Setup::even()) {
        ++report.broken;
        return {};
    }
    const Course course = course_of(game);
    if (rule_.winner_only && !course.winner) {
        ++report.undecided;
        return {};
    }
    ++report.games;
    shogi::Position position = shogi::Position::even();
    for (std::size_t ply = 0; ply < course.moves.size() && static_cast<int>(ply) < rule_.plies; ++ply) {
        const bool won = course.winner == position.side_to_move();
        if (won || !rule_.winner_only) {
            const auto packed = record::to_packed_sfen(position.setup());
            if (!packed) return packed.error();
            ++report.moves;
            const auto bytes = std::as_bytes(std::span(packed->bytes));
            if (auto done = insert.run(bytes, record::to_psv_move(course.moves[ply]), position.move_number(),
                                       won ? 1 : 0, course.winner && !won ? 1 : 0);
                !done)
                return done;
        }
        position.do_move(course.moves[ply]);
    }
    return {};
}

namespace {

// The position of a row; its ply is set apart.
Result<shogi::Setup> position_of(const store::Blob& bytes) {
    record::PackedSfen packed;
    if (bytes.size() != packed.bytes.size()) return Error{Error::Code::range, "the workspace holds a damaged position"};
    std::transform(bytes.begin(), bytes.end(), packed.bytes.begin(),
                   [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
    return record::from_packed_sfen(packed);
}

// The move of a row of "position, move, ply, games, wins, losses".
Result<StoredMove> move_of(const store::Statement& row) {
    const auto move = record::from_psv_move(row.get<std::uint16_t>(1));
    if (!move) return move.error();
    const auto games = row.get<std::int64_t>(3);
    const auto wins = row.get<std::int64_t>(4);
    const auto losses = row.get<std::int64_t>(5);
    StoredMove stored;
    stored.move = *move;
    stored.count = games;
    stored.comment = fmt::format("won {} lost {} undecided {}", wins, losses, games - wins - losses);
    return stored;
}

}  // namespace

Result<std::string> GameImport::state(std::int64_t least_games) {
    const auto used = database_.value<std::int64_t>("SELECT SUM(used) FROM file");
    if (!used) return used.error();
    return fmt::format("{} games, moves of {} at least", used->value_or(0), least_games);
}

Result<bool> GameImport::is_written(const std::filesystem::path& output, std::int64_t least_games) {
    const auto now = state(least_games);
    if (!now) return now.error();
    const auto then = outputs_.state(database_, output);
    if (!then) return then.error();
    std::error_code problem;
    return *then == *now && std::filesystem::exists(output, problem);
}

Result<std::uint64_t> GameImport::write(const std::filesystem::path& output, std::int64_t least_games,
                                        const Output::Options& options) {
    auto target = Output::create(output, options);
    if (!target) return target.error();
    auto rows = database_.prepare(
        "SELECT position, move, ply, games, wins, losses FROM move WHERE games >= ?"
        " ORDER BY position, games DESC, move");
    if (!rows) return rows.error();
    if (const auto bound = rows->bind(least_games); !bound) return bound.error();
    store::Blob last;
    Entry entry;
    for (;;) {
        const auto more = rows->step();
        if (!more) return more.error();
        const auto bytes = *more ? rows->get<store::Blob>(0) : store::Blob();
        if (bytes != last && !entry.moves.empty())
            if (const auto added = target->add(entry); !added) return added.error();
        if (!*more) break;
        if (bytes != last) {
            const auto position = position_of(bytes);
            if (!position) return position.error();
            entry = {};
            entry.position = *position;
            entry.position.move_number = rows->get<int>(2);
            last = bytes;
        }
        auto stored = move_of(*rows);
        if (!stored) return stored.error();
        entry.position.move_number = std::min(entry.position.move_number, rows->get<int>(2));
        entry.moves.push_back(*std::move(stored));
    }
    if (const auto finished = target->finish([] {}); !finished) return finished.error();
    const auto now = state(least_games);
    if (!now) return now.error();
    if (const auto noted = outputs_.note(database_, output, *now); !noted) return noted.error();
    return target->positions();
}

}  // namespace tsumugi::book
