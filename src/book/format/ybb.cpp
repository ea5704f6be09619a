// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/format/ybb.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "book/format/bytes.hpp"

namespace tsumugi::book {
namespace {

using base::Error;
using base::Result;

constexpr std::string_view ybb_magic{"YANE-BINBOOK-V1\0", 16};
constexpr std::uint64_t depth_flag = 1;
constexpr int unknown_value = 32767;
constexpr std::size_t most_moves = std::numeric_limits<std::uint16_t>::max();

std::string_view text_of(const record::PackedSfen& packed) {
    return {reinterpret_cast<const char*>(packed.bytes.data()), packed.bytes.size()};
}

Error at_byte(std::size_t place, Error::Code code, std::string message) {
    return Error{code, std::move(message)}.in(fmt::format("byte {}", place));
}

}  // namespace

Result<YbbView> YbbView::of(std::string_view bytes) {
    if (bytes.size() < header_size || !bytes.starts_with(ybb_magic))
        return at_byte(0, Error::Code::syntax, "a YaneuraOu binary book begins with YANE-BINBOOK-V1");
    const auto size = get<std::uint64_t>(bytes, 16);
    const auto flags = get<std::uint64_t>(bytes, 24);
    if ((flags & ~depth_flag) != 0)
        return at_byte(24, Error::Code::unsupported, fmt::format("the flags {:#x} are not known", flags));
    if (size > (bytes.size() - header_size) / record_size)
        return at_byte(
            16, Error::Code::range,
            fmt::format("{} positions are announced, more than the {} bytes of the file can hold", size, bytes.size()));
    return YbbView(bytes, size, (flags & depth_flag) != 0);
}

Result<Entry> YbbView::entry(std::uint64_t i) const {
    const std::size_t start = place(i);
    record::PackedSfen packed;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(start), packed.bytes.size(), packed.bytes.begin());
    auto position = record::from_packed_sfen(packed);
    if (!position) return position.error().in(fmt::format("byte {}", start));
    Entry entry;
    entry.position = *std::move(position);
    entry.position.move_number = std::max<int>(1, get<std::uint16_t>(bytes_, start + 40));
    const auto offset = get<std::uint64_t>(bytes_, start + 32);
    const std::size_t count = get<std::uint16_t>(bytes_, start + 42);
    const std::size_t area = place(size_);
    if (offset > bytes_.size() - area || count * move_size_ > bytes_.size() - area - offset)
        return at_byte(start + 32, Error::Code::range, "the moves of this position lie beyond the end of the file");
    for (std::size_t at = area + offset; entry.moves.size() < count; at += move_size_) {
        const auto move = record::from_psv_move(get<std::uint16_t>(bytes_, at));
        if (!move || move->is_none())
            return at_byte(at, Error::Code::syntax,
                           fmt::format("{:#06x} is no move of a YaneuraOu book", get<std::uint16_t>(bytes_, at)));
        StoredMove stored;
        stored.move = *move;
        const int value = static_cast<std::int16_t>(get<std::uint16_t>(bytes_, at + 2));
        if (value != unknown_value) stored.value = value;
        const int depth = move_size_ == 6 ? get<std::uint16_t>(bytes_, at + 4) : 0;
        if (depth != 0) stored.depth = depth;
        entry.moves.push_back(std::move(stored));
    }
    return entry;
}

std::optional<std::uint64_t> YbbView::find(const record::PackedSfen& wanted) const {
    const std::string_view bytes = text_of(wanted);
    std::uint64_t low = 0;
    std::uint64_t high = size_;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (key(middle) < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == size_ || key(low) != bytes) return std::nullopt;
    return low;
}

std::optional<std::uint64_t> YbbView::first_out_of_order() const {
    for (std::uint64_t i = 1; i < size_; ++i)
        if (key(i) <= key(i - 1)) return i;
    return std::nullopt;
}

Result<std::unique_ptr<Source>> YbbSource::open(const std::filesystem::path& file) {
    auto mapped = base::MappedFile::open(file);
    if (!mapped) return mapped.error();
    const auto view = YbbView::of(mapped->text());
    if (!view) return view.error().in(file.string());
    return std::unique_ptr<Source>(new YbbSource(*std::move(mapped), *view, file.string()));
}

