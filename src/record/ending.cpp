// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/ending.hpp"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

namespace tsumugi::record {
namespace {

using shogi::Color;

struct Word {
    std::string_view word;
    Ending ending;
};

// The first word for an ending is the one written; the others are only read.
constexpr std::array<Word, 31> ending_words{{
    {"投了", Ending::resign},
    {"中断", Ending::interrupted},
    {"千日手", Ending::repetition},
    {"連続王手の千日手", Ending::perpetual_check},
    {"連続王手", Ending::perpetual_check},
    {"入玉勝ち", Ending::declaration_win},
    {"入玉宣言勝ち", Ending::declaration_win},
    {"宣言勝ち", Ending::declaration_win},
    {"勝ち宣言", Ending::declaration_win},
    {"持将棋", Ending::impasse},
    {"引き分け", Ending::draw},
    {"引分け", Ending::draw},
    {"引分", Ending::draw},
    {"最大手数", Ending::max_moves},
    {"切れ負け", Ending::time_up},
    {"時間切れ負け", Ending::time_up},
    {"時間切れ", Ending::time_up},
    {"反則負け", Ending::illegal_move},
    {"反則勝ち", Ending::opponent_illegal},
    {"詰み", Ending::mate},
    {"詰", Ending::mate},
    {"不詰", Ending::no_mate},
    {"不詰み", Ending::no_mate},
    {"不戦勝", Ending::default_win},
    {"不戦勝ち", Ending::default_win},
    {"不戦敗", Ending::default_loss},
    {"不戦負け", Ending::default_loss},
    {"待った", Ending::takeback},
    {"封じ手", Ending::sealed},
    {"エラー", Ending::error},
    {"入玉", Ending::declaration_win},
}};

// Phrases that decide what a closing line means wherever they stand in it. Earlier ones are the more special:
// 連続王手の千日手 contains 千日手, 不詰 contains 詰.
constexpr std::array<Word, 17> phrases{{
    {"入玉", Ending::declaration_win},
    {"宣言", Ending::declaration_win},
    {"切れ", Ending::time_up},
    {"連続王手", Ending::perpetual_check},
    {"千日手", Ending::repetition},
    {"持将棋", Ending::impasse},
    {"引き分け", Ending::draw},
    {"引分", Ending::draw},
    {"最大手数", Ending::max_moves},
    {"中断", Ending::interrupted},
    {"封じ手", Ending::sealed},
    {"不戦勝", Ending::default_win},
    {"不戦", Ending::default_loss},
    {"不詰", Ending::no_mate},
    {"詰", Ending::mate},
    {"待った", Ending::takeback},
    {"エラー", Ending::error},
}};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::optional<Color> player_in(std::string_view text) {
    if (contains(text, "先手") || contains(text, "下手")) return Color::black;
    if (contains(text, "後手") || contains(text, "上手")) return Color::white;
    return std::nullopt;
}

}  // namespace

std::string_view ending_word(Ending ending, Color to_move) {
    if (ending == Ending::illegal_by_black || ending == Ending::illegal_by_white) {
        const Color culprit = ending == Ending::illegal_by_black ? Color::black : Color::white;
        ending = culprit == to_move ? Ending::illegal_move : Ending::opponent_illegal;
    }
    for (const Word& each : ending_words)
        if (each.ending == ending) return each.word;
    std::abort();  // unreachable: the table has a word for every ending
}

std::optional<Ending> find_ending(std::string_view word) {
    for (const Word& each : ending_words)
        if (each.word == word) return each.ending;
    return std::nullopt;
}

std::string closing_line(Ending ending, std::size_t moves, Color to_move, const PlayerNames& names) {
    const auto line = [&](std::string_view result) { return fmt::format("まで{}手で{}", moves, result); };
    switch (ending) {
        case Ending::resign: return line(fmt::format("{}の勝ち", names.of(~to_move)));
        case Ending::time_up: return line(fmt::format("時間切れにより{}の勝ち", names.of(~to_move)));
        case Ending::declaration_win:
        case Ending::illegal_move:
        case Ending::illegal_by_black:
        case Ending::illegal_by_white:
        case Ending::opponent_illegal:
            return line(fmt::format("{}の{}", names.of(to_move), ending_word(ending, to_move)));
        case Ending::mate: return fmt::format("まで{}手詰", moves);
        case Ending::interrupted:
        case Ending::repetition:
        case Ending::perpetual_check:
        case Ending::impasse:
        case Ending::draw:
        case Ending::max_moves:
        case Ending::no_mate:
        case Ending::default_win:
        case Ending::default_loss:
        case Ending::takeback:
        case Ending::sealed:
        case Ending::error: return line(ending_word(ending, to_move));
    }
    std::abort();  // unreachable: the switch names every value
}

std::optional<Ending> read_closing_line(std::string_view line, Color to_move) {
    const std::size_t count_end = line.find("手");
    if (count_end == std::string_view::npos) return std::nullopt;
    const std::string_view result = line.substr(count_end + std::string_view("手").size());
    const auto player = player_in(result);
    const bool wins = contains(result, "勝");
    if (contains(result, "反則")) {
        const Color winner = player ? (wins ? *player : ~*player) : (wins ? to_move : ~to_move);
        return winner == to_move ? Ending::opponent_illegal : Ending::illegal_move;
    }
    for (const Word& each : phrases)
        if (contains(result, each.word)) return each.ending;
    if (player && wins) return *player == to_move ? Ending::declaration_win : Ending::resign;
    if (contains(result, "投了")) return Ending::resign;
    return std::nullopt;
}

std::optional<Color> winner_of(Ending ending, Color to_move) {
    switch (ending) {
        case Ending::resign:
        case Ending::time_up:
        case Ending::illegal_move:
        case Ending::mate:
        case Ending::default_loss: return ~to_move;
        case Ending::declaration_win:
        case Ending::opponent_illegal:
        case Ending::default_win: return to_move;
        case Ending::illegal_by_black: return Color::white;
        case Ending::illegal_by_white: return Color::black;
        case Ending::interrupted:
        case Ending::repetition:
        case Ending::perpetual_check:
        case Ending::impasse:
        case Ending::draw:
        case Ending::max_moves:
        case Ending::no_mate:
        case Ending::takeback:
        case Ending::sealed:
        case Ending::error: break;
    }
    return std::nullopt;
}

}  // namespace tsumugi::record
