// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/text/line.hpp"
#include "shogi/move.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::record {

// Which of several pieces moved, as Japanese notation says it: by where the piece came from seen by its owner …
enum class Side { unstated, left, straight, right };
// … and by the direction in which it went.
enum class Motion { unstated, up, sideways, down };

// A move as it is written down in Japanese: ７六歩, 同　銀右上成, １三銀打, ２二角成(88).
struct WrittenMove {
    std::optional<shogi::Square> to;  // nothing for 同, the square of the move before
    shogi::Kind kind = shogi::Kind::none;
    Side side = Side::unstated;
    Motion motion = Motion::unstated;
    bool promotes = false;
    bool drops = false;
    std::optional<shogi::Square> from;  // (77), always there in KIF except for drops
};

// 歩, 成香, 龍 …; the single-character forms 杏 圭 全 are those of board diagrams.
std::string_view kind_name(shogi::Kind kind);
std::string_view diagram_name(shogi::Kind kind);
// Any of the names and variants (王 竜 …) at the cursor; Kind::none and no step if there is none.
shogi::Kind accept_kind(text::Cursor& cursor);

// 一 to 九; nothing for 0.
std::string_view kanji_digit(int digit);

// ７六.
std::string square_name(shogi::Square square);
std::optional<shogi::Square> accept_square(text::Cursor& cursor);

// ▲ or △ and their variants.
std::string_view color_mark(shogi::Color color);
std::optional<shogi::Color> accept_color_mark(text::Cursor& cursor);

// Reads a written move without its ▲ or △.
base::Result<WrittenMove> read_move(text::Cursor& cursor);

// The move that is meant in a position. Candidates are found by how pieces move, not by what is legal, so that
// records of illegal moves can be read; legality only decides between candidates that the text does not tell
// apart. `previous` is the destination of the move before, for 同.
base::Result<shogi::Move> resolve(const shogi::Setup& setup, const WrittenMove& written,
                                  std::optional<shogi::Square> previous);

// The shortest text that resolve() reads as this move and no other: ７六歩, 同　銀, ５八金右. A move no piece of its
// kind could make gets its origin in brackets, as in KIF, because nothing else would name it.
std::string to_japanese(const shogi::Setup& setup, shogi::Move move, std::optional<shogi::Square> previous);

// The same move in KIF's way: ７六歩(77), 同　香成(13), １三銀打.
std::string to_kif_move(const shogi::Setup& setup, shogi::Move move, std::optional<shogi::Square> previous);

}  // namespace tsumugi::record
