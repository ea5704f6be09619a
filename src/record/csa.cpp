// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/csa.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "record/csa_header.hpp"
#include "record/csa_name.hpp"
#include "record/sfen.hpp"
#include "record/text/line.hpp"

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
using std::chrono::milliseconds;

constexpr double longest_time = 1e9;  // seconds; more is taken for a mistake

// A part of a line between commas, and where it stands.
struct Statement {
    std::string_view text;
    std::size_t line = 1;
    std::size_t column = 1;

    [[nodiscard]] Statement from(std::size_t at) const { return {text.substr(at), line, column + at}; }
    [[nodiscard]] Statement part(std::size_t at, std::size_t length) const {
        return {text.substr(at, length), line, column + at};
    }
    [[nodiscard]] Error problem(const std::string& message) const {
        return {Error::Code::syntax, fmt::format("line {}, column {}: {}", line, column, message)};
    }
};

std::string_view trim_end(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t");
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::optional<Color> color_of(char sign) {
    if (sign == '+') return Color::black;
    if (sign == '-') return Color::white;
    return std::nullopt;
}

// "77"; nothing for "00", which is a hand.
Result<std::optional<Square>> read_square(const Statement& statement) {
    const std::string_view text = statement.text;
    if (text == "00") return std::optional<Square>();
    if (text.size() == 2 && text[0] >= '1' && text[0] <= '9' && text[1] >= '1' && text[1] <= '9')
        return std::optional<Square>(Square::at(text[0] - '0', text[1] - '0'));
    return statement.problem(fmt::format("expected a square 11 to 99, or 00 for the hand, got '{}'", text));
}

Result<Kind> read_kind(const Statement& statement) {
    const Kind kind = find_csa_kind(statement.text);
    if (kind == Kind::none)
        return statement.problem(
            fmt::format("expected a piece such as FU or RY, got '{}'", base::shorten(statement.text, 20)));
    return kind;
}

// Collects the lines PI, P1 to P9, P+ and P- of a start position.
class PositionReader {
public:
    [[nodiscard]] bool started() const { return started_; }
    [[nodiscard]] const Setup& setup() const { return setup_; }

    Result<void> read(const Statement& statement) {
        started_ = true;
        const char what = statement.text.size() > 1 ? statement.text[1] : ' ';
        if (what == 'I') return read_even(statement.from(2));
        if (what >= '1' && what <= '9') return read_rank(what - '0', statement.from(2));
        if (const auto color = color_of(what)) return read_pieces(*color, statement.from(2));
        return statement.problem("a position line must begin with PI, P1 to P9, P+ or P-");
    }

private:
    // The even start without the pieces listed.
    Result<void> read_even(const Statement& list) {
        setup_ = Setup::even();
        for (std::size_t at = 0; at < list.text.size(); at += 4) {
            const auto square = read_square(list.part(at, 2));
            if (!square) return square.error();
            const auto kind = read_kind(list.from(at).part(std::min<std::size_t>(2, list.text.size() - at), 2));
            if (!kind) return kind.error();
            if (!square->has_value() || setup_.at(**square).kind() != *kind)
                return list.from(at).problem("this piece does not stand here at the start of an even game");
            setup_.put(**square, Piece());
        }
        return {};
    }

    Result<void> read_rank(int rank, const Statement& cells) {
        for (int file = 9; file >= 1; --file) {
            const auto at = static_cast<std::size_t>(9 - file) * 3;
            // Editors like to remove spaces at the end of a line, which leaves the last empty squares out.
            if (at >= cells.text.size()) return {};
            const Statement cell = cells.part(at, 3);
            if (trim_end(cell.text) == " *" || trim_end(cell.text).empty()) continue;
            const auto color = color_of(cell.text[0]);
            if (!color) return cell.problem(fmt::format("expected ' * ' or a piece such as +FU, got '{}'", cell.text));
            const auto kind = read_kind(cell.from(1));
            if (!kind) return kind.error();
            setup_.put(Square::at(file, rank), Piece(*color, *kind));
        }
        if (cells.text.size() > 27) return cells.from(27).problem("a rank has only nine squares");
        return {};
    }

    Result<void> read_pieces(Color color, const Statement& list) {
        for (std::size_t at = 0; at < list.text.size(); at += 4) {
            const Statement entry = list.part(at, 4);
            if (entry.text == "00AL") {
                take_all_others(color);
                continue;
            }
            if (entry.text.size() < 4) return entry.problem("expected a square and a piece such as 55FU");
            const auto square = read_square(entry.part(0, 2));
            if (!square) return square.error();
            const auto kind = read_kind(entry.from(2));
            if (!kind) return kind.error();
            if (square->has_value()) {
                setup_.put(**square, Piece(color, *kind));
                continue;
            }
            if (shogi::is_promoted(*kind) || *kind == Kind::king)
                return entry.problem(fmt::format("{} cannot be held in hand", csa_kind(*kind)));
            if (setup_.hand(color).count(*kind) == shogi::full_set_count(*kind))
                return entry.problem(
                    fmt::format("more than {} {} in hand", shogi::full_set_count(*kind), csa_kind(*kind)));
            setup_.hand(color).add(*kind);
        }
        return {};
    }

    void take_all_others(Color color) {
        for (const Kind kind : shogi::hand_kinds) {
            int used = setup_.hand(Color::black).count(kind) + setup_.hand(Color::white).count(kind);
            for (const Piece piece : setup_.board)
                if (shogi::unpromoted(piece.kind()) == kind) ++used;
            setup_.hand(color).add(kind, std::max(0, shogi::full_set_count(kind) - used));
        }
    }

    Setup setup_;
    bool started_ = false;
};

// Reads one game, statement by statement.
class GameReader {
public:
    Result<void> read_line(const text::Line& line) {
        const std::string_view text = line.text;
        if (text.empty() || trim_end(text).empty()) return {};
        Statement rest{text, line.number, 1};
        if (text[0] == '\'' || text[0] == 'N' || text[0] == '$') return read(rest);
        // A comment may follow a move on its line and may contain commas itself.
        while (!rest.text.empty()) {
            const std::size_t end =
                rest.text[0] == '\'' ? rest.text.size() : std::min(rest.text.find(','), rest.text.size());
            if (auto done = read(rest.part(0, end)); !done) return done;
            rest = rest.from(std::min(end + 1, rest.text.size()));
        }
        return {};
    }

    // Nothing but comments, versions and blank lines so far.
    [[nodiscard]] bool empty() const { return empty_; }

    [[nodiscard]] Game take() {
        begin_play();
        return std::move(game_);
    }

private:
    Result<void> read(const Statement& statement) {
        if (statement.text.empty()) return {};
        const char first = statement.text[0];
        if (first == '\'') {
            add_comment(statement.text.substr(1));
            return {};
        }
        if (first == 'V') return {};
        empty_ = false;
        switch (first) {
            case 'N': return read_player(statement);
            case '$': return read_header(statement);
            case 'P': return read_position(statement);
            case 'T': return read_time(statement);
            case '%': return read_ending(statement);
            case '+':
            case '-': return trim_end(statement.text).size() == 1 ? read_turn(statement) : read_move(statement);
            default: break;
        }
        return statement.problem(fmt::format("'{}' begins no CSA statement", base::shorten(statement.text, 20)));
    }

    void add_comment(std::string_view text) {
        const bool for_readers = text.starts_with('*');
        if (!for_readers && !position_.started() && !playing_) return;
        std::string& comment = game_.node(last_).comment;
        if (commented_) comment += '\n';
        comment += for_readers ? text.substr(1) : text;
        commented_ = true;
    }

    Result<void> read_player(const Statement& statement) {
        const auto color = color_of(statement.text.size() > 1 ? statement.text[1] : ' ');
        if (!color) return statement.problem("a player's line must begin with N+ or N-");
        game_.set_header(*color == Color::black ? "先手" : "後手", std::string(statement.text.substr(2)));
        return {};
    }

    Result<void> read_header(const Statement& statement) {
        const std::size_t colon = statement.text.find(':');
        if (colon == std::string_view::npos || colon < 2)
            return statement.problem("a header must look like $EVENT:text");
        game_.set_header(header_for_csa_keyword(statement.text.substr(1, colon - 1)),
                         std::string(statement.text.substr(colon + 1)));
        return {};
    }

    Result<void> read_position(const Statement& statement) {
        if (playing_) return statement.problem("the start position must come before side to move and moves");
        return position_.read(statement);
    }

    Result<void> read_turn(const Statement& statement) {
        if (playing_) return statement.problem("the side to move was already given");
        begin_play();
        game_.start.side_to_move = setup_.side_to_move = *color_of(statement.text[0]);
        return {};
    }

    Result<void> read_move(const Statement& statement) {
        const std::string_view text = trim_end(statement.text);
        const Color mover = *color_of(text[0]);
        if (!playing_) {
            begin_play();
            game_.start.side_to_move = setup_.side_to_move = mover;
        }
        if (text.size() != 7)
            return statement.problem(fmt::format("a move must look like +7776FU, got '{}'", base::shorten(text, 20)));
        if (ended_) return statement.problem("a move after the end of the game");
        if (mover != setup_.side_to_move)
            return statement.problem(fmt::format("'{}' is a move of {}, but it is {}'s turn", text,
                                                 mover == Color::black ? "Black" : "White",
                                                 mover == Color::black ? "White" : "Black"));
        const auto from = read_square(statement.part(1, 2));
        if (!from) return from.error();
        const auto to = read_square(statement.part(3, 2));
        if (!to) return to.error();
        const auto kind = read_kind(statement.part(5, 2));
        if (!kind) return kind.error();
        if (!to->has_value()) return statement.problem("a move cannot end in the hand");
        const auto move = from->has_value() ? board_move(statement, **from, **to, *kind) : drop(statement, **to, *kind);
        if (!move) return move.error();
        Node node;
        node.move = *move;
        add(std::move(node));
        apply(setup_, *move);
        return {};
    }

    [[nodiscard]] Result<Move> board_move(const Statement& statement, Square from, Square to, Kind kind) const {
        const Kind before = setup_.at(from).kind();
        if (from == to) return statement.problem("the piece does not leave its square");
        if (before == kind) return Move::board(from, to);
        if (shogi::can_promote(before) && shogi::promoted(before) == kind) return Move::board(from, to, true);
        return statement.problem(fmt::format("there is {} on {}{}, which cannot become {}",
                                             before == Kind::none ? "nothing" : csa_kind(before), from.file(),
                                             from.rank(), csa_kind(kind)));
    }

    [[nodiscard]] static Result<Move> drop(const Statement& statement, Square to, Kind kind) {
        if (shogi::is_promoted(kind) || kind == Kind::king)
            return statement.problem(fmt::format("{} cannot be dropped", csa_kind(kind)));
        return Move::drop(kind, to);
    }

    Result<void> read_time(const Statement& statement) {
        if (last_ == Game::root()) return statement.problem("a time must follow a move");
        const auto seconds = base::parse_number<double>(trim_end(statement.text.substr(1)), 0, longest_time);
        if (!seconds)
            return statement.problem(
                fmt::format("a time must look like T12 or T12.5, got '{}'", base::shorten(statement.text, 20)));
        game_.node(last_).time = milliseconds(static_cast<milliseconds::rep>(*seconds * 1000 + 0.5));
        return {};
    }

    Result<void> read_ending(const Statement& statement) {
        begin_play();
        const std::string_view name = trim_end(statement.text).substr(1);
        const auto ending = find_csa_ending(name);
        // Servers write down both the player's statement and their own finding.
        if (ended_ && ending == game_.node(last_).ending) return {};
        if (ended_) return statement.problem("the game has already ended");
        Node node;
        node.ending = ending.value_or(Ending::interrupted);
        if (!ending) node.ending_text = name;
        add(std::move(node));
        ended_ = true;
        return {};
    }

    // From here on the start position is settled.
    void begin_play() {
        if (playing_) return;
        playing_ = true;
        if (position_.started()) game_.start = position_.setup();
        setup_ = game_.start;
    }

    void add(Node node) {
        last_ = game_.add(last_, std::move(node));
        commented_ = false;
    }

    Game game_;
    PositionReader position_;
    Setup setup_;  // after the moves read so far
    std::size_t last_ = Game::root();
    bool empty_ = true;
    bool playing_ = false;
    bool ended_ = false;
    bool commented_ = false;
};

void write_comment(std::string& out, const std::string& comment) {
    if (comment.empty()) return;
    for (const std::string_view line : base::split(comment, '\n'))
        out += fmt::format("'*{}\n", line);
}

char sign(Color color) { return color == Color::black ? '+' : '-'; }

void write_position(std::string& out, const Setup& start) {
    Setup even = Setup::even();
    even.side_to_move = start.side_to_move;
    even.move_number = start.move_number;
    if (start == even) {
        out += "PI\n";
    } else {
        for (int rank = 1; rank <= 9; ++rank) {
            out += fmt::format("P{}", rank);
            for (int file = 9; file >= 1; --file) {
                const Piece piece = start.at(Square::at(file, rank));
                out += piece.is_none() ? " * " : fmt::format("{}{}", sign(piece.color()), csa_kind(piece.kind()));
            }
            out += '\n';
        }
        for (const Color color : shogi::both_colors) {
            if (start.hand(color).empty()) continue;
            out += fmt::format("P{}", sign(color));
            for (const Kind kind :
                 {Kind::rook, Kind::bishop, Kind::gold, Kind::silver, Kind::knight, Kind::lance, Kind::pawn})
                for (int n = start.hand(color).count(kind); n > 0; --n)
                    out += fmt::format("00{}", csa_kind(kind));
            out += '\n';
        }
    }
    out += fmt::format("{}\n", sign(start.side_to_move));
}

Result<std::string> csa_move(const Setup& setup, Move move) {
    const Square to = move.to();
    if (move.is_drop())
        return fmt::format("{}00{}{}{}", sign(setup.side_to_move), to.file(), to.rank(), csa_kind(move.dropped()));
    const Kind before = setup.at(move.from()).kind();
    if (before == Kind::none || (move.promotes() && !shogi::can_promote(before)))
        return Error{Error::Code::unsupported,
                     fmt::format("CSA cannot say the move {}, which {}", to_usi(move),
                                 before == Kind::none ? "moves no piece" : "promotes a piece that cannot promote")};
    return fmt::format("{}{}{}{}{}{}", sign(setup.side_to_move), move.from().file(), move.from().rank(), to.file(),
                       to.rank(), csa_kind(move.promotes() ? shogi::promoted(before) : before));
}

// The words of another program's ending, if they can stand in a CSA file.
bool is_csa_word(std::string_view text) {
    return !text.empty() && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-") == std::string_view::npos;
}

std::string csa_time(milliseconds time, CsaVersion version) {
    const auto count =
        std::clamp<milliseconds::rep>(time.count(), 0, static_cast<milliseconds::rep>(longest_time * 1000));
    if (version == CsaVersion::v2_2 || count % 1000 == 0) return fmt::format("T{}\n", count / 1000);
    return fmt::format("T{}.{:03}\n", count / 1000, count % 1000);
}

Result<void> write_game(std::string& out, const Game& game, CsaVersion version) {
    out += csa_headers(game, version);
    write_position(out, game.start);
    write_comment(out, game.node(Game::root()).comment);
    Setup setup = game.start;
    for (const std::size_t i : game.main_line()) {
        const Node& node = game.node(i);
        if (node.ending) {
            const bool own_words = *node.ending == Ending::interrupted && is_csa_word(node.ending_text);
            out += fmt::format(
                "%{}\n", own_words ? std::string_view(node.ending_text) : csa_ending(*node.ending, setup.side_to_move));
        } else {
            const auto move = csa_move(setup, node.move);
            if (!move) return move.error();
            out += *move + '\n';
        }
        if (node.time) out += csa_time(*node.time, version);
        write_comment(out, node.comment);
        if (node.ending) break;
        apply(setup, node.move);
    }
    return {};
}

}  // namespace

