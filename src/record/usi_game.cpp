// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/usi_game.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "record/sfen.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;

Error at_column(std::string_view line, std::string_view word, Error error) {
    return error.in(fmt::format("column {}", word.data() - line.data() + 1));
}

}  // namespace

Result<Game> parse_usi_game(std::string_view line) {
    const auto words = base::split_words(line);
    std::size_t at = 0;
    if (at < words.size() && words[at] == "position") ++at;
    if (at == words.size()) return Error{Error::Code::syntax, "column 1: expected 'startpos' or 'sfen'"};
    Game game;
    if (words[at] == "sfen") {
        const std::size_t first = ++at;
        while (at < words.size() && words[at] != "moves")
            ++at;
        if (at == first)
            return Error{Error::Code::syntax, fmt::format("column {}: nothing follows 'sfen'", line.size() + 1)};
        const char* const end = words[at - 1].data() + words[at - 1].size();
        const std::string_view sfen(words[first].data(), static_cast<std::size_t>(end - words[first].data()));
        auto start = parse_sfen(sfen);
        if (!start) return at_column(line, sfen, start.error());
        game.start = *start;
    } else if (words[at] == "startpos") {
        ++at;
    } else {
        return at_column(line, words[at],
                         {Error::Code::syntax,
                          fmt::format("expected 'startpos' or 'sfen', got '{}'", base::shorten(words[at], 20))});
    }
    if (at == words.size()) return game;
    if (words[at] != "moves")
        return at_column(
            line, words[at],
            {Error::Code::syntax, fmt::format("expected 'moves', got '{}'", base::shorten(words[at], 20))});
    std::size_t last = Game::root();
    for (++at; at < words.size(); ++at) {
        const auto move = parse_usi_move(words[at]);
        if (!move) return at_column(line, words[at], move.error());
        Node node;
        node.move = *move;
        last = game.add(last, std::move(node));
    }
    return game;
}

std::string to_usi_game(const Game& game) {
    const std::string sfen = to_sfen(game.start);
    std::string text = sfen == even_sfen ? "startpos" : "sfen " + sfen;
    const auto moves = game.main_moves();
    if (!moves.empty()) text += " moves";
    for (const shogi::Move move : moves)
        text += ' ' + to_usi(move);
    return text;
}

}  // namespace tsumugi::record
