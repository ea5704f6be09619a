// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace tsumugi::store {

using Blob = std::vector<std::byte>;

// A compiled SQL statement. Parameters and columns count from 0. It must not outlive its Database.
class Statement {
public:
    // Gives values to the parameters, in order. Values: integers, bool, double, text, Blob, std::nullopt or optionals.
    template <typename... Values>
    base::Result<void> bind(const Values&... values) {
        base::Result<void> result;
        int index = 0;
        ((result.ok() ? static_cast<void>(result = bind_value(index++, values)) : static_cast<void>(0)), ...);
        return result;
    }

    // Moves to the next row: true if there is one, false at the end.
    base::Result<bool> step();
    // Makes it ready to run again; the bound values stay.
    void reset();

    // Binds, runs to the end and resets: for statements without rows.
    template <typename... Values>
    base::Result<void> run(const Values&... values) {
        if (auto bound = bind(values...); !bound) return bound;
        return finish();
    }

    [[nodiscard]] int columns() const;
    [[nodiscard]] bool is_null(int column) const;

    // The value of a column of the current row, converted as SQLite does; a null is zero or empty unless T is
    // an optional.
    template <typename T>
    [[nodiscard]] T get(int column) const {
        if constexpr (std::same_as<T, std::string>)
            return text(column);
        else if constexpr (std::same_as<T, Blob>)
            return blob(column);
        else if constexpr (std::floating_point<T>)
            return static_cast<T>(real(column));
        else if constexpr (std::same_as<T, bool>)
            return integer(column) != 0;
        else if constexpr (std::integral<T>)
            return static_cast<T>(integer(column));
        else {
            if (is_null(column)) return std::nullopt;
            return get<typename T::value_type>(column);
        }
    }

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

    template <typename T>
    base::Result<void> bind_value(int index, const T& value) {
        if constexpr (std::integral<T>)
            return bind_integer(index, static_cast<std::int64_t>(value));
        else if constexpr (std::floating_point<T>)
            return bind_real(index, static_cast<double>(value));
        else if constexpr (std::convertible_to<const T&, std::string_view>)
            return bind_text(index, value);
        else if constexpr (std::convertible_to<const T&, std::span<const std::byte>>)
            return bind_blob(index, value);
        else if constexpr (std::same_as<T, std::nullopt_t>)
            return bind_null(index);
        else
            return value ? bind_value(index, *value) : bind_null(index);
    }
    base::Result<void> bind_integer(int index, std::int64_t value);
    base::Result<void> bind_real(int index, double value);
    base::Result<void> bind_text(int index, std::string_view value);
    base::Result<void> bind_blob(int index, std::span<const std::byte> value);
    base::Result<void> bind_null(int index);
    base::Result<void> finish();

    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] Blob blob(int column) const;

    base::Result<void> check(int code) const;

    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// A connection to an SQLite file. Errors name the file's trouble and the SQL at hand. One connection belongs to
// one thread at a time; several connections, also of several processes, may share a file.
class Database {
public:
    enum class Mode { create, read_write, read_only };

    // Write-ahead logging, so that readers and one writer do not wait for each other; foreign keys are enforced;
    // a lock held by somebody else is waited for as long as `patience`.
    static base::Result<Database> open(const std::filesystem::path& path, Mode mode = Mode::create,
                                       std::chrono::milliseconds patience = std::chrono::seconds(10));
    static base::Result<Database> in_memory();

    // One or more statements without parameters.
    base::Result<void> execute(const std::string& sql);
    base::Result<Statement> prepare(std::string_view sql);

    // Prepares and runs a statement that returns no rows.
    template <typename... Values>
    base::Result<void> run(std::string_view sql, const Values&... values) {
        auto statement = prepare(sql);
        if (!statement) return statement.error();
        return statement->run(values...);
    }

    // The first column of the first row; nothing when there is no row.
    template <typename T, typename... Values>
    base::Result<std::optional<T>> value(std::string_view sql, const Values&... values) {
        auto statement = prepare(sql);
        if (!statement) return statement.error();
        if (const auto bound = statement->bind(values...); !bound) return bound.error();
        const auto row = statement->step();
        if (!row) return row.error();
        if (!*row) return std::optional<T>();
        return std::optional<T>(statement->template get<T>(0));
    }

    // Brings the schema up to date. Step i changes version i to i+1, each in a transaction of its own; the version
    // is kept in the file (user_version). Published steps must never be edited, only followed by new ones. A file
    // from a newer program is refused.
    base::Result<void> migrate(std::span<const std::string_view> steps);

    [[nodiscard]] std::int64_t last_insert_id() const;
    // Rows changed by the last statement.
    [[nodiscard]] std::int64_t changes() const;

private:
    struct Close {
        void operator()(sqlite3* connection) const;
    };

    explicit Database(sqlite3* connection) : connection_(connection) {}
    static base::Result<Database> connect(const std::string& name, Mode mode, std::chrono::milliseconds patience);
    [[nodiscard]] base::Error error(std::string_view sql) const;

    std::unique_ptr<sqlite3, Close> connection_;
};

// All or nothing: what is not committed is undone when it goes. Taken for writing at once, so that two writers wait
// for each other at the start instead of failing in the middle.
class Transaction {
public:
    static base::Result<Transaction> begin(Database& database);

    Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();

    base::Result<void> commit();

private:
    explicit Transaction(Database& database) : database_(&database) {}
    Database* database_;
};

}  // namespace tsumugi::store
