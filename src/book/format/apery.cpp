// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/format/apery.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <unordered_set>

#include <fmt/format.h>

#include "book/format/bytes.hpp"
#include "record/hcp.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::book {
namespace {

using base::Error;
using base::Result;
using shogi::Color;
using shogi::Kind;
using shogi::Square;

constexpr std::size_t record_size = 16;

// Apery draws its numbers in this order: 31 piece codes (the same as ours) by 81 squares, then for every kind in hand
// the counts 0 to 18, then the turn.
struct AperyNumbers {
    std::array<std::array<std::uint64_t, Square::count>, 31> on_board;
    std::array<std::array<std::uint64_t, 19>, 7> in_hand;
    std::uint64_t white_to_move;

    AperyNumbers() {
        std::mt19937_64 random;  // NOLINT(cert-msc51-cpp): the default seed is part of the format
        for (auto& squares : on_board)
            for (auto& number : squares)
                number = random();
        for (auto& counts : in_hand)
            for (auto& number : counts)
                number = random();
        white_to_move = random();
    }
};

constexpr std::array<Kind, 7> apery_hand_order{Kind::pawn, Kind::lance,  Kind::knight, Kind::silver,
                                               Kind::gold, Kind::bishop, Kind::rook};

}  // namespace

std::uint64_t apery_key(const shogi::Setup& position) {
    static const AperyNumbers numbers;
    std::uint64_t key = 0;
    for (int i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        if (const shogi::Piece piece = position.at(s); !piece.is_none())
            key ^= numbers.on_board[piece.slot()][s.slot()];
    }
    const shogi::Hand hand = position.hand(position.side_to_move);
    for (std::size_t i = 0; i < apery_hand_order.size(); ++i) {
        const auto count = static_cast<std::size_t>(hand.count(apery_hand_order[i]));
        if (count < numbers.in_hand[i].size()) key ^= numbers.in_hand[i][count];
    }
    return position.side_to_move == Color::white ? key ^ numbers.white_to_move : key;
}

Result<std::unique_ptr<AperyBook>> AperyBook::of(std::string_view bytes, std::string name) {
    const std::size_t records = bytes.size() / record_size;
    if (bytes.size() % record_size != 0)
        return Error{Error::Code::syntax,
                     fmt::format("{}: byte {}: an Apery book consists of records of {} bytes, and {} are left over",
                                 name, records * record_size, record_size, bytes.size() % record_size)};
    if (records > std::numeric_limits<std::uint32_t>::max())
        return Error{Error::Code::limit, name + ": more records than an Apery book may have here"};
    if (records == 0) return Error{Error::Code::syntax, name + ": the file is empty"};
    std::unique_ptr<AperyBook> book(new AperyBook(bytes, std::move(name)));
    book->records_ = records;
    bool in_order = true;
    for (std::size_t i = 1; i < records && in_order; ++i)
        in_order = book->key(i - 1) <= book->key(i);
    if (!in_order) {
        book->order_.resize(records);
        for (std::size_t i = 0; i < records; ++i)
            book->order_[i] = static_cast<std::uint32_t>(i);
        std::stable_sort(book->order_.begin(), book->order_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return book->key(a) < book->key(b); });
    }
    for (std::size_t i = 0; i < records; ++i)
        book->keys_ += i == 0 || book->key(book->record(i)) != book->key(book->record(i - 1)) ? 1U : 0U;
    return book;
}

Result<std::unique_ptr<Book>> AperyBook::open(const std::filesystem::path& file) {
    auto mapped = base::MappedFile::open(file, base::MappedFile::Access::random);
    if (!mapped) return mapped.error();
    auto book = of(mapped->text(), file.string());
    if (!book) return book.error();
    (*book)->file_ = *std::move(mapped);
    return std::unique_ptr<Book>(*std::move(book));
}

std::uint64_t AperyBook::key(std::size_t record) const { return get<std::uint64_t>(bytes_, record * record_size); }

