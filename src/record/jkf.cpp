// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/jkf.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "record/csa_name.hpp"
#include "record/handicap.hpp"
#include "record/notation.hpp"
#include "record/sfen.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;
using shogi::Color;
using shogi::Kind;
using shogi::Move;
using shogi::Piece;
using shogi::Setup;
using shogi::Square;
using std::chrono::milliseconds;

constexpr std::size_t deepest_fork = 500;
constexpr double longest_time = 1e9;  // seconds; more is taken for a mistake

Error jkf_error(std::string message) { return {Error::Code::syntax, "JKF: " + std::move(message)}; }

// A member of an object, or null.
const ordered_json* find(const ordered_json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

bool is_true(const ordered_json& object, const char* name) {
    const ordered_json* const value = find(object, name);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::string text_of(const ordered_json& object, const char* name) {
    const ordered_json* const value = find(object, name);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

// A whole number within limits.
std::optional<int> number_of(const ordered_json& object, const char* name, int lowest, int highest) {
    const ordered_json* const value = find(object, name);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    const auto number = value->get<double>();
    if (!(number >= lowest && number <= highest) || number != static_cast<int>(number)) return std::nullopt;
    return static_cast<int>(number);
}

Result<Square> read_square(const ordered_json& place) {
    const auto file = number_of(place, "x", 1, 9);
    const auto rank = number_of(place, "y", 1, 9);
    if (!file || !rank) return jkf_error("a square must be {\"x\": 1 to 9, \"y\": 1 to 9}");
    return Square::at(*file, *rank);
}

Result<void> read_board(const ordered_json& board, Setup& setup) {
    if (!board.is_array() || board.size() != 9) return jkf_error("initial.data.board must hold nine files");
    for (int file = 1; file <= 9; ++file) {
        const ordered_json& column = board[static_cast<std::size_t>(file - 1)];
        if (!column.is_array() || column.size() != 9)
            return jkf_error("a file of initial.data.board must hold nine squares");
        for (int rank = 1; rank <= 9; ++rank) {
            const ordered_json& cell = column[static_cast<std::size_t>(rank - 1)];
            const std::string name = text_of(cell, "kind");
            if (name.empty()) continue;
            const Kind kind = find_csa_kind(name);
            const auto color = number_of(cell, "color", 0, 1);
            if (kind == Kind::none || !color)
                return jkf_error(fmt::format("square {}{} holds no proper piece", file, rank));
            setup.put(Square::at(file, rank), Piece(shogi::both_colors[static_cast<std::size_t>(*color)], kind));
        }
    }
    return {};
}

Result<void> read_hands(const ordered_json& hands, Setup& setup) {
    if (!hands.is_array() || hands.size() > 2) return jkf_error("initial.data.hands must hold two objects");
    for (std::size_t i = 0; i < hands.size(); ++i) {
        if (!hands[i].is_object()) return jkf_error("initial.data.hands must hold two objects");
        for (const auto& [name, count] : hands[i].items()) {
            const Kind kind = find_csa_kind(name);
            const auto number = number_of(hands[i], name.c_str(), 0, shogi::full_set_count(kind));
            if (kind == Kind::none || kind == Kind::king || shogi::is_promoted(kind) || !number)
                return jkf_error(fmt::format("'{}' is no proper entry of a hand", base::shorten(name, 20)));
            setup.hands[i].add(kind, *number);
        }
    }
    return {};
}

Result<Setup> read_start(const ordered_json& root) {
    const ordered_json* const initial = find(root, "initial");
    if (initial == nullptr) return Setup::even();
    const std::string preset = text_of(*initial, "preset");
    if (preset != other_handicap_jkf) {
        const Handicap* const handicap = find_handicap_by_jkf(preset);
        if (handicap == nullptr)
            return jkf_error(fmt::format("unknown initial.preset '{}'", base::shorten(preset, 20)));
        return handicap->setup();
    }
    const ordered_json* const data = find(*initial, "data");
    if (data == nullptr) return jkf_error("initial.preset OTHER needs initial.data");
    Setup setup;
    if (const ordered_json* const board = find(*data, "board"))
        if (auto done = read_board(*board, setup); !done) return done.error();
    if (const ordered_json* const hands = find(*data, "hands"))
        if (auto done = read_hands(*hands, setup); !done) return done.error();
    if (find(*data, "color") != nullptr) {
        const auto color = number_of(*data, "color", 0, 1);
        if (!color) return jkf_error("initial.data.color must be 0 or 1");
        setup.side_to_move = shogi::both_colors[static_cast<std::size_t>(*color)];
    }
    return setup;
}

// {"h": 0, "m": 1, "s": 2}
Result<std::optional<milliseconds>> read_time(const ordered_json& object, const char* name) {
    const ordered_json* const time = find(object, name);
    if (time == nullptr) return std::optional<milliseconds>();
    double seconds = 0;
    constexpr std::array<std::pair<const char*, double>, 3> units{{{"h", 3600}, {"m", 60}, {"s", 1}}};
    for (const auto& [unit, length] : units) {
        const ordered_json* const value = find(*time, unit);
        if (value == nullptr) continue;
        if (!value->is_number()) return jkf_error("a time must hold numbers h, m and s");
        seconds += value->get<double>() * length;
    }
    if (!(seconds >= 0 && seconds <= longest_time)) return jkf_error("a time is negative or too long");
    return std::optional(milliseconds(static_cast<milliseconds::rep>(seconds * 1000 + 0.5)));
}

// The letters of "relative": left, centre, right; up, middle, down; from the hand.
void read_relative(std::string_view letters, WrittenMove& written) {
    for (const char letter : letters) {
        if (letter == 'L') written.side = Side::left;
        if (letter == 'C') written.side = Side::straight;
        if (letter == 'R') written.side = Side::right;
        if (letter == 'U') written.motion = Motion::up;
        if (letter == 'M') written.motion = Motion::sideways;
        if (letter == 'D') written.motion = Motion::down;
        if (letter == 'H') written.drops = true;
    }
}

Result<Move> read_jkf_move(const ordered_json& object, const Setup& setup, std::optional<Square> previous) {
    if (const auto color = number_of(object, "color", 0, 1);
        color && shogi::both_colors[static_cast<std::size_t>(*color)] != setup.side_to_move)
        return jkf_error("the colour of a move is not that of the side to move");
    WrittenMove written;
    if (const ordered_json* const to = find(object, "to")) {
        const auto square = read_square(*to);
        if (!square) return square.error();
        written.to = *square;
    } else if (is_true(object, "same") && previous) {
        written.to = previous;
    } else {
        return jkf_error("a move needs \"to\", or \"same\" after another move");
    }
    const bool promotes = is_true(object, "promote");
    if (const ordered_json* const from = find(object, "from")) {
        const auto square = read_square(*from);
        if (!square) return square.error();
        if (*square == *written.to) return jkf_error("a move does not leave its square");
        return Move::board(*square, *written.to, promotes);
    }
    written.kind = find_csa_kind(text_of(object, "piece"));
    if (written.kind == Kind::none) return jkf_error("a move without \"from\" needs \"piece\"");
    written.promotes = promotes;
    read_relative(text_of(object, "relative"), written);
    const auto move = resolve(setup, written, previous);
    if (!move) return move.error().in("JKF");
    return move;
}

// Reads the tree. Lines wait in a list, not on the call stack, because a file may nest them as it likes.
class TreeReader {
public:
    explicit TreeReader(Game& game) : game_(game) {}

    Result<void> read(const ordered_json& moves) {
        lines_.push_back({&moves, Game::root(), game_.start, std::nullopt, 0});
        while (!lines_.empty()) {
            const Line line = lines_.back();
            lines_.pop_back();
            if (auto done = read_line(line); !done) return done;
        }
        return {};
    }

private:
    struct Line {
        const ordered_json* moves;
        std::size_t parent;
        Setup setup;
        std::optional<Square> previous;
        std::size_t depth;
    };

    Result<void> read_line(Line line) {
        if (!line.moves->is_array()) return jkf_error("\"moves\" and every fork must be arrays");
        std::vector<Line> forks;
        for (std::size_t i = 0; i < line.moves->size(); ++i) {
            const ordered_json& step = (*line.moves)[i];
            const auto place = [&](const Error& error) { return error.in(fmt::format("moves[{}]", i)); };
            if (!step.is_object()) return place(jkf_error("a step must be an object"));
            if (const ordered_json* const others = find(step, "forks"))
                if (auto done = note_forks(*others, line, forks); !done) return place(done.error());
            if (auto done = read_step(step, line); !done) return place(done.error());
        }
        // Last in, first out: siblings keep their order when the last one goes in first.
        lines_.insert(lines_.end(), forks.rbegin(), forks.rend());
        return {};
    }

    static Result<void> note_forks(const ordered_json& others, const Line& line, std::vector<Line>& forks) {
        if (!others.is_array()) return jkf_error("\"forks\" must be an array of arrays");
        if (line.depth == deepest_fork) return Error{Error::Code::limit, "JKF: variations are nested too deeply"};
        for (const ordered_json& fork : others)
            forks.push_back({&fork, line.parent, line.setup, line.previous, line.depth + 1});
        return {};
    }

    // Adds what a step holds below line.parent and moves the line on.
    Result<void> read_step(const ordered_json& step, Line& line) {
        const ordered_json* const move = find(step, "move");
        const std::string special = text_of(step, "special");
        if (move != nullptr && game_.node(line.parent).ending) return jkf_error("a move after the end of a line");
        if (move != nullptr) {
            const auto read = read_jkf_move(*move, line.setup, line.previous);
            if (!read) return read.error();
            Node node;
            node.move = *read;
            line.parent = game_.add(line.parent, std::move(node));
            apply(line.setup, *read);
            line.previous = read->to();
        }
        if (!special.empty() && !game_.node(line.parent).ending) {
            const auto ending = find_csa_ending(special);
            Node node;
            node.ending = ending.value_or(Ending::interrupted);
            if (!ending) node.ending_text = special;
            line.parent = game_.add(line.parent, std::move(node));
        }
        return read_notes(step, game_.node(line.parent));
    }

    static Result<void> read_notes(const ordered_json& step, Node& node) {
        if (const ordered_json* const comments = find(step, "comments")) {
            if (!comments->is_array()) return jkf_error("\"comments\" must be an array of texts");
            bool first = node.comment.empty();
            for (const ordered_json& comment : *comments) {
                if (!comment.is_string()) return jkf_error("\"comments\" must be an array of texts");
                if (!first) node.comment += '\n';
                node.comment += comment.get<std::string>();
                first = false;
            }
        }
        const ordered_json* const time = find(step, "time");
        if (time == nullptr) return {};
        const auto now = read_time(*time, "now");
        if (!now) return now.error();
        const auto total = read_time(*time, "total");
        if (!total) return total.error();
        node.time = *now;
        node.total = *total;
        return {};
    }

    Game& game_;
    std::vector<Line> lines_;
};

ordered_json to_json(Square square) { return {{"x", square.file()}, {"y", square.rank()}}; }

ordered_json start_json(const Setup& start) {
    if (const Handicap* const handicap = find_handicap(start)) return {{"preset", handicap->jkf}};
    ordered_json board = ordered_json::array();
    for (int file = 1; file <= 9; ++file) {
        ordered_json column = ordered_json::array();
        for (int rank = 1; rank <= 9; ++rank) {
            const Piece piece = start.at(Square::at(file, rank));
            ordered_json cell = ordered_json::object();
            if (!piece.is_none()) cell = {{"color", static_cast<int>(piece.color())}, {"kind", csa_kind(piece.kind())}};
            column.push_back(std::move(cell));
        }
        board.push_back(std::move(column));
    }
    ordered_json hands = ordered_json::array();
    for (const Color color : shogi::both_colors) {
        ordered_json hand = ordered_json::object();
        for (const Kind kind : shogi::hand_kinds)
            hand[std::string(csa_kind(kind))] = start.hand(color).count(kind);
        hands.push_back(std::move(hand));
    }
    return {
        {"preset", other_handicap_jkf},
        {"data",
         {{"color", static_cast<int>(start.side_to_move)}, {"board", std::move(board)}, {"hands", std::move(hands)}}}};
}

// Minutes of a single move may exceed 59 in JKF; milliseconds become a fraction of a second.
ordered_json time_json(milliseconds time, bool with_hours) {
    const auto minutes = time.count() / 60000;
    const auto rest = time.count() % 60000;
    ordered_json json = ordered_json::object();
    if (with_hours) json["h"] = minutes / 60;
    json["m"] = with_hours ? minutes % 60 : minutes;
    if (rest % 1000 == 0)
        json["s"] = rest / 1000;
    else
        json["s"] = static_cast<double>(rest) / 1000;
    return json;
}

Result<ordered_json> move_json(const Setup& setup, Move move, std::optional<Square> previous) {
    ordered_json json = {{"color", static_cast<int>(setup.side_to_move)}};
    if (!move.is_drop()) json["from"] = to_json(move.from());
    json["to"] = to_json(move.to());
    const Piece piece = move.is_drop() ? Piece(setup.side_to_move, move.dropped()) : setup.at(move.from());
    if (piece.is_none())
        return Error{Error::Code::unsupported,
                     fmt::format("JKF cannot say the move {}, which moves no piece", to_usi(move))};
    json["piece"] = csa_kind(piece.kind());
    if (previous == move.to()) json["same"] = true;
    const bool in_zone = !move.is_drop() && (move.from().in_promotion_zone(setup.side_to_move) ||
                                             move.to().in_promotion_zone(setup.side_to_move));
    if (move.promotes() || (in_zone && shogi::can_promote(piece.kind()))) json["promote"] = move.promotes();
    if (const Piece captured = setup.at(move.to()); !captured.is_none()) json["capture"] = csa_kind(captured.kind());
    if (move.is_drop()) json["relative"] = "H";
    return json;
}

class TreeWriter {
public:
    explicit TreeWriter(const Game& game) : game_(game) {}

    // The line that begins with `first` and everything that branches off after it.
    Result<ordered_json> write(std::size_t first, Setup setup, std::optional<Square> previous, std::size_t depth) {
        ordered_json line = ordered_json::array();
        for (std::size_t at = first;;) {
            const Node& node = game_.node(at);
            auto step = step_json(node, setup, previous);
            if (!step) return step;
            const auto& siblings = game_.node(node.parent).children;
            if (at == siblings.front() && siblings.size() > 1) {
                if (depth == deepest_fork)
                    return Error{Error::Code::limit, "JKF: variations are nested too deeply to be written"};
                ordered_json forks = ordered_json::array();
                for (std::size_t i = 1; i < siblings.size(); ++i) {
                    auto fork = write(siblings[i], setup, previous, depth + 1);
                    if (!fork) return fork;
                    forks.push_back(std::move(*fork));
                }
                (*step)["forks"] = std::move(forks);
            }
            line.push_back(std::move(*step));
            if (node.ending || node.children.empty()) return line;
            apply(setup, node.move);
            previous = node.move.to();
            at = node.children.front();
        }
    }

    [[nodiscard]] static ordered_json comments_json(const std::string& comment) {
        ordered_json comments = ordered_json::array();
        for (const std::string_view each : base::split(comment, '\n'))
            comments.push_back(each);
        return comments;
    }

private:
    [[nodiscard]] static Result<ordered_json> step_json(const Node& node, const Setup& setup,
                                                        std::optional<Square> previous) {
        ordered_json step = ordered_json::object();
        if (!node.comment.empty()) step["comments"] = comments_json(node.comment);
        if (node.ending) {
            const bool own_words = *node.ending == Ending::interrupted && !node.ending_text.empty();
            step["special"] =
                own_words ? std::string_view(node.ending_text) : csa_ending(*node.ending, setup.side_to_move);
        } else {
            auto move = move_json(setup, node.move, previous);
            if (!move) return move;
            step["move"] = std::move(*move);
        }
        if (node.time) step["time"]["now"] = time_json(*node.time, false);
        if (node.total) step["time"]["total"] = time_json(*node.total, true);
        return step;
    }

    const Game& game_;
};

Error place_of(std::string_view text, std::size_t byte, const std::string& message) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1);
    return {Error::Code::syntax,
            fmt::format("line {}, column {}: {}", line, std::max<std::size_t>(column, 1), message)};
}

}  // namespace

