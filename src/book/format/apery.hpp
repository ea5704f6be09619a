// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.hpp"
#include "book/source.hpp"

namespace tsumugi::book {

// The key under which Apery's books hold a position: random numbers of pieces on squares, of the mover's hand and of
// the turn, combined by exclusive or. The numbers are the first outputs of the standard 64-bit Mersenne twister.
std::uint64_t apery_key(const shogi::Setup& position);

// Apery's book: records of 16 bytes, u64 key, u16 move, u16 count, i32 value for the side to move, in the order of the
// keys. It does not hold the positions themselves.
class AperyBook : public Book {
public:
    static base::Result<std::unique_ptr<Book>> open(const std::filesystem::path& file);
    // For what is not in a file. The bytes must outlive the book.
    static base::Result<std::unique_ptr<AperyBook>> of(std::string_view bytes, std::string name);

    [[nodiscard]] base::Result<std::optional<Entry>> find(const shogi::Setup& position, Ply ply) const override;
    [[nodiscard]] std::size_t keys() const { return keys_; }

private:
    AperyBook(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
    [[nodiscard]] std::uint64_t key(std::size_t record) const;
    [[nodiscard]] std::size_t record(std::size_t i) const { return order_.empty() ? i : order_[i]; }

    std::optional<base::MappedFile> file_;
    std::string_view bytes_;
    std::string name_;
    std::size_t records_ = 0;
    std::size_t keys_ = 0;
    std::vector<std::uint32_t> order_;  // of the records by key; empty when the file is in order
};

// The positions of an Apery book that can be reached from the start of the even game by moves of the book, with at
// most one other move in a row between them.
struct AperyContent {
    std::vector<Entry> entries;
    std::size_t keys = 0;  // of the book; more than there are entries when some were not reached
};
base::Result<AperyContent> walk(const AperyBook& book);

base::Result<std::unique_ptr<Source>> open_apery_source(const std::filesystem::path& file);

}  // namespace tsumugi::book
