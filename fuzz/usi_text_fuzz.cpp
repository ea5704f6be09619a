// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "protocol/usi_text.hpp"

// Whatever a GUI or an engine writes is understood or refused, and what was understood survives being said again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const std::string_view text = fuzz::text_of(data, size);
    shogi::Position position = shogi::Position::even();
    if (auto parsed = protocol::parse_position(text)) {
        position = *std::move(parsed);
        const std::string said = protocol::to_position_command(position);
        const auto again =
            protocol::parse_position(std::string_view(said).substr(std::string_view("position ").size()));
        fuzz::require(again.ok() && again->setup() == position.setup(), "a position survives being said");
    }
    (void)protocol::parse_go(text, position);
    (void)protocol::parse_clock(text);
    (void)protocol::parse_setoption(text);
    fuzz::require(protocol::quote(text).find('\n') == std::string::npos, "a quotation is one line");
    if (const auto line = protocol::parse_info(text, position)) {
        shogi::Position p = position;
        for (const shogi::Move move : line->moves) {
            fuzz::require(p.is_legal(move), "a line of thought can be played");
            p.do_move(move);
        }
        fuzz::require(
            protocol::parse_info(protocol::to_info_line(*line, position), position).has_value() || line->moves.empty(),
            "a line of thought survives being said");
    }
    if (const auto answer = protocol::parse_bestmove(text, position);
        answer && answer->kind == think::Answer::Kind::move)
        fuzz::require(position.is_legal(answer->move), "an accepted answer is legal");
    if (const auto option = protocol::parse_option(text)) (void)protocol::to_option_line(*option);
    return 0;
}
