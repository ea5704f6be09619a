// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/usi_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "record/sfen.hpp"

namespace tsumugi::protocol {
namespace {

using base::Error;
using base::Result;
using think::Milliseconds;
using Words = std::vector<std::string_view>;

// Times and counts from outside are cut to this, far beyond any use and far from overflow.
constexpr std::int64_t largest_number = 1'000'000'000'000'000;

// A number as the word after `i`, if there is one.
std::optional<std::int64_t> number_after(const Words& words, std::size_t i) {
    if (i + 1 >= words.size()) return std::nullopt;
    const auto number = base::parse_number<std::int64_t>(words[i + 1]);
    if (!number) return std::nullopt;
    return std::clamp(*number, std::int64_t{0}, largest_number);
}

// Takes one of the words that state a clock. True when it was one, with or without a good number.
bool read_clock_word(std::string_view word, std::optional<std::int64_t> number,
                     std::optional<think::ClockState>& clock) {
    static constexpr std::array names{"btime", "wtime", "binc", "winc", "byoyomi"};
    const auto* const name = std::find(names.begin(), names.end(), word);
    if (name == names.end()) return false;
    if (!clock) clock.emplace();
    const Milliseconds time{number.value_or(0)};
    switch (name - names.begin()) {
        case 0: clock->remaining[0] = time; break;
        case 1: clock->remaining[1] = time; break;
        case 2: clock->increment[0] = time; break;
        case 3: clock->increment[1] = time; break;
        default: clock->byoyomi = time; break;
    }
    return true;
}

// Takes a word of `go` that a number follows. A missing or bad number counts as nothing at all.
bool read_numbered_word(std::string_view word, std::optional<std::int64_t> number, GoRequest& request) {
    think::Limits& limits = request.limits;
    if (read_clock_word(word, number, limits.clock)) return true;
    if (word == "movetime" || word == "rtime") {
        limits.move_time = Milliseconds(number.value_or(0));
    } else if (word == "nodes") {
        limits.nodes = static_cast<std::uint64_t>(number.value_or(1));
    } else if (word == "depth") {
        limits.depth = static_cast<int>(std::clamp<std::int64_t>(number.value_or(1), 1, 10000));
    } else if (word == "perft") {
        request.perft = static_cast<int>(std::clamp<std::int64_t>(number.value_or(1), 0, 100));
    } else {
        return word == "movestogo";  // which no shogi clock has
    }
    return true;
}

// The moves after `searchmoves`; returns the place of the first word that is none.
std::size_t read_root_moves(const Words& words, std::size_t i, const shogi::Position& position, GoRequest& request) {
    for (; i < words.size(); ++i) {
        const auto move = record::parse_usi_move(words[i]);
        if (!move) break;
        if (position.is_legal(*move))
            request.limits.root_moves.push_back(*move);
        else
            request.warnings.push_back(fmt::format("searchmoves: '{}' is illegal", quote(words[i])));
    }
    return i;
}

// The text between the places where two of the keywords stand, spaces included; keywords are whole words.
class Phrases {
public:
    Phrases(std::string_view text, std::initializer_list<std::string_view> keywords) : text_(text) {
        for (const std::string_view word : base::split_words(text)) {
            const auto start = static_cast<std::size_t>(word.data() - text.data());
            if (std::find(keywords.begin(), keywords.end(), word) != keywords.end())
                marks_.push_back({word, start, start + word.size()});
        }
    }

