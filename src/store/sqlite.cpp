// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <tuple>

#include "base/text.hpp"

namespace tsumugi::store {

namespace {

using base::Error;
using base::Result;

constexpr std::size_t quoted_sql = 200;

Error make_error(sqlite3* connection, std::string_view sql) {
    const int code = sqlite3_errcode(connection);
    const auto kind = code == SQLITE_CONSTRAINT ? Error::Code::range
                      : code == SQLITE_ERROR    ? Error::Code::syntax
                      : code == SQLITE_FULL     ? Error::Code::limit
                                                : Error::Code::io;
    return {kind, fmt::format("database: {} (in: {})", sqlite3_errmsg(connection), base::shorten(sql, quoted_sql))};
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<void> Statement::check(int code) const {
    if (code == SQLITE_OK) return {};
    return make_error(sqlite3_db_handle(statement_.get()), sqlite3_sql(statement_.get()));
}

// SQLite counts parameters from 1. Texts and blobs are copied (SQLITE_TRANSIENT): the caller's may go at once.
Result<void> Statement::bind_integer(int index, std::int64_t value) {
    return check(sqlite3_bind_int64(statement_.get(), index + 1, value));
}

Result<void> Statement::bind_real(int index, double value) {
    return check(sqlite3_bind_double(statement_.get(), index + 1, value));
}

Result<void> Statement::bind_text(int index, std::string_view value) {
    // A null pointer would mean NULL, and an empty view may hold one.
    const char* data = value.data() != nullptr ? value.data() : "";
    return check(sqlite3_bind_text64(statement_.get(), index + 1, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

Result<void> Statement::bind_blob(int index, std::span<const std::byte> value) {
    if (value.empty()) return check(sqlite3_bind_zeroblob(statement_.get(), index + 1, 0));
    return check(sqlite3_bind_blob64(statement_.get(), index + 1, value.data(), value.size(), SQLITE_TRANSIENT));
}

Result<void> Statement::bind_null(int index) { return check(sqlite3_bind_null(statement_.get(), index + 1)); }

Result<bool> Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    Error error = make_error(sqlite3_db_handle(statement_.get()), sqlite3_sql(statement_.get()));
    reset();
    return error;
}

void Statement::reset() { std::ignore = sqlite3_reset(statement_.get()); }

Result<void> Statement::finish() {
    for (;;) {
        const Result<bool> row = step();
        if (!row) return row.error();
        if (!*row) break;
    }
    reset();
    return {};
}

int Statement::columns() const { return sqlite3_column_count(statement_.get()); }
bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Statement::text(int column) const {
    // The order matters: the length is that of the last conversion.
    const unsigned char* data = sqlite3_column_text(statement_.get(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return data == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(data), size);
}

Blob Statement::blob(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return data == nullptr ? Blob() : Blob(data, data + size);
}

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Error Database::error(std::string_view sql) const { return make_error(connection_.get(), sql); }

Result<Database> Database::connect(const std::string& name, Mode mode, std::chrono::milliseconds patience) {
    const int access = mode == Mode::read_only    ? SQLITE_OPEN_READONLY
                       : mode == Mode::read_write ? SQLITE_OPEN_READWRITE
                                                  : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3* connection = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &connection, access, nullptr);
    Database database(connection);
    if (code != SQLITE_OK)
        return Error{Error::Code::io, fmt::format("cannot open the database {}: {}", name, sqlite3_errstr(code))};
    sqlite3_extended_result_codes(connection, 0);
    sqlite3_busy_timeout(connection, static_cast<int>(patience.count()));
    if (const auto done = database.execute("PRAGMA foreign_keys = ON"); !done) return done.error();
    return database;
}

Result<Database> Database::open(const std::filesystem::path& path, Mode mode, std::chrono::milliseconds patience) {
    Result<Database> database = connect(path.string(), mode, patience);
    if (!database) return database;
    // A file that is no database is noticed at the first use only; the pragmas are one.
    const auto ready = mode == Mode::read_only
                           ? database->execute("SELECT count(*) FROM sqlite_schema")
                           : database->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (!ready) return ready.error().in(path.string());
    return database;
}

Result<Database> Database::in_memory() { return connect(":memory:", Mode::create, std::chrono::milliseconds(0)); }

Result<void> Database::execute(const std::string& sql) {
    if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return error(sql);
    return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    const char* rest = nullptr;
    if (sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()), &statement, &rest) != SQLITE_OK)
        return error(sql);
    Statement prepared(statement);
    const auto left = sql.substr(static_cast<std::size_t>(rest - sql.data()));
    if (statement == nullptr || !base::trim(left).empty())
        return Error{Error::Code::syntax,
                     fmt::format("database: expected exactly one statement (in: {})", base::shorten(sql, quoted_sql))};
    return prepared;
}

Result<void> Database::migrate(std::span<const std::string_view> steps) {
    for (;;) {
        // The version is read inside the transaction: another process may be migrating the same file.
        auto transaction = Transaction::begin(*this);
        if (!transaction) return transaction.error();
        const auto version = value<std::size_t>("PRAGMA user_version");
        if (!version) return version.error();
        const std::size_t current = version->value_or(0);
        if (current > steps.size())
            return Error{
                Error::Code::unsupported,
                fmt::format("the database has schema version {}, this program knows up to {}: use a newer program",
                            current, steps.size())};
        if (current == steps.size()) return transaction->commit();
        if (const auto done = execute(std::string(steps[current])); !done)
            return done.error().in(fmt::format("schema step {}", current));
        if (const auto done = execute(fmt::format("PRAGMA user_version = {}", current + 1)); !done) return done;
        if (const auto done = transaction->commit(); !done) return done;
    }
}

std::int64_t Database::last_insert_id() const { return sqlite3_last_insert_rowid(connection_.get()); }
std::int64_t Database::changes() const { return sqlite3_changes64(connection_.get()); }

Result<Transaction> Transaction::begin(Database& database) {
    if (const auto begun = database.execute("BEGIN IMMEDIATE"); !begun) return begun.error();
    return Transaction(database);
}

Transaction::~Transaction() {
    // After some errors SQLite has rolled back by itself; then this does nothing.
    if (database_ != nullptr) std::ignore = database_->execute("ROLLBACK");
}

Result<void> Transaction::commit() {
    if (database_ == nullptr) return Error{Error::Code::io, "the transaction is over already"};
    // A commit that fails (busy, disk full) leaves the transaction open for the destructor to undo.
    if (const auto done = database_->execute("COMMIT"); !done) return done;
    database_ = nullptr;
    return {};
}

}  // namespace tsumugi::store
