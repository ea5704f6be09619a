// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/ending.hpp"
#include "record/text/line.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::record {

// A board diagram as KIF, KI2 and .bod files draw it, read line by line because its parts stand among the
// headers of a record:
//   後手の持駒：飛二　歩三
//     ９ ８ ７ ６ ５ ４ ３ ２ １
//   +---------------------------+
//   | ・ ・ ・ ・v玉 ・ ・ ・ ・|一      ('v' marks White's pieces)
//   …
//   先手の持駒：なし
//   手数＝12  △８四歩  まで
//   後手番
class DiagramReader {
public:
    // Takes the line if it is part of a diagram; false if it is something else.
    base::Result<bool> read(const text::Line& line);

    [[nodiscard]] bool has_board() const { return ranks_ > 0; }
    [[nodiscard]] bool names_side() const { return side_to_move_.has_value(); }
    // The destination of the move named after 手数＝, which 同 may refer to.
    [[nodiscard]] std::optional<shogi::Square> last_destination() const { return last_destination_; }

    // What was drawn, laid over a start that supplies what was not: the board, the side to move.
    base::Result<shogi::Setup> apply_to(shogi::Setup start) const;

private:
    base::Result<void> read_rank(const text::Line& line);
    base::Result<void> read_hand(shogi::Color color, text::Cursor& cursor);
    base::Result<void> read_move_count(text::Cursor& cursor);

    std::array<shogi::Piece, shogi::Square::count> board_{};
    int ranks_ = 0;
    std::array<std::optional<shogi::Hand>, 2> hands_;
    std::optional<shogi::Color> side_to_move_;
    std::optional<int> moves_played_;
    std::optional<shogi::Square> last_destination_;
};

// A text that holds a diagram and nothing else of interest. A missing side to move is Black.
base::Result<shogi::Setup> parse_bod(std::string_view text);

std::string to_bod(const shogi::Setup& setup, const PlayerNames& names = {});

}  // namespace tsumugi::record