    // After the n-th occurrence of the keyword up to the next keyword.
    [[nodiscard]] std::vector<std::string> all(std::string_view keyword) const {
        std::vector<std::string> found;
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            if (marks_[i].word != keyword) continue;
            const std::size_t end = i + 1 < marks_.size() ? marks_[i + 1].start : text_.size();
            found.emplace_back(base::trim(text_.substr(marks_[i].end, end - marks_[i].end)));
        }
        return found;
    }
    [[nodiscard]] std::optional<std::string> first(std::string_view keyword) const {
        auto found = all(keyword);
        if (found.empty()) return std::nullopt;
        return std::move(found.front());
    }

private:
    struct Mark {
        std::string_view word;
        std::size_t start;
        std::size_t end;
    };
    std::string_view text_;
    std::vector<Mark> marks_;
};

Result<think::Option::Type> parse_option_type(const std::string& word) {
    using Type = think::Option::Type;
    static const std::map<std::string, Type> types = {{"check", Type::check},   {"spin", Type::spin},
                                                      {"combo", Type::combo},   {"button", Type::button},
                                                      {"string", Type::string}, {"filename", Type::filename}};
    const auto found = types.find(word);
    if (found == types.end()) return Error{Error::Code::syntax, fmt::format("unknown option type '{}'", quote(word))};
    return found->second;
}

std::string_view to_word(think::Option::Type type) {
    using Type = think::Option::Type;
    switch (type) {
        case Type::check: return "check";
        case Type::spin: return "spin";
        case Type::combo: return "combo";
        case Type::button: return "button";
        case Type::string: return "string";
        case Type::filename: return "filename";
    }
    std::abort();  // unreachable: the switch names every value
}

// Moves as far as they can be played.
std::vector<shogi::Move> read_line_of_play(const Words& words, std::size_t first, shogi::Position position) {
    std::vector<shogi::Move> moves;
    for (std::size_t i = first; i < words.size(); ++i) {
        const auto move = record::parse_usi_move(words[i]);
        if (!move || !position.is_legal(*move)) break;
        moves.push_back(*move);
        position.do_move(*move);
    }
    return moves;
}

// "cp 35" or "mate -4". A mate of unknown length is written as a sign alone.
bool read_score(std::string_view kind, std::string_view value, think::Score& score) {
    const bool mate = kind == "mate";
    if (!mate && kind != "cp") return false;
    const bool plus = !value.empty() && value[0] == '+';
    auto number = base::parse_number<int>(value.substr(plus ? 1 : 0));
    if (!number && mate && value == "+") number = 1;
    if (!number && mate && value == "-") number = -1;
    if (!number) return false;
    score.kind = mate ? think::Score::Kind::mate : think::Score::Kind::centipawns;
    score.value = *number;
    return true;
}

bool read_count(std::string_view word, std::int64_t number, think::Line& line) {
    const int small = static_cast<int>(std::min<std::int64_t>(number, 1'000'000'000));
    if (word == "depth") {
        line.depth = small;
    } else if (word == "seldepth") {
        line.selective_depth = small;
    } else if (word == "multipv") {
        line.rank = std::max(small, 1);
    } else if (word == "hashfull") {
        line.table_permille = small;
    } else if (word == "nodes") {
        line.nodes = static_cast<std::uint64_t>(number);
    } else if (word == "time") {
        line.time = Milliseconds(number);
    } else {
        return false;
    }
    return true;
}

}  // namespace

std::string quote(std::string_view text) {
    std::string safe = base::shorten(text, 80);
    for (char& c : safe)
        if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) >= 127) c = '?';
    return safe;
}

Result<shogi::Position> parse_position(std::string_view text) {
    const Words words = base::split_words(text);
    const auto moves = std::find(words.begin(), words.end(), "moves");
    if (words.empty() || (words[0] != "startpos" && words[0] != "sfen"))
        return Error{Error::Code::syntax, fmt::format("expected `position startpos` or `position sfen …`, got '{}'",
                                                      quote(words.empty() ? "" : words[0]))};
    auto setup = Result<shogi::Setup>(shogi::Setup::even());
    if (words[0] == "sfen") {
        std::string sfen;
        for (auto word = words.begin() + 1; word != moves; ++word)
            sfen.append(sfen.empty() ? "" : " ").append(*word);
        setup = record::parse_sfen(sfen);
    }
    if (!setup) return setup.error();
    auto position = shogi::Position::from(*setup);
    if (!position) return position.error();
    if (moves == words.end()) return position;
    for (auto word = moves + 1; word != words.end(); ++word) {
        const auto move = record::parse_usi_move(*word);
        if (!move || !position->is_legal(*move))
            return Error{Error::Code::range, fmt::format("move {} of the list, '{}', is {}", word - moves, quote(*word),
                                                         move ? "illegal" : "no move")};
        position->do_move(*move);
    }
    return position;
}

std::string to_position_command(const shogi::Position& position) {
    shogi::Position start = position;
    std::vector<shogi::Move> moves;
    while (start.history() > 0 && !start.state().move.is_none()) {
        moves.push_back(start.state().move);
        start.undo_move();
    }
    const std::string sfen = record::to_sfen(start.setup());
    std::string command = sfen == record::even_sfen ? "position startpos" : "position sfen " + sfen;
    if (!moves.empty()) command += " moves";
    for (auto move = moves.rbegin(); move != moves.rend(); ++move)
        command.append(" ").append(record::to_usi(*move));
    return command;
}

std::optional<think::ClockState> parse_clock(std::string_view text) {
    const Words words = base::split_words(text);
    std::optional<think::ClockState> clock;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (read_clock_word(words[i], number_after(words, i), clock)) ++i;
    return clock;
}

