// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/format/sbk.hpp"

#include <array>

#include <fmt/format.h>

#include "base/file.hpp"
#include "book/format/protobuf.hpp"
#include "record/game.hpp"
#include "record/sfen.hpp"

namespace tsumugi::book {
namespace {

using base::Error;
using base::Result;
using shogi::Kind;
using shogi::Move;
using shogi::Square;

using Field = ProtobufReader::Field;

struct StateMove {
    StoredMove stored;
    std::uint64_t next = 0;
};

struct State {
    std::uint64_t id = 0;
    std::string_view position;
    std::size_t position_place = 0;
    std::string comment;
    std::vector<StateMove> moves;
    bool visited = false;
};

// bits 0-3 origin rank, 4-7 origin file (both 0 for a drop), 8-11 rank, 12-15 file, 19 promotion, 24-27 kind of piece,
// 28 set for White.
Result<Move> move_of(std::uint64_t bits, std::size_t place) {
    const auto part = [&](int shift, int mask) { return static_cast<int>(bits >> shift) & mask; };
    const auto on_board = [](int file, int rank) { return file >= 1 && file <= 9 && rank >= 1 && rank <= 9; };
    const int from_rank = part(0, 15);
    const int from_file = part(4, 15);
    const int rank = part(8, 15);
    const int file = part(12, 15);
    const int piece = part(24, 15);
    const bool drop = from_rank == 0 && from_file == 0;
    // In the order of their numbers, which begin with 1.
    static constexpr std::array<Kind, 7> kinds{Kind::pawn, Kind::lance,  Kind::knight, Kind::silver,
                                               Kind::gold, Kind::bishop, Kind::rook};
    const bool droppable = piece >= 1 && piece <= static_cast<int>(kinds.size());
    const bool same = from_rank == rank && from_file == file;
    if (!on_board(file, rank) || (drop ? !droppable : !on_board(from_file, from_rank) || same))
        return Error{Error::Code::syntax,
                     fmt::format("byte {}: {:#x} is no move of a ShogiGUI book", place, bits & 0xffffffff)};
    if (drop) return Move::drop(kinds[static_cast<std::size_t>(piece - 1)], Square::at(file, rank));
    return Move::board(Square::at(from_file, from_rank), Square::at(file, rank), part(19, 1) != 0);
}

Result<StateMove> parse_move(const Field& message) {
    StateMove move;
    ProtobufReader reader(message.bytes, message.place);
    while (!reader.at_end()) {
        const auto field = reader.next();
        if (!field) return field.error();
        switch (field->number) {
            case 1: {
                const auto parsed = move_of(field->integer, field->place);
                if (!parsed) return parsed.error();
                move.stored.move = *parsed;
                break;
            }
            case 2:
                if (field->integer <= static_cast<std::uint64_t>(Mark::blunder))
                    move.stored.mark = static_cast<Mark>(field->integer);
                break;
            case 3: move.stored.count = static_cast<std::int32_t>(field->integer); break;
            case 4: move.next = field->integer; break;
            default: break;
        }
    }
    if (move.stored.move.is_none())
        return Error{Error::Code::syntax, fmt::format("byte {}: an entry without a move", message.place)};
    return move;
}

Result<State> parse_state(const Field& message) {
    State state;
    ProtobufReader reader(message.bytes, message.place);
    while (!reader.at_end()) {
        const auto field = reader.next();
        if (!field) return field.error();
        switch (field->number) {
            case 1: state.id = field->integer; break;
            case 7:
                state.position = field->bytes;
                state.position_place = field->place;
                break;
            case 8: state.comment = field->bytes; break;
            case 9: {
                auto move = parse_move(*field);
                if (!move) return move.error();
                state.moves.push_back(*std::move(move));
                break;
            }
            default: break;  // keys, results and evaluations of single positions, for which books have no place
        }
    }
    return state;
}

class SbkGraph {
public:
    Result<void> read(std::string_view bytes) {
        ProtobufReader reader(bytes, 0);
        while (!reader.at_end()) {
            const auto field = reader.next();
            if (!field) return field.error();
            if (field->number != 3) continue;
            auto state = parse_state(*field);
            if (!state) return state.error();
            numbers_.emplace(state->id, states_.size());
            states_.push_back(*std::move(state));
        }
        return {};
    }

