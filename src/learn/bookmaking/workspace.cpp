// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/bookmaking/workspace.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "book/workspace.hpp"
#include "record/sfen.hpp"

namespace tsumugi::learn::bookmaking {
namespace {

using base::Result;

constexpr std::array<std::string_view, 3> schema{
    "CREATE TABLE position (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, ply INTEGER NOT NULL);"
    "CREATE TABLE move (position INTEGER NOT NULL REFERENCES position, move INTEGER NOT NULL, reply INTEGER NOT NULL,"
    " value INTEGER, depth INTEGER, reason TEXT NOT NULL, PRIMARY KEY (position, move)) WITHOUT ROWID;"
    "CREATE TABLE step (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL);"
    "CREATE INDEX step_of_kind ON step (kind);",
    // The texts of duels began with the number of the game.
    "ALTER TABLE step ADD COLUMN number INTEGER;"
    "UPDATE step SET number = CAST(substr(text, 6) AS INTEGER) WHERE kind = 'duel' AND text LIKE 'game %';",
    "CREATE TABLE output (path TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;"
    "INSERT INTO output SELECT '', '' WHERE EXISTS (SELECT 1 FROM step)"};

// Steps of these kinds are named after their position.
constexpr const char* analysis = "think";
constexpr const char* takeover = "import";

}  // namespace

Result<Workspace> Workspace::open(const std::filesystem::path& file) {
    auto database = book::open_workspace(file, book::WorkspaceKind::work, schema);
    if (!database) return database.error();
    Workspace workspace(*std::move(database), book::OutputLog(file));
    if (const auto loaded = workspace.load(); !loaded) return loaded.error().in(file.string());
    return workspace;
}

Result<void> Workspace::load() {
    auto rows = database_.prepare(
        "SELECT text, ply, move, reply, value, depth FROM move JOIN position ON position.id = move.position");
    if (!rows) return rows.error();
    for (;;) {
        const auto row = rows->step();
        if (!row) return row.error();
        if (!*row) break;
        auto setup = record::parse_sfen(rows->get<std::string>(0) + " " + std::to_string(rows->get<int>(1)));
        if (!setup) return setup.error();
        book::StoredMove move;
        move.move = shogi::Move::from_bits(rows->get<std::uint16_t>(2));
        move.reply = shogi::Move::from_bits(rows->get<std::uint16_t>(3));
        move.value = rows->get<std::optional<int>>(4);
        move.depth = rows->get<std::optional<int>>(5);
        apply({*setup, move, {}});
    }
    auto steps = database_.prepare("SELECT text FROM step WHERE kind IN (?, ?)");
    if (!steps) return steps.error();
    if (const auto bound = steps->bind(std::string(analysis), std::string(takeover)); !bound) return bound.error();
    for (;;) {
        const auto row = steps->step();
        if (!row) return row.error();
        if (!*row) return {};
        analysed_.insert(steps->get<std::string>(0));
    }
}

const book::Entry* Workspace::find(const shogi::Setup& position) const {
    const auto found = entries_.find(book::position_text(position));
    return found == entries_.end() ? nullptr : &found->second;
}

bool Workspace::is_analysed(const shogi::Setup& position) const {
    return analysed_.contains(book::position_text(position));
}

Result<void> Workspace::add_analysis(const shogi::Setup& position, const std::vector<Change>& changes) {
    const std::string text = book::position_text(position);
    if (const auto added = add_step(analysis, text, changes); !added) return added;
    analysed_.insert(text);
    return {};
}

void Workspace::apply(const Change& change) {
    book::Entry& entry = entries_.try_emplace(book::position_text(change.position)).first->second;
    if (entry.moves.empty()) entry.position = change.position;
    const auto known = std::find_if(entry.moves.begin(), entry.moves.end(),
                                    [&](const book::StoredMove& each) { return each.move == change.move.move; });
    if (known == entry.moves.end())
        entry.moves.push_back(change.move);
    else
        *known = change.move;
}

Result<void> Workspace::store_change(const Change& change) {
    const std::string text = book::position_text(change.position);
    if (const auto done = database_.run("INSERT INTO position (text, ply) VALUES (?, ?) ON CONFLICT DO NOTHING", text,
                                        change.position.move_number);
        !done)
        return done;
    return database_.run(
        "INSERT INTO move SELECT id, ?, ?, ?, ?, ? FROM position WHERE text = ?"
        " ON CONFLICT DO UPDATE SET reply = excluded.reply, value = excluded.value, depth = excluded.depth,"
        " reason = excluded.reason",
        change.move.move.bits(), change.move.reply.bits(), change.move.value, change.move.depth, change.reason, text);
}

Result<void> Workspace::add_step(const std::string& kind, const std::string& text, const std::vector<Change>& changes,
                                 std::optional<std::uint64_t> number) {
    auto transaction = store::Transaction::begin(database_);
    if (!transaction) return transaction.error();
    for (const Change& change : changes)
        if (const auto done = store_change(change); !done) return done;
    if (const auto done = database_.run("INSERT INTO step (kind, text, number) VALUES (?, ?, ?)", kind, text, number);
        !done)
        return done;
    if (const auto done = transaction->commit(); !done) return done;
    for (const Change& change : changes)
        apply(change);
    return {};
}

Result<std::size_t> Workspace::add_known(const std::vector<book::Entry>& entries, const std::string& reason) {
    auto transaction = store::Transaction::begin(database_);
    if (!transaction) return transaction.error();
    std::vector<Change> changes;
    std::vector<std::string> analysed;
    for (const book::Entry& entry : entries) {
        const book::Entry* known = find(entry.position);
        bool valued = false;
        for (const book::StoredMove& move : entry.moves) {
            valued = valued || move.value;
            const book::StoredMove* before = known != nullptr ? known->find(move.move) : nullptr;
            if (before == nullptr || (!before->value && move.value)) changes.push_back({entry.position, move, reason});
        }
        if (valued && !is_analysed(entry.position)) analysed.push_back(book::position_text(entry.position));
    }
    for (const Change& change : changes)
        if (const auto done = store_change(change); !done) return done.error();
    for (const std::string& text : analysed)
        if (const auto done = database_.run("INSERT INTO step (kind, text) VALUES (?, ?)", takeover, text); !done)
            return done.error();
    if (const auto done = transaction->commit(); !done) return done.error();
    for (const Change& change : changes)
        apply(change);
    analysed_.insert(analysed.begin(), analysed.end());
    return changes.size();
}

Result<std::uint64_t> Workspace::steps(const std::string& kind) {
    const auto count = database_.value<std::int64_t>("SELECT COUNT(*) FROM step WHERE kind = ?", kind);
    if (!count) return count.error();
    return static_cast<std::uint64_t>(count->value_or(0));
}

Result<std::uint64_t> Workspace::steps_after(const std::string& kind, const std::string& mark, std::uint64_t number) {
    const auto count = database_.value<std::int64_t>(
        "SELECT COUNT(*) FROM step WHERE kind = ? AND id > (SELECT MIN(id) FROM step WHERE kind = ? AND number = ?)",
        kind, mark, number);
    if (!count) return count.error();
    return static_cast<std::uint64_t>(count->value_or(0));
}

Result<std::set<std::uint64_t>> Workspace::step_numbers(const std::string& kind) {
    auto rows = database_.prepare("SELECT number FROM step WHERE kind = ? AND number IS NOT NULL");
    if (!rows) return rows.error();
    if (const auto bound = rows->bind(kind); !bound) return bound.error();
    std::set<std::uint64_t> numbers;
    for (;;) {
        const auto row = rows->step();
        if (!row) return row.error();
        if (!*row) return numbers;
        numbers.insert(rows->get<std::uint64_t>(0));
    }
}

Result<std::vector<Workspace::Explanation>> Workspace::explain(const shogi::Setup& position) {
    auto rows = database_.prepare(
        "SELECT move, reason FROM move JOIN position ON position.id = move.position WHERE text = ? ORDER BY value "
        "DESC");
    if (!rows) return rows.error();
    if (const auto bound = rows->bind(book::position_text(position)); !bound) return bound.error();
    std::vector<Explanation> explanations;
    for (;;) {
        const auto row = rows->step();
        if (!row) return row.error();
        if (!*row) return explanations;
        explanations.push_back({shogi::Move::from_bits(rows->get<std::uint16_t>(0)), rows->get<std::string>(1)});
    }
}

}  // namespace tsumugi::learn::bookmaking
