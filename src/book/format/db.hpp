// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"
#include "book/source.hpp"
#include "book/writer.hpp"

namespace tsumugi::book {

// YaneuraOu's text book, "DB2016": a line "sfen …" for every position, then a line for every move with the move, the
// expected reply, value, depth and count, where "none" or nothing stands for what is not known. Lines and ends of
// lines that start with # or // are comments.
//
// The order of positions is that of their SFEN without the move number, compared as bytes.

// Reads a text that may be the middle of a file: `start` is where it begins.
class DbReader {
public:
    // Line numbers are known only when reading begins with the file.
    explicit DbReader(std::string_view text, std::size_t start = 0);

    // The header, if the text has one. A version that is not known is an error.
    base::Result<void> read_header();
    // False at the end.
    base::Result<bool> next(Entry& entry);
    [[nodiscard]] std::size_t offset() const { return at_; }

private:
    struct Line {
        std::string_view text;
        std::size_t start = 0;
    };

    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] Line peek() const;
    void advance(const Line& line);
    [[nodiscard]] base::Error at_line(const base::Error& error, const Line& line) const;
    base::Result<void> add_move(Entry& entry, std::string_view line) const;

    std::string_view text_;
    std::size_t at_;
    std::size_t line_;  // number of the line at at_; 0 when not known
};

class DbSource : public Source {
public:
    static base::Result<std::unique_ptr<Source>> open(const std::filesystem::path& file);

    base::Result<bool> next(Entry& entry) override;
    [[nodiscard]] std::uint64_t done() const override { return reader_.offset(); }
    [[nodiscard]] std::uint64_t size() const override { return file_.size(); }

private:
    DbSource(base::MappedFile file, std::string name)
        : file_(std::move(file)), name_(std::move(name)), reader_(file_.text()) {}

    base::MappedFile file_;
    std::string name_;
    DbReader reader_;
};

// Lookup in the file itself by binary search, so that its size does not matter. A file out of order gets an index of
// 16 bytes a position in memory.
class DbBook : public Book {
public:
    // With `trust_order` the whole file is not read to see whether it is in order; if it is not, positions are missed.
    static base::Result<std::unique_ptr<Book>> open(const std::filesystem::path& file, bool trust_order);

    [[nodiscard]] base::Result<std::optional<Entry>> find(const shogi::Setup& position, Ply ply) const override;

private:
    struct Place {
        std::uint64_t key;  // hash of the position's text
        std::uint64_t offset;
    };

    DbBook(base::MappedFile file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}
    void check_order();
    [[nodiscard]] std::size_t first_at_or_after(std::string_view key) const;
    [[nodiscard]] std::vector<std::size_t> places_of(std::string_view key) const;

    base::MappedFile file_;
    std::string name_;
    std::vector<Place> index_;  // only for files out of order
};

// Lines of one entry.
void append_db(std::string& text, const Entry& entry);
constexpr std::string_view db_header = "#YANEURAOU-DB2016 1.00\n";

class DbWriter : public Writer {
public:
    static base::Result<std::unique_ptr<Writer>> create(const std::filesystem::path& file);

    base::Result<void> write(const Entry& entry) override;
    base::Result<void> finish() override;

private:
    explicit DbWriter(base::AtomicFile file) : file_(std::move(file)), pending_(db_header) {}

    base::AtomicFile file_;
    std::string pending_;
};

}  // namespace tsumugi::book