std::vector<Result<Game>> parse_csa(std::string_view text) {
    std::vector<Result<Game>> games;
    GameReader reader;
    std::optional<Error> error;
    const auto finish = [&] {
        if (error)
            games.emplace_back(*error);
        else if (!reader.empty())
            games.emplace_back(reader.take());
        reader = GameReader();
        error.reset();
    };
    for (const text::Line& line : text::split_lines(text)) {
        if (trim_end(line.text) == "/") {
            finish();
            continue;
        }
        if (error) continue;  // the rest of a broken game is skipped
        if (auto done = reader.read_line(line); !done) error = done.error();
    }
    finish();
    return games;
}

Result<std::string> to_csa(const Game& game, CsaVersion version, Encoding stored_as) {
    return to_csa(std::span(&game, 1), version, stored_as);
}

Result<std::string> to_csa(std::span<const Game> games, CsaVersion version, Encoding stored_as) {
    std::string out = "V2.2\n";
    if (version == CsaVersion::v3_0)
        out = fmt::format("'CSA encoding={}\nV3.0\n", stored_as == Encoding::cp932 ? "SHIFT_JIS" : "UTF-8");
    for (const Game& game : games) {
        if (&game != games.data()) out += "/\n";
        if (auto done = write_game(out, game, version); !done) return done.error();
    }
    return out;
}

}  // namespace tsumugi::record