    Result<std::vector<Entry>> walk() {
        for (std::size_t i = 0; i < states_.size(); ++i) {
            if (states_[i].visited || states_[i].position.empty()) continue;
            const auto start = record::parse_sfen(without_word(states_[i].position));
            if (!start) return start.error().in(fmt::format("byte {}", states_[i].position_place));
            visit(i, *start);
        }
        return std::move(entries_);
    }

private:
    static std::string_view without_word(std::string_view text) {
        for (const std::string_view word : {"position ", "sfen "})
            if (text.starts_with(word)) text.remove_prefix(word.size());
        return text;
    }

    void visit(std::size_t root, const shogi::Setup& start) {
        std::vector<std::pair<std::size_t, shogi::Setup>> waiting{{root, start}};
        states_[root].visited = true;
        while (!waiting.empty()) {
            const auto [number, setup] = std::move(waiting.back());
            waiting.pop_back();
            const State& state = states_[number];
            add(state, setup);
            for (const StateMove& each : state.moves) {
                const auto next = numbers_.find(each.next);
                if (next == numbers_.end() || states_[next->second].visited) continue;
                states_[next->second].visited = true;
                shogi::Setup after = setup;
                record::apply(after, each.stored.move);
                waiting.emplace_back(next->second, after);
            }
        }
    }

    void add(const State& state, const shogi::Setup& setup) {
        if (state.moves.empty() && state.comment.empty()) return;
        Entry entry;
        entry.position = setup;
        entry.comment = state.comment;
        for (const StateMove& each : state.moves)
            entry.moves.push_back(each.stored);
        const auto [known, is_new] = places_.emplace(position_text(setup), entries_.size());
        if (is_new)
            entries_.push_back(std::move(entry));
        else
            merge_into(entries_[known->second], entry, true);
    }

    std::vector<State> states_;
    std::unordered_map<std::uint64_t, std::size_t> numbers_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

Result<std::vector<Entry>> parse_sbk(std::string_view bytes) {
    SbkGraph graph;
    if (const auto read = graph.read(bytes); !read) return read.error();
    return graph.walk();
}

namespace {

Result<std::vector<Entry>> load(const std::filesystem::path& file) {
    const auto bytes = base::read_file(file);
    if (!bytes) return bytes.error();
    auto entries = parse_sbk(*bytes);
    if (!entries) return entries.error().in(file.string());
    if (entries->empty())
        return Error{Error::Code::syntax,
                     file.string() + (bytes->empty() ? ": the file is empty" : ": holds no moves")};
    return entries;
}

}  // namespace

Result<std::unique_ptr<Source>> open_sbk_source(const std::filesystem::path& file) {
    auto entries = load(file);
    if (!entries) return entries.error();
    return std::unique_ptr<Source>(new ListSource(*std::move(entries)));
}

Result<std::unique_ptr<Book>> SbkBook::open(const std::filesystem::path& file) {
    auto entries = load(file);
    if (!entries) return entries.error();
    return std::unique_ptr<Book>(new SbkBook(*std::move(entries)));
}

SbkBook::SbkBook(std::vector<Entry> entries) : entries_(std::move(entries)) {
    for (std::size_t i = 0; i < entries_.size(); ++i)
        index_.emplace(position_text(entries_[i].position), i);
}

Result<std::optional<Entry>> SbkBook::find(const shogi::Setup& position, Ply ply) const {
    const auto found = index_.find(position_text(position));
    if (found == index_.end()) return std::optional<Entry>();
    const Entry& entry = entries_[found->second];
    if (ply == Ply::same && entry.position.move_number != position.move_number) return std::optional<Entry>();
    return std::optional<Entry>(entry);
}

}  // namespace tsumugi::book
