// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/notation.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "record/game.hpp"
#include "shogi/attack.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;
using shogi::Color;
using shogi::Kind;
using shogi::Move;
using shogi::Piece;
using shogi::Setup;
using shogi::Square;
using text::Cursor;

struct KindName {
    std::string_view name;
    Kind kind;
};
// Longer names first: 成香 must not be taken for a bare 成.
constexpr std::array<KindName, 20> kind_names{{
    {"成香", Kind::pro_lance}, {"成桂", Kind::pro_knight}, {"成銀", Kind::pro_silver}, {"歩", Kind::pawn},
    {"香", Kind::lance},       {"桂", Kind::knight},       {"銀", Kind::silver},       {"角", Kind::bishop},
    {"飛", Kind::rook},        {"金", Kind::gold},         {"玉", Kind::king},         {"王", Kind::king},
    {"と", Kind::pro_pawn},    {"杏", Kind::pro_lance},    {"圭", Kind::pro_knight},   {"全", Kind::pro_silver},
    {"馬", Kind::horse},       {"龍", Kind::dragon},       {"竜", Kind::dragon},       {"个", Kind::pro_pawn},
}};

constexpr std::array<std::pair<std::string_view, Color>, 6> color_marks{{{"▲", Color::black},
                                                                         {"△", Color::white},
                                                                         {"☗", Color::black},
                                                                         {"☖", Color::white},
                                                                         {"▼", Color::black},
                                                                         {"▽", Color::white}}};

constexpr std::array<std::pair<std::string_view, Side>, 3> side_words{
    {{"左", Side::left}, {"直", Side::straight}, {"右", Side::right}}};
constexpr std::array<std::pair<std::string_view, Motion>, 6> motion_words{{{"上", Motion::up},
                                                                           {"寄", Motion::sideways},
                                                                           {"引", Motion::down},
                                                                           {"行", Motion::up},
                                                                           {"入", Motion::up},
                                                                           {"下", Motion::down}}};

template <typename Table, typename Value>
bool accept_word(Cursor& cursor, const Table& table, Value& value) {
    for (const auto& [word, meaning] : table)
        if (cursor.accept(word)) {
            value = meaning;
            return true;
        }
    return false;
}

// The first word for a value in a table; nothing for `unstated`.
template <typename Table, typename Value>
std::string_view word_for(const Table& table, Value value) {
    for (const auto& [word, meaning] : table)
        if (meaning == value) return word;
    return "";
}

bool reaches(const Setup& setup, Square from, Square to) {
    const Piece piece = setup.at(from);
    if (!shogi::reach(piece.color(), piece.kind(), from).has(to)) return false;
    bool free = true;
    shogi::between(from, to).for_each([&](Square s) { free = free && setup.at(s).is_none(); });
    return free;
}

std::vector<Square> squares_where(const Setup& setup, Piece piece) {
    std::vector<Square> squares;
    for (int i = 0; i < Square::count; ++i)
        if (setup.at(Square::from_index(i)) == piece) squares.push_back(Square::from_index(i));
    return squares;
}

// Would the mover's king stand in check after the move?
bool exposes_king(Setup setup, Move move) {
    const Color mover = setup.side_to_move;
    apply(setup, move);
    for (const Square king : squares_where(setup, Piece(mover, Kind::king)))
        for (int i = 0; i < Square::count; ++i) {
            const Square from = Square::from_index(i);
            const Piece piece = setup.at(from);
            if (!piece.is_none() && piece.color() != mover && reaches(setup, from, king)) return true;
        }
    return false;
}

// Ranks gained towards the opponent's camp.
int advance(Color mover, Square from, Square to) { return from.rank_for(mover) - to.rank_for(mover); }
// Files to the right of the destination, seen by the mover.
int rightness(Color mover, Square from, Square to) {
    return mover == Color::black ? to.file() - from.file() : from.file() - to.file();
}

Motion motion_of(Color mover, Square from, Square to) {
    const int ranks = advance(mover, from, to);
    return ranks > 0 ? Motion::up : ranks < 0 ? Motion::down : Motion::sideways;
}

void keep_side(std::vector<Square>& candidates, Side side, Color mover, Square to) {
    const auto is_on_side = [&](Square from) {
        const int right = rightness(mover, from, to);
        switch (side) {
            case Side::unstated: return true;
            case Side::left: return right < 0;
            case Side::straight: return right == 0 && advance(mover, from, to) == 1;
            case Side::right: return right > 0;
        }
        std::abort();  // unreachable: the switch names every value
    };
    if (std::none_of(candidates.begin(), candidates.end(), is_on_side) && (side == Side::left || side == Side::right)) {
        // Horses and dragons are left and right of one another: one of the two may stand on the file of the
        // destination. Others are sometimes written so as well.
        const auto is_farther_left = [&](Square a, Square b) {
            return rightness(mover, a, to) < rightness(mover, b, to);
        };
        const auto [leftmost, rightmost] = std::minmax_element(candidates.begin(), candidates.end(), is_farther_left);
        if (candidates.size() > 1) candidates = {side == Side::left ? *leftmost : *rightmost};
        return;
    }
    std::erase_if(candidates, [&](Square from) { return !is_on_side(from); });
}