GoRequest parse_go(std::string_view text, const shogi::Position& position) {
    const Words words = base::split_words(text);
    GoRequest request;
    request.limits.start = base::Clock::now();
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto number = number_after(words, i);
        if (read_numbered_word(words[i], number, request)) {
            if (!number) request.warnings.push_back(fmt::format("go: {} needs a number", words[i]));
            if (number) ++i;
        } else if (words[i] == "mate") {
            request.limits.mate = number ? Milliseconds(*number) : Milliseconds::max();
            if (number || (i + 1 < words.size() && words[i + 1] == "infinite")) ++i;
        } else if (words[i] == "infinite") {
            request.limits.infinite = true;
        } else if (words[i] == "ponder") {
            request.limits.ponder = true;
        } else if (words[i] == "searchmoves") {
            i = read_root_moves(words, i + 1, position, request) - 1;
        } else {
            request.warnings.push_back(fmt::format("go: '{}' is not understood", quote(words[i])));
        }
    }
    if (request.limits.infinite) {
        request.limits.clock.reset();
        request.limits.move_time.reset();
    }
    if (request.limits.ponder) request.limits.ponder_signal = std::make_shared<think::PonderSignal>();
    return request;
}

std::string to_text(const think::ClockState& clock) {
    std::string text = fmt::format("btime {} wtime {}", clock.remaining[0].count(), clock.remaining[1].count());
    // Never both: a clock with increments has no byoyomi.
    const bool increments = clock.increment[0] > Milliseconds{0} || clock.increment[1] > Milliseconds{0};
    if (increments)
        text += fmt::format(" binc {} winc {}", clock.increment[0].count(), clock.increment[1].count());
    else
        text += fmt::format(" byoyomi {}", clock.byoyomi.count());
    return text;
}

std::string to_go_command(const think::Limits& limits) {
    std::string command = "go";
    if (limits.ponder) command += " ponder";
    if (limits.mate) {
        command += " mate ";
        return command + (*limits.mate == Milliseconds::max() ? "infinite" : std::to_string(limits.mate->count()));
    }
    if (limits.clock) command.append(" ").append(to_text(*limits.clock));
    if (limits.move_time) command += fmt::format(" movetime {}", limits.move_time->count());
    if (limits.nodes) command += fmt::format(" nodes {}", *limits.nodes);
    if (limits.depth) command += fmt::format(" depth {}", *limits.depth);
    const bool limited = limits.clock || limits.move_time || limits.nodes || limits.depth;
    if (limits.infinite || (!limited && !limits.ponder)) command += " infinite";
    if (!limits.root_moves.empty()) command += " searchmoves";
    for (const shogi::Move move : limits.root_moves)
        command.append(" ").append(record::to_usi(move));
    return command;
}

std::string to_text(const think::Score& score) {
    if (score.kind == think::Score::Kind::mate)
        return score.value == 0 ? "mate -" : fmt::format("mate {}", score.value);
    switch (score.bound) {
        case think::Score::Bound::exact: return fmt::format("cp {}", score.value);
        case think::Score::Bound::lower: return fmt::format("cp {} lowerbound", score.value);
        case think::Score::Bound::upper: return fmt::format("cp {} upperbound", score.value);
    }
    std::abort();  // unreachable: the switch names every value
}

std::string to_info_line(const think::Line& line, const shogi::Position& root) {
    const auto milliseconds = static_cast<std::uint64_t>(std::max<Milliseconds::rep>(line.time.count(), 1));
    std::string text =
        fmt::format("info depth {} seldepth {} multipv {} score {} nodes {} nps {} hashfull {} time {}", line.depth,
                    std::max(line.depth, line.selective_depth), line.rank, to_text(line.score), line.nodes,
                    line.nodes * 1000 / milliseconds, line.table_permille, line.time.count());
    if (line.win_rate) {
        const auto won = std::lround(1000 * *line.win_rate);
        text += fmt::format(" wdl {} 0 {}", won, 1000 - won);
    }
    shogi::Position position = root;
    bool first = true;
    for (const shogi::Move move : line.moves) {
        if (!position.is_legal(move)) break;
        text.append(first ? " pv " : " ").append(record::to_usi(move));
        position.do_move(move);
        first = false;
    }
    return text;
}

std::optional<think::Line> parse_info(std::string_view text, const shogi::Position& root) {
    const Words words = base::split_words(text);
    think::Line line;
    bool has_score = false;
    for (std::size_t i = 0; i < words.size() && words[i] != "string"; ++i) {
        if (words[i] == "pv") {
            line.moves = read_line_of_play(words, i + 1, root);
            break;
        }
        if (words[i] == "lowerbound") line.score.bound = think::Score::Bound::lower;
        if (words[i] == "upperbound") line.score.bound = think::Score::Bound::upper;
        if (words[i] == "score" && i + 2 < words.size()) {
            has_score = read_score(words[i + 1], words[i + 2], line.score) || has_score;
            i += 2;
        } else if (const auto number = number_after(words, i); number && read_count(words[i], *number, line)) {
            ++i;
        }
    }
    if (!has_score && line.moves.empty()) return std::nullopt;
    return line;
}