Result<bool> YbbSource::next(Entry& entry) {
    if (at_ == view_.size()) return false;
    auto read = view_.entry(at_++);
    if (!read) return read.error().in(name_);
    entry = *std::move(read);
    return true;
}

Result<std::unique_ptr<Book>> YbbBook::open(const std::filesystem::path& file, bool trust_order) {
    auto mapped = base::MappedFile::open(file, base::MappedFile::Access::random);
    if (!mapped) return mapped.error();
    const auto view = YbbView::of(mapped->text());
    if (!view) return view.error().in(file.string());
    if (!trust_order)
        if (const auto fine = check(*view, file.string()); !fine) return fine.error();
    return std::unique_ptr<Book>(new YbbBook(*std::move(mapped), *view, file.string()));
}

Result<std::unique_ptr<Book>> YbbBook::of(std::string_view bytes, const std::string& name) {
    const auto view = YbbView::of(bytes);
    if (!view) return view.error().in(name);
    if (const auto fine = check(*view, name); !fine) return fine.error();
    return std::unique_ptr<Book>(new YbbBook(std::nullopt, *view, name));
}

Result<void> YbbBook::check(const YbbView& view, const std::string& name) {
    const auto wrong = view.first_out_of_order();
    if (!wrong) return {};
    return Error{Error::Code::range,
                 fmt::format("{}: position {} is out of order; `tsumugi book sort` puts it right", name, *wrong)};
}

Result<std::optional<Entry>> YbbBook::find(const shogi::Setup& position, Ply ply) const {
    const auto packed = record::to_packed_sfen(position);
    if (!packed) return std::optional<Entry>();  // what cannot be packed is in no such book
    const auto i = view_.find(*packed);
    if (!i) return std::optional<Entry>();
    auto entry = view_.entry(*i);
    if (!entry) return entry.error().in(name_);
    if (ply == Ply::same && entry->position.move_number != position.move_number) return std::optional<Entry>();
    return std::optional<Entry>(*std::move(entry));
}

Result<std::unique_ptr<Writer>> YbbWriter::create(const std::filesystem::path& file) {
    auto target = base::AtomicFile::create(file);
    if (!target) return target.error();
    auto index = Spool::create(file.parent_path());
    if (!index) return index.error();
    auto moves = Spool::create(file.parent_path());
    if (!moves) return moves.error();
    return std::unique_ptr<Writer>(new YbbWriter(*std::move(target), *std::move(index), *std::move(moves)));
}

Result<void> YbbWriter::write(const Entry& entry) {
    const auto packed = record::to_packed_sfen(entry.position);
    if (!packed) return packed.error().in(position_text(entry.position));
    const std::string key(text_of(*packed));
    if (positions_ > 0 && key <= last_key_)
        return Error{Error::Code::range, "positions of a binary book must come in order and once"};
    if (entry.moves.size() > most_moves)
        return Error{Error::Code::limit, fmt::format("a binary book holds {} moves a position at most", most_moves)};
    std::string record = key;
    put<std::uint64_t>(record, moves_.size());
    put<std::uint16_t>(record, static_cast<std::uint16_t>(std::clamp(entry.position.move_number, 0, 0xffff)));
    put<std::uint16_t>(record, static_cast<std::uint16_t>(entry.moves.size()));
    std::string moves;
    for (const StoredMove& each : entry.moves) {
        put<std::uint16_t>(moves, record::to_psv_move(each.move));
        const int value = each.value ? std::clamp(*each.value, -mate_value, mate_value) : unknown_value;
        put<std::uint16_t>(moves, static_cast<std::uint16_t>(value));
        put<std::uint16_t>(moves, static_cast<std::uint16_t>(std::clamp(each.depth.value_or(0), 0, 0xffff)));
    }
    last_key_ = key;
    ++positions_;
    if (auto written = index_.write(record); !written) return written;
    return moves_.write(moves);
}

Result<void> YbbWriter::copy(Spool& spool) {
    const auto content = spool.read();
    if (!content) return content.error();
    return file_.write(content->text());
}

Result<void> YbbWriter::finish() {
    std::string header(ybb_magic);
    put<std::uint64_t>(header, positions_);
    put<std::uint64_t>(header, depth_flag);
    if (auto written = file_.write(header); !written) return written;
    if (auto copied = copy(index_); !copied) return copied;
    if (auto copied = copy(moves_); !copied) return copied;
    return file_.commit();
}

}  // namespace tsumugi::book
