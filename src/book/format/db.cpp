// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/format/db.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "record/sfen.hpp"

namespace tsumugi::book {
namespace {

using base::Error;
using base::Result;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view position_word = "sfen ";
constexpr std::string_view db_magic = "#YANEURAOU-";
constexpr std::string_view known_magic = "#YANEURAOU-DB2016 1.00";

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with("//"); }

std::string_view comment_text(std::string_view line) { return line.substr(line.starts_with('#') ? 1 : 2); }

void append_line(std::string& text, std::string_view line) {
    if (!text.empty()) text += '\n';
    text += line;
}

// "none" and nothing at all stand for what is not known.
bool is_absent(std::string_view word) { return word.empty() || word == "none"; }

// Words that some books have in place of a move.
bool is_no_move(std::string_view word) { return word == "none" || word == "resign" || word == "win"; }

template <typename T>
Result<std::optional<T>> optional_number(std::string_view word, std::string_view what) {
    if (is_absent(word)) return std::optional<T>();
    const auto number = base::parse_number<T>(word);
    if (!number) return number.error().in(std::string(what));
    return std::optional<T>(*number);
}

// "board side hands" of a line "sfen board side hands 12".
std::string_view key_of_line(std::string_view line) {
    line.remove_prefix(position_word.size());
    std::size_t end = 0;
    for (int word = 0; word < 3 && end < line.size(); ++word) {
        if (word > 0) ++end;
        end = std::min(line.find_first_of(" \r", end), line.size());
    }
    return line.substr(0, end);
}

// Where the next "sfen" line at or after an offset starts; the size of the text when there is none.
std::size_t position_line(std::string_view text, std::size_t from) {
    if (from == 0 && text.starts_with(byte_order_mark)) from = byte_order_mark.size();
    const bool at_line_start = from == 0 || text[from - 1] == '\n' || text.substr(0, from) == byte_order_mark;
    if (at_line_start && text.substr(from).starts_with(position_word)) return from;
    for (std::size_t end = text.find('\n', from); end != std::string_view::npos; end = text.find('\n', end + 1))
        if (text.substr(end + 1).starts_with(position_word)) return end + 1;
    return text.size();
}

std::string_view line_at(std::string_view text, std::size_t start) {
    return text.substr(start, std::min(text.find('\n', start), text.size()) - start);
}

std::string number_text(const auto& number) { return number ? std::to_string(*number) : "none"; }

void append_comment(std::string& text, std::string_view comment) {
    if (comment.empty()) return;
    for (const std::string_view line : base::split(comment, '\n'))
        text.append("#").append(line).append("\n");
}

// How a mark is said where there is only a comment to say it in.
std::string_view mark_word(Mark mark) {
    switch (mark) {
        case Mark::none: return "";
        case Mark::forced: return "forced";
        case Mark::good: return "good";
        case Mark::bad: return "bad";
        case Mark::blunder: return "blunder";
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace

DbReader::DbReader(std::string_view text, std::size_t start) : text_(text), at_(start), line_(start == 0 ? 1 : 0) {
    if (start == 0 && text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

DbReader::Line DbReader::peek() const {
    std::string_view line = line_at(text_, at_);
    while (line.ends_with('\r') || line.ends_with(' ') || line.ends_with('\t'))
        line.remove_suffix(1);
    return {line, at_};
}

void DbReader::advance(const Line& line) {
    at_ = std::min(text_.find('\n', line.start), text_.size() - 1) + 1;
    if (line_ > 0) ++line_;
}

Error DbReader::at_line(const Error& error, const Line& line) const {
    return error.in(line_ > 0 ? fmt::format("line {}", line_) : fmt::format("byte {}", line.start));
}

Result<void> DbReader::read_header() {
    if (at_end()) return {};
    const Line line = peek();
    if (line.text.starts_with(db_magic) && line.text != known_magic)
        return at_line(
            {Error::Code::unsupported, fmt::format("this kind of book is not known: '{}' where '{}' is understood",
                                                   base::shorten(line.text, 60), known_magic)},
            line);
    return {};
}

Result<bool> DbReader::next(Entry& entry) {
    entry = {};
    bool begun = false;
    while (!at_end()) {
        const Line line = peek();
        if (line.text.starts_with(position_word)) {
            if (begun) return true;
            auto position = record::parse_sfen(line.text.substr(position_word.size()));
            if (!position) return at_line(position.error(), line);
            entry.position = *position;
            begun = true;
        } else if (is_comment(line.text)) {
            if (begun)
                append_line(entry.moves.empty() ? entry.comment : entry.moves.back().comment, comment_text(line.text));
        } else if (!line.text.empty()) {
            if (!begun)
                return at_line(
                    {Error::Code::syntax, fmt::format("expected 'sfen' and a position before any move, got '{}'",
                                                      base::shorten(line.text, 40))},
                    line);
            if (const auto added = add_move(entry, line.text); !added) return at_line(added.error(), line);
        }
        advance(line);
    }
    return begun;
}

Result<void> DbReader::add_move(Entry& entry, std::string_view line) const {
    std::string_view comment;
    if (const std::size_t mark = std::min(line.find(" #"), line.find(" //")); mark != std::string_view::npos) {
        comment = comment_text(line.substr(mark + 1));
        line = line.substr(0, mark);
    }
    // Two spaces in a row have an empty word between them, which means a value that is not known.
    auto words = base::split(line, ' ');
    if (words.size() > 5)
        return Error{Error::Code::syntax,
                     fmt::format("expected move, reply, value, depth and count, got '{}'", base::shorten(line, 60))};
    words.resize(5);
    if (is_no_move(words[0])) return {};
    const auto move = record::parse_usi_move(words[0]);
    if (!move) return move.error();
    StoredMove stored;
    stored.move = *move;
    if (!is_absent(words[1]) && !is_no_move(words[1])) {
        const auto reply = record::parse_usi_move(words[1]);
        if (!reply) return reply.error().in("reply");
        stored.reply = *reply;
    }
    const auto value = optional_number<int>(words[2], "value");
    if (!value) return value.error();
    const auto depth = optional_number<int>(words[3], "depth");
    if (!depth) return depth.error();
    const auto count = optional_number<std::int64_t>(words[4], "count");
    if (!count) return count.error();
    stored.value = *value;
    stored.depth = *depth;
    stored.count = *count;
    stored.comment = comment;
    entry.moves.push_back(std::move(stored));
    return {};
}

Result<std::unique_ptr<Source>> DbSource::open(const std::filesystem::path& file) {
    auto mapped = base::MappedFile::open(file);
    if (!mapped) return mapped.error();
    std::unique_ptr<DbSource> source(new DbSource(*std::move(mapped), file.string()));
    if (const auto header = source->reader_.read_header(); !header) return header.error().in(source->name_);
    return std::unique_ptr<Source>(std::move(source));
}

Result<bool> DbSource::next(Entry& entry) {
    auto more = reader_.next(entry);
    if (!more) return more.error().in(name_);
    return more;
}

Result<std::unique_ptr<Book>> DbBook::open(const std::filesystem::path& file, bool trust_order) {
    auto mapped = base::MappedFile::open(
        file, trust_order ? base::MappedFile::Access::random : base::MappedFile::Access::sequential);
    if (!mapped) return mapped.error();
    std::unique_ptr<DbBook> book(new DbBook(*std::move(mapped), file.string()));
    if (const auto header = DbReader(book->file_.text()).read_header(); !header) return header.error().in(book->name_);
    if (!trust_order) book->check_order();
    return std::unique_ptr<Book>(std::move(book));
}

void DbBook::check_order() {
    const std::string_view text = file_.text();
    std::string_view before;
    bool in_order = true;
    for (std::size_t at = position_line(text, 0); at < text.size() && in_order; at = position_line(text, at + 1)) {
        const std::string_view key = key_of_line(line_at(text, at));
        in_order = before <= key;
        before = key;
    }
    if (in_order) return;
    for (std::size_t at = position_line(text, 0); at < text.size(); at = position_line(text, at + 1))
        index_.push_back({base::xxhash64(key_of_line(line_at(text, at))), at});
    std::stable_sort(index_.begin(), index_.end(), [](const Place& a, const Place& b) { return a.key < b.key; });
}

std::size_t DbBook::first_at_or_after(std::string_view key) const {
    // "The next position line from here on has this key or a later one" holds from some offset on; that offset is
    // found by halving, whatever the lines between are like.
    const std::string_view text = file_.text();
    std::size_t low = 0;
    std::size_t high = text.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        const std::size_t line = position_line(text, middle);
        if (line < text.size() && key_of_line(line_at(text, line)) < key)
            low = line + 1;
        else
            high = middle;
    }
    return position_line(text, low);
}

std::vector<std::size_t> DbBook::places_of(std::string_view key) const {
    const std::string_view text = file_.text();
    std::vector<std::size_t> places;
    if (index_.empty()) {
        for (std::size_t at = first_at_or_after(key); at < text.size() && key_of_line(line_at(text, at)) == key;
             at = position_line(text, at + 1))
            places.push_back(at);
        return places;
    }
    const std::uint64_t hash = base::xxhash64(key);
    auto place = std::lower_bound(index_.begin(), index_.end(), hash,
                                  [](const Place& each, std::uint64_t wanted) { return each.key < wanted; });
    for (; place != index_.end() && place->key == hash; ++place)
        if (key_of_line(line_at(text, place->offset)) == key) places.push_back(place->offset);
    return places;
}

Result<std::optional<Entry>> DbBook::find(const shogi::Setup& position, Ply ply) const {
    std::optional<Entry> found;
    for (const std::size_t place : places_of(position_text(position))) {
        Entry entry;
        const auto read = DbReader(file_.text(), place).next(entry);
        if (!read) return read.error().in(name_);
        const bool same = entry.position.move_number == position.move_number;
        if (same) return std::optional(std::move(entry));
        if (ply == Ply::any && !found) found = std::move(entry);
    }
    return found;
}

void append_db(std::string& text, const Entry& entry) {
    text.append(position_word).append(record::to_sfen(entry.position)).append("\n");
    append_comment(text, entry.comment);
    for (const StoredMove& each : entry.moves) {
        text += fmt::format("{} {} {} {} {}\n", record::to_usi(each.move),
                            each.reply.is_none() ? "none" : record::to_usi(each.reply), number_text(each.value),
                            number_text(each.depth), number_text(each.count));
        append_comment(text, mark_word(each.mark));
        append_comment(text, each.comment);
    }
}

Result<std::unique_ptr<Writer>> DbWriter::create(const std::filesystem::path& file) {
    auto target = base::AtomicFile::create(file);
    if (!target) return target.error();
    return std::unique_ptr<Writer>(new DbWriter(*std::move(target)));
}

Result<void> DbWriter::write(const Entry& entry) {
    static constexpr std::size_t buffer_size = std::size_t{1} << 20;
    append_db(pending_, entry);
    if (pending_.size() < buffer_size) return {};
    const auto written = file_.write(pending_);
    pending_.clear();
    return written;
}

Result<void> DbWriter::finish() {
    if (auto written = file_.write(pending_); !written) return written;
    pending_.clear();
    return file_.commit();
}

}  // namespace tsumugi::book