Result<Game> parse_jkf(std::string_view text) {
    ordered_json root;
    try {
        root = ordered_json::parse(text);
    } catch (const ordered_json::parse_error& error) {
        return place_of(text, error.byte, "JKF: this is not well-formed JSON");
    }
    if (!root.is_object()) return jkf_error("the file must hold one object");
    Game game;
    auto start = read_start(root);
    if (!start) return start.error();
    game.start = *start;
    if (const ordered_json* const header = find(root, "header")) {
        if (!header->is_object()) return jkf_error("\"header\" must be an object");
        for (const auto& [name, value] : header->items()) {
            if (!value.is_string()) return jkf_error(fmt::format("header '{}' is not a text", base::shorten(name, 40)));
            game.headers.emplace_back(name, value.get<std::string>());
        }
    }
    const ordered_json* const moves = find(root, "moves");
    if (moves == nullptr) return jkf_error("there is no \"moves\"");
    if (auto done = TreeReader(game).read(*moves); !done) return done.error();
    return game;
}

Result<std::string> to_jkf(const Game& game) {
    ordered_json header = ordered_json::object();
    for (const auto& [name, value] : game.headers)
        header[name] = value;
    ordered_json moves = ordered_json::array();
    const Node& root = game.node(Game::root());
    moves.push_back(ordered_json::object());
    if (!root.comment.empty()) moves[0]["comments"] = TreeWriter::comments_json(root.comment);
    if (!root.children.empty()) {
        auto line = TreeWriter(game).write(root.children.front(), game.start, std::nullopt, 0);
        if (!line) return line.error();
        for (ordered_json& step : *line)
            moves.push_back(std::move(step));
    }
    const ordered_json json = {
        {"header", std::move(header)}, {"initial", start_json(game.start)}, {"moves", std::move(moves)}};
    // Text that is not UTF-8 cannot stand in JSON; such bytes become U+FFFD rather than stop the conversion.
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace tsumugi::record