Result<std::optional<Entry>> AperyBook::find(const shogi::Setup& position, Ply) const {
    const std::uint64_t wanted = apery_key(position);
    std::size_t low = 0;
    std::size_t high = records_;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (key(record(middle)) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == records_ || key(record(low)) != wanted) return std::optional<Entry>();
    Entry entry;
    entry.position = position;
    for (; low < records_ && key(record(low)) == wanted; ++low) {
        const std::size_t at = record(low) * record_size;
        const auto move = record::from_apery_move(get<std::uint16_t>(bytes_, at + 8));
        if (!move) return move.error().in(fmt::format("{}: byte {}", name_, at + 8));
        if (move->is_none()) continue;
        StoredMove stored;
        stored.move = *move;
        stored.count = get<std::uint16_t>(bytes_, at + 10);
        stored.value = static_cast<std::int32_t>(get<std::uint32_t>(bytes_, at + 12));
        entry.moves.push_back(std::move(stored));
    }
    return std::optional<Entry>(std::move(entry));
}

namespace {

// Visits what can be reached, each position once. A position itself need not be remembered: its key in the book is
// what makes it known.
class Walk {
public:
    explicit Walk(const AperyBook& book) : book_(book) {}

    Result<AperyContent> run() {
        waiting_.push_back(shogi::Setup::even());
        bool first = true;
        while (!waiting_.empty()) {
            const shogi::Setup setup = waiting_.back();
            waiting_.pop_back();
            const auto position = shogi::Position::from(setup);
            if (!position) continue;
            if (const auto done = visit(*position, first); !done) return done.error();
            first = false;
        }
        content_.keys = book_.keys();
        return std::move(content_);
    }

private:
    Result<void> visit(shogi::Position position, bool first) {
        auto entry = book_.find(position.setup(), Book::Ply::any);
        if (!entry) return entry.error();
        if (!*entry && !first) return {};
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        for (const shogi::Move move : moves) {
            position.do_move(move);
            const bool played = *entry && (*entry)->find(move) != nullptr;
            if (!note(position.setup()) && played) note_replies(position);
            position.undo_move();
        }
        if (*entry) content_.entries.push_back(**std::move(entry));
        return {};
    }

    // False when the book does not know the position.
    bool note(const shogi::Setup& setup) {
        const auto found = book_.find(setup, Book::Ply::any);
        if (found.ok() && !*found) return false;
        if (known_.insert(apery_key(setup)).second) waiting_.push_back(setup);
        return true;
    }

    void note_replies(shogi::Position& position) {
        shogi::MoveList replies;
        shogi::legal_moves(position, replies);
        for (const shogi::Move reply : replies) {
            position.do_move(reply);
            note(position.setup());
            position.undo_move();
        }
    }

    const AperyBook& book_;
    AperyContent content_;
    std::vector<shogi::Setup> waiting_;
    std::unordered_set<std::uint64_t> known_{apery_key(shogi::Setup::even())};
};

}  // namespace

Result<AperyContent> walk(const AperyBook& book) { return Walk(book).run(); }

Result<std::unique_ptr<Source>> open_apery_source(const std::filesystem::path& file) {
    const auto mapped = base::MappedFile::open(file, base::MappedFile::Access::random);
    if (!mapped) return mapped.error();
    const auto book = AperyBook::of(mapped->text(), file.string());
    if (!book) return book.error();
    auto content = walk(**book);
    if (!content) return content.error();
    const std::size_t reached = content->entries.size();
    if (reached == 0)
        return Error{
            Error::Code::range,
            fmt::format("{}: none of the {} keys is that of a position reached from the start position: either "
                        "this is no Apery book, or it is one for other games",
                        file.string(), content->keys)};
    std::string omission;
    if (reached < content->keys)
        omission =
            fmt::format("{}: {} of {} keys were not reached from the start position: their positions are unknown",
                        file.string(), content->keys - reached, content->keys);
    return std::unique_ptr<Source>(new ListSource(std::move(content->entries), std::move(omission)));
}

}  // namespace tsumugi::book