std::vector<Square> candidates_for(const Setup& setup, const WrittenMove& written, Square to) {
    const Color mover = setup.side_to_move;
    std::vector<Square> candidates = squares_where(setup, Piece(mover, written.kind));
    std::erase_if(candidates, [&](Square from) { return !reaches(setup, from, to); });
    if (written.motion != Motion::unstated)
        std::erase_if(candidates, [&](Square from) { return motion_of(mover, from, to) != written.motion; });
    keep_side(candidates, written.side, mover, to);
    return candidates;
}

std::string_view color_name(Color color) { return color == Color::black ? "black" : "white"; }

Error unclear(std::string message) { return {Error::Code::syntax, std::move(message)}; }

Result<Move> resolve_from(const Setup& setup, const WrittenMove& written, Square to) {
    const Square from = *written.from;
    const Kind standing = setup.at(from).kind();
    if (standing == Kind::none) return unclear(fmt::format("no piece stands on {}", square_name(from)));
    if (standing != written.kind)
        return unclear(fmt::format("{} was said to move, but {} stands on {}", kind_name(written.kind),
                                   kind_name(standing), square_name(from)));
    if (from == to) return unclear(fmt::format("the move does not leave {}", square_name(to)));
    return Move::board(from, to, written.promotes);
}

bool is_droppable(Kind kind) { return !shogi::is_promoted(kind) && kind != Kind::king; }

Result<Move> resolve_drop(const WrittenMove& written, Square to) {
    if (!is_droppable(written.kind) || written.promotes)
        return unclear(fmt::format("{}{} cannot be dropped", kind_name(written.kind), written.promotes ? "成" : ""));
    return Move::drop(written.kind, to);
}

std::string list_squares(const std::vector<Square>& squares) {
    std::string list;
    for (const Square square : squares)
        list += fmt::format("{}{}", list.empty() ? "" : " ", square_name(square));
    return list;
}

std::optional<Square> accept_origin(Cursor& cursor) {
    Cursor ahead = cursor;
    if (!ahead.accept("(") && !ahead.accept("（")) return std::nullopt;
    const auto square = accept_square(ahead);
    if (!square || (!ahead.accept(")") && !ahead.accept("）"))) return std::nullopt;
    cursor = ahead;
    return square;
}

std::string promotion_word(const Setup& setup, Move move) {
    const Piece piece = setup.at(move.from());
    if (move.promotes()) return "成";
    const Color mover = setup.side_to_move;
    const bool could = shogi::can_promote(piece.kind()) &&
                       (move.from().in_promotion_zone(mover) || move.to().in_promotion_zone(mover));
    return could ? "不成" : "";
}

// The least that tells this move from others of the same kind to the same square: nothing, then the motion alone,
// 直, the side alone, side and motion, and at last the origin itself.
std::vector<WrittenMove> ways_to_write(const Setup& setup, Move move) {
    WrittenMove plain;
    plain.to = move.to();
    if (move.is_drop()) {
        plain.kind = move.dropped();
        WrittenMove said = plain;
        said.drops = true;
        return {plain, said};
    }
    const Square from = move.from();
    const Color mover = setup.side_to_move;
    plain.kind = setup.at(from).kind();
    plain.promotes = move.promotes();
    std::vector<WrittenMove> ways;
    const auto add = [&](Side side, Motion motion) {
        ways.push_back(plain);
        ways.back().side = side;
        ways.back().motion = motion;
    };
    const Motion motion = motion_of(mover, from, move.to());
    add(Side::unstated, Motion::unstated);
    add(Side::unstated, motion);
    if (plain.kind == Kind::silver || shogi::moves_like_gold(plain.kind)) add(Side::straight, Motion::unstated);
    for (const Motion stated : {Motion::unstated, motion})
        for (const Side side : {Side::left, Side::right})
            add(side, stated);
    ways.push_back(plain);
    ways.back().from = from;
    return ways;
}

// Read strictly, without letting legality decide: what a person sees on the board must be enough.
bool means_only(const Setup& setup, const WrittenMove& written, Move move) {
    if (written.from || written.drops) return true;
    const auto candidates = candidates_for(setup, written, move.to());
    if (move.is_drop()) return candidates.empty() && setup.hand(setup.side_to_move).has(move.dropped());
    return candidates.size() == 1 && candidates.front() == move.from();
}

}  // namespace

