// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"
#include "book/source.hpp"
#include "book/spool.hpp"
#include "book/writer.hpp"
#include "record/packed_sfen.hpp"

namespace tsumugi::book {

// YaneuraOu's binary book (2026). All numbers are little-endian:
//   header    16 bytes "YANE-BINBOOK-V1\0", u64 positions, u64 flags (bit 0: moves have a depth)
//   position  32 bytes PackedSfen, u64 offset of its first move in the area of moves, u16 ply, u16 moves; in the
//             order of the PackedSfen's bytes
//   move      u16 move, i16 value (32767: not known), u16 depth if the flag is set (0: not known)
// It keeps no replies, counts and comments.
class YbbView {
public:
    static constexpr std::size_t header_size = 32;
    static constexpr std::size_t record_size = 44;

    // Checks the header and that the file is long enough for its positions.
    static base::Result<YbbView> of(std::string_view bytes);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    // The 32 bytes of a position.
    [[nodiscard]] std::string_view key(std::uint64_t i) const { return bytes_.substr(place(i), 32); }
    [[nodiscard]] base::Result<Entry> entry(std::uint64_t i) const;
    // The position with these bytes, if the book is in order.
    [[nodiscard]] std::optional<std::uint64_t> find(const record::PackedSfen& wanted) const;
    // The first position that does not come after the one before it.
    [[nodiscard]] std::optional<std::uint64_t> first_out_of_order() const;

private:
    YbbView(std::string_view bytes, std::uint64_t size, bool has_depth)
        : bytes_(bytes), size_(size), move_size_(has_depth ? 6 : 4) {}
    [[nodiscard]] static std::size_t place(std::uint64_t i) { return header_size + i * record_size; }

    std::string_view bytes_;
    std::uint64_t size_;
    std::size_t move_size_;
};

class YbbSource : public Source {
public:
    static base::Result<std::unique_ptr<Source>> open(const std::filesystem::path& file);

    base::Result<bool> next(Entry& entry) override;
    [[nodiscard]] std::uint64_t done() const override { return at_; }
    [[nodiscard]] std::uint64_t size() const override { return view_.size(); }

private:
    YbbSource(base::MappedFile file, YbbView view, std::string name)
        : file_(std::move(file)), view_(view), name_(std::move(name)) {}

    base::MappedFile file_;
    YbbView view_;
    std::string name_;
    std::uint64_t at_ = 0;
};

// Lookup by binary search in the file.
class YbbBook : public Book {
public:
    // A file out of order is refused, which takes reading its index; with `trust_order` positions are missed instead.
    static base::Result<std::unique_ptr<Book>> open(const std::filesystem::path& file, bool trust_order);
    // One in memory that outlives it.
    static base::Result<std::unique_ptr<Book>> of(std::string_view bytes, const std::string& name);

    [[nodiscard]] base::Result<std::optional<Entry>> find(const shogi::Setup& position, Ply ply) const override;

private:
    YbbBook(std::optional<base::MappedFile> file, YbbView view, std::string name)
        : file_(std::move(file)), view_(view), name_(std::move(name)) {}
    // Is it in order?
    static base::Result<void> check(const YbbView& view, const std::string& name);

    std::optional<base::MappedFile> file_;  // what the view shows, unless it is in memory anyway
    YbbView view_;
    std::string name_;
};

class YbbWriter : public Writer {
public:
    static base::Result<std::unique_ptr<Writer>> create(const std::filesystem::path& file);

    base::Result<void> write(const Entry& entry) override;
    base::Result<void> finish() override;

private:
    YbbWriter(base::AtomicFile file, Spool index, Spool moves)
        : file_(std::move(file)), index_(std::move(index)), moves_(std::move(moves)) {}
    base::Result<void> copy(Spool& spool);

    base::AtomicFile file_;
    Spool index_;
    Spool moves_;
    std::string last_key_;
    std::uint64_t positions_ = 0;
};

}  // namespace tsumugi::book
