// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/opening.hpp"

#include <cassert>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/random.hpp"
#include "book/file.hpp"
#include "book/line.hpp"
#include "record/format.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::arena {

using base::Error;
using base::Result;

shogi::Position Opening::position() const {
    shogi::Position position = *shogi::Position::from(start);
    for (const shogi::Move move : moves)
        position.do_move(move);
    return position;
}

std::string Opening::text() const {
    std::string text = start == shogi::Setup::even() ? "startpos" : "sfen " + record::to_sfen(start);
    if (!moves.empty()) text += " moves";
    for (const shogi::Move move : moves)
        text.append(" ").append(record::to_usi(move));
    return text;
}

namespace {

Result<Opening> to_opening(const record::Game& game, std::size_t plies) {
    Opening opening;
    opening.start = game.start;
    auto position = shogi::Position::from(game.start);
    if (!position) return position.error();
    for (const shogi::Move move : game.main_moves()) {
        if (opening.moves.size() == plies) break;
        if (!position->is_legal(move))
            return Error{Error::Code::range,
                         fmt::format("move {} ({}) is not legal", opening.moves.size() + 1, record::to_usi(move))};
        position->do_move(move);
        opening.moves.push_back(move);
    }
    if (!shogi::has_legal_move(*position)) return Error{Error::Code::range, "the game is over where it would begin"};
    return opening;
}

Result<std::vector<Opening>> book_openings(const std::filesystem::path& file, std::size_t plies) {
    const auto book = book::open_book(file);
    if (!book) return book.error();
    auto lines = book::lines(**book, {.plies = plies, .value_limit = {}, .value_diff = {}});
    if (!lines) return lines.error();
    std::vector<Opening> openings;
    for (book::Moves& line : *lines) {
        Opening opening;
        opening.moves = std::move(line);
        if (shogi::has_legal_move(opening.position())) openings.push_back(std::move(opening));
    }
    if (openings.empty())
        return Error{Error::Code::range, fmt::format("{}: the book has no line from the even game", file.string())};
    return openings;
}

}  // namespace

OpeningSuite::OpeningSuite(std::vector<Opening> openings) : openings_(std::move(openings)) {
    assert(!openings_.empty());
}

Result<OpeningSuite> OpeningSuite::parse(std::string_view text, std::size_t plies) {
    const record::GameFile file = record::read_games(text);
    if (!file.problems.empty())
        return Error{Error::Code::syntax,
                     fmt::format("line {}: {}", file.problems.front().line, file.problems.front().message)};
    if (file.games.empty()) return Error{Error::Code::syntax, "no openings found"};
    std::vector<Opening> openings;
    for (std::size_t i = 0; i < file.games.size(); ++i) {
        auto opening = to_opening(file.games[i], plies);
        if (!opening) return opening.error().in(fmt::format("line {}", file.lines[i]));
        openings.push_back(*std::move(opening));
    }
    return OpeningSuite(std::move(openings));
}

Result<OpeningSuite> OpeningSuite::load(const std::filesystem::path& file, std::size_t plies) {
    if (book::format_of_name(file)) {
        auto openings = book_openings(file, plies);
        if (!openings) return openings.error();
        return OpeningSuite(*std::move(openings));
    }
    const auto text = base::read_file(file);
    if (!text) return text.error();
    auto suite = parse(*text, plies);
    if (!suite) return suite.error().in(file.string());
    return suite;
}

void OpeningSuite::shuffle(std::uint64_t seed) { base::Random(seed).shuffle(std::span(openings_)); }

}  // namespace tsumugi::arena