std::string_view kind_name(Kind kind) {
    constexpr std::array<std::string_view, shogi::kind_slots> names{
        "", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
    return names[shogi::index(kind)];
}

std::string_view diagram_name(Kind kind) {
    constexpr std::array<std::string_view, shogi::kind_slots> names{"・", "歩", "香", "桂", "銀", "角", "飛", "金",
                                                                    "玉", "と", "杏", "圭", "全", "馬", "龍"};
    return names[shogi::index(kind)];
}

Kind accept_kind(Cursor& cursor) {
    Kind kind = Kind::none;
    accept_word(cursor, kind_names, kind);
    return kind;
}

std::string_view kanji_digit(int digit) {
    constexpr std::array<std::string_view, 10> digits{"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
    return digits[static_cast<std::size_t>(digit)];
}

std::string square_name(Square square) {
    std::string name;
    text::append(name, U'０' + static_cast<char32_t>(square.file()));
    return name.append(kanji_digit(square.rank()));
}

std::optional<Square> accept_square(Cursor& cursor) {
    Cursor ahead = cursor;
    const auto file = ahead.accept_digit();
    const auto rank = ahead.accept_digit();
    if (!file || !rank) return std::nullopt;
    cursor = ahead;
    return Square::at(*file, *rank);
}

std::string_view color_mark(Color color) { return word_for(color_marks, color); }

std::optional<Color> accept_color_mark(Cursor& cursor) {
    Color color = Color::black;
    if (!accept_word(cursor, color_marks, color)) return std::nullopt;
    return color;
}

Result<WrittenMove> read_move(Cursor& cursor) {
    WrittenMove written;
    if (!cursor.accept("同")) {
        written.to = accept_square(cursor);
        if (!written.to) return cursor.expected("a square such as ７六 or 同");
    }
    cursor.skip_spaces();
    written.kind = accept_kind(cursor);
    if (written.kind == Kind::none) return cursor.expected("a piece such as 歩 or 成銀");
    for (;;) {
        if (accept_word(cursor, side_words, written.side) || accept_word(cursor, motion_words, written.motion))
            continue;
        if (cursor.accept("不成") || cursor.accept("生")) continue;
        if (cursor.accept("成")) {
            written.promotes = true;
        } else if (cursor.accept("打")) {
            written.drops = true;
        } else {
            break;
        }
    }
    written.from = accept_origin(cursor);
    return written;
}

Result<Move> resolve(const Setup& setup, const WrittenMove& written, std::optional<Square> previous) {
    if (!written.to && !previous) return unclear("同 needs a move before it");
    const Square to = written.to ? *written.to : *previous;
    if (written.from) return resolve_from(setup, written, to);
    if (written.drops) return resolve_drop(written, to);

    std::vector<Square> candidates = candidates_for(setup, written, to);
    if (candidates.size() > 1) {
        std::vector<Square> safe = candidates;
        std::erase_if(safe, [&](Square from) { return exposes_king(setup, Move::board(from, to, written.promotes)); });
        if (safe.size() == 1) candidates = safe;
    }
    if (candidates.size() == 1) return Move::board(candidates.front(), to, written.promotes);
    if (candidates.size() > 1)
        return unclear(fmt::format("{} on {} can all go to {}: say which by 右 左 直 上 寄 引", kind_name(written.kind),
                                   list_squares(candidates), square_name(to)));
    const bool bare = written.side == Side::unstated && written.motion == Motion::unstated && !written.promotes;
    if (bare && is_droppable(written.kind) && setup.hand(setup.side_to_move).has(written.kind))
        return Move::drop(written.kind, to);
    return unclear(fmt::format("no {} of {} can go to {} as described, and none can be dropped there",
                               kind_name(written.kind), color_name(setup.side_to_move), square_name(to)));
}

std::string to_japanese(const Setup& setup, Move move, std::optional<Square> previous) {
    const auto ways = ways_to_write(setup, move);
    const auto shortest =
        std::find_if(ways.begin(), ways.end(), [&](const WrittenMove& way) { return means_only(setup, way, move); });
    std::string tail(word_for(side_words, shortest->side));
    tail += word_for(motion_words, shortest->motion);
    if (shortest->drops) tail += "打";
    if (!move.is_drop()) tail += promotion_word(setup, move);
    if (shortest->from) tail += fmt::format("({}{})", shortest->from->file(), shortest->from->rank());
    const std::string_view piece = kind_name(shortest->kind);
    // 同 and a single character are spaced out so that columns of moves line up.
    const bool padded = text::character_count(piece) == 1 && tail.empty();
    const std::string where = previous == move.to() ? (padded ? "同　" : "同") : square_name(move.to());
    return fmt::format("{}{}{}", where, piece, tail);
}

std::string to_kif_move(const Setup& setup, Move move, std::optional<Square> previous) {
    const std::string where = previous == move.to() ? "同　" : square_name(move.to());
    if (move.is_drop()) return fmt::format("{}{}打", where, kind_name(move.dropped()));
    return fmt::format("{}{}{}({}{})", where, kind_name(setup.at(move.from()).kind()), move.promotes() ? "成" : "",
                       move.from().file(), move.from().rank());
}

}  // namespace tsumugi::record
