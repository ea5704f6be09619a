// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/book_json.hpp"

#include "record/sfen.hpp"

namespace tsumugi::fleet {

using nlohmann::json;

json stored_move_to_json(const book::StoredMove& move) {
    json value{{"move", record::to_usi(move.move)}};
    if (!move.reply.is_none()) value["reply"] = record::to_usi(move.reply);
    if (move.value) value["value"] = *move.value;
    if (move.depth) value["depth"] = *move.depth;
    return value;
}

// The move of a position, and a reply that is possible after it.
book::StoredMove stored_move_from(const json& value, const shogi::Position& position) {
    book::StoredMove move;
    move.move = value_or_throw(record::parse_usi_move(value.at("move").get<std::string>()));
    if (!position.is_legal(move.move)) throw std::invalid_argument("an illegal move");
    if (const auto found = value.find("reply"); found != value.end()) {
        move.reply = value_or_throw(record::parse_usi_move(found->get<std::string>()));
        shogi::Position next = position;
        next.do_move(move.move);
        if (!next.is_legal(move.reply)) throw std::invalid_argument("an illegal reply");
    }
    if (const auto found = value.find("value"); found != value.end()) move.value = found->get<int>();
    if (const auto found = value.find("depth"); found != value.end()) move.depth = found->get<int>();
    return move;
}

}  // namespace tsumugi::fleet