std::string to_bestmove_line(const think::Answer& answer, const shogi::Position& root) {
    switch (answer.kind) {
        case think::Answer::Kind::resign: return "bestmove resign";
        case think::Answer::Kind::declare_win: return "bestmove win";
        case think::Answer::Kind::move: break;
    }
    if (!root.is_legal(answer.move)) return "bestmove resign";
    std::string line = "bestmove " + record::to_usi(answer.move);
    shogi::Position next = root;
    next.do_move(answer.move);
    if (!answer.ponder.is_none() && next.is_legal(answer.ponder)) line += " ponder " + record::to_usi(answer.ponder);
    return line;
}

std::string to_checkmate_line(const think::MateAnswer& answer) {
    switch (answer.kind) {
        case think::MateAnswer::Kind::none: return "checkmate nomate";
        case think::MateAnswer::Kind::unknown: return "checkmate timeout";
        case think::MateAnswer::Kind::unsupported: return "checkmate notimplemented";
        case think::MateAnswer::Kind::mate: break;
    }
    std::string line = "checkmate";
    for (const shogi::Move move : answer.moves)
        line += " " + record::to_usi(move);
    return line;
}

Result<think::Answer> parse_bestmove(std::string_view text, const shogi::Position& root) {
    const Words words = base::split_words(text);
    think::Answer answer;
    if (words.empty()) return Error{Error::Code::syntax, "bestmove without a move"};
    if (words[0] == "resign") return answer;
    if (words[0] == "win") {
        answer.kind = think::Answer::Kind::declare_win;
        return answer;
    }
    const auto move = record::parse_usi_move(words[0]);
    if (!move || !root.is_legal(*move))
        return Error{Error::Code::range,
                     fmt::format("bestmove '{}' is {}", quote(words[0]), move ? "illegal" : "no move")};
    answer.kind = think::Answer::Kind::move;
    answer.move = *move;
    if (words.size() >= 3 && words[1] == "ponder") {
        shogi::Position next = root;
        next.do_move(*move);
        const auto ponder = record::parse_usi_move(words[2]);
        if (ponder && next.is_legal(*ponder)) answer.ponder = *ponder;
    }
    return answer;
}

std::string to_option_line(const think::Option& option) {
    using Type = think::Option::Type;
    std::string line = fmt::format("option name {} type {}", option.name, to_word(option.type));
    if (option.type == Type::button) return line;
    line += " default " + (option.initial.empty() ? std::string("<empty>") : option.initial);
    if (option.type == Type::spin) line += fmt::format(" min {} max {}", option.minimum, option.maximum);
    for (const std::string& choice : option.choices)
        line += " var " + choice;
    return line;
}

Result<think::Option> parse_option(std::string_view text) {
    const Phrases phrases(text, {"name", "type", "default", "min", "max", "var"});
    think::Option option;
    option.name = phrases.first("name").value_or("");
    if (option.name.empty()) return Error{Error::Code::syntax, fmt::format("option without a name: '{}'", quote(text))};
    const auto type = parse_option_type(phrases.first("type").value_or(""));
    if (!type) return type.error().in("option " + quote(option.name));
    option.type = *type;
    option.initial = phrases.first("default").value_or("");
    if (option.initial == "<empty>") option.initial.clear();
    option.choices = phrases.all("var");
    if (option.type == think::Option::Type::spin) {
        const auto low = base::parse_number<std::int64_t>(phrases.first("min").value_or(""));
        const auto high = base::parse_number<std::int64_t>(phrases.first("max").value_or(""));
        // Engines exist that leave the limits out.
        option.minimum = low ? *low : std::numeric_limits<std::int64_t>::min();
        option.maximum = high ? *high : std::numeric_limits<std::int64_t>::max();
    }
    return option;
}

Result<std::pair<std::string, std::string>> parse_setoption(std::string_view text) {
    const Words words = base::split_words(text);
    if (words.empty() || words[0] != "name" || words.size() < 2 || words[1] == "value")
        return Error{Error::Code::syntax, "expected `setoption name NAME value VALUE`"};
    const auto value = std::find(words.begin(), words.end(), "value");
    std::string name;
    for (auto word = words.begin() + 1; word != value; ++word)
        name.append(name.empty() ? "" : " ").append(*word);
    std::string rest;
    // The value keeps its inner spaces: it may be a path.
    if (value != words.end())
        rest = base::trim(text.substr(static_cast<std::size_t>(value->data() + value->size() - text.data())));
    return std::pair(std::move(name), std::move(rest));
}

}  // namespace tsumugi::protocol
