// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/hcpe3.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "record/little_endian.hpp"
#include "record/sfen.hpp"
#include "shogi/position.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;

constexpr std::size_t head_size = 36;
constexpr std::size_t move_size = 6;
constexpr std::size_t candidate_size = 4;

constexpr std::uint8_t winner_bits = 3;
constexpr std::uint8_t repetition_bit = 4;
constexpr std::uint8_t declaration_bit = 8;
// dlshogi adds 0x16 here, which spills over into the other fields; this bit alone tells such games from all others.
constexpr std::uint8_t max_moves_bit = 16;

std::uint8_t result_byte(const ArchivedGame& game) {
    int byte = static_cast<int>(game.result);
    switch (game.end) {
        case ArchivedEnd::repetition:
        case ArchivedEnd::perpetual_check: byte |= repetition_bit; break;
        case ArchivedEnd::declaration: byte |= declaration_bit; break;
        case ArchivedEnd::max_moves: byte |= max_moves_bit; break;
        case ArchivedEnd::other:
        case ArchivedEnd::mate:
        case ArchivedEnd::adjudicated: break;
    }
    return static_cast<std::uint8_t>(byte);
}

Result<void> set_result(std::uint8_t byte, ArchivedGame& game) {
    if ((byte & max_moves_bit) != 0) {
        game.result = HcpeResult::draw;
        game.end = ArchivedEnd::max_moves;
        return {};
    }
    if ((byte & winner_bits) > static_cast<std::uint8_t>(HcpeResult::white_win))
        return Error{Error::Code::range, fmt::format("{:#04x} is no result of a game", int{byte})};
    game.result = static_cast<HcpeResult>(byte & winner_bits);
    game.end = ArchivedEnd::other;
    if ((byte & declaration_bit) != 0)
        game.end = ArchivedEnd::declaration;
    else if ((byte & repetition_bit) != 0)
        game.end = game.result == HcpeResult::draw ? ArchivedEnd::repetition : ArchivedEnd::perpetual_check;
    return {};
}

void append_u16(std::string& out, std::uint16_t value) {
    std::array<std::uint8_t, 2> bytes{};
    put_u16(bytes, value);
    out.append(bytes.begin(), bytes.end());
}

Error ends_early() { return Error{Error::Code::syntax, "the file ends in the middle of a game"}; }

}  // namespace

Result<void> append_hcpe3(const ArchivedGame& game, std::string& out) {
    const auto start = to_hcp(game.start);
    if (!start) return start.error();
    if (game.plies.size() > std::numeric_limits<std::uint16_t>::max())
        return Error{Error::Code::limit, fmt::format("hcpe3 cannot hold a game of {} moves", game.plies.size())};
    out.append(start->bytes.begin(), start->bytes.end());
    append_u16(out, static_cast<std::uint16_t>(game.plies.size()));
    out.push_back(static_cast<char>(result_byte(game)));
    out.push_back(0);
    for (const ArchivedPly& ply : game.plies) {
        const std::uint16_t move = to_apery_move(ply.move);
        append_u16(out, move);
        append_u16(out, ply.has_score() ? static_cast<std::uint16_t>(ply.score) : std::uint16_t{0});
        append_u16(out, ply.has_score() ? 1 : 0);
        if (!ply.has_score()) continue;
        append_u16(out, move);
        append_u16(out, 1);
    }
    return {};
}

Result<std::size_t> read_hcpe3(std::span<const std::uint8_t> bytes, ArchivedGame& game) {
    if (bytes.size() < head_size) return ends_early();
    Hcp start;
    std::copy_n(bytes.begin(), start.bytes.size(), start.bytes.begin());
    const auto setup = from_hcp(start);
    if (!setup) return setup.error();
    game.start = *setup;
    auto position = shogi::Position::from(game.start);
    if (!position) return position.error();
    if (const auto result = set_result(bytes[34], game); !result) return result.error();

    const std::size_t count = get_u16(bytes.subspan(32).first<2>());
    std::size_t at = head_size;
    game.plies.clear();
    for (std::size_t i = 0; i < count; ++i) {
        if (bytes.size() - at < move_size) return ends_early();
        const auto move = from_apery_move(get_u16(bytes.subspan(at).first<2>()));
        if (!move) return move.error().in(fmt::format("move {}", i + 1));
        if (!position->is_legal(*move))
            return Error{Error::Code::range, fmt::format("move {} ({}) is not legal", i + 1, to_usi(*move))};
        const auto score = static_cast<std::int16_t>(get_u16(bytes.subspan(at + 2).first<2>()));
        const std::size_t candidates = get_u16(bytes.subspan(at + 4).first<2>());
        at += move_size;
        if ((bytes.size() - at) / candidate_size < candidates) return ends_early();
        at += candidates * candidate_size;
        ArchivedPly ply{*move};
        if (candidates > 0)
            ply.score = std::clamp<std::int16_t>(score, -ArchivedPly::mate_score, ArchivedPly::mate_score);
        game.plies.push_back(ply);
        position->do_move(*move);
    }
    return at;
}

}  // namespace tsumugi::record
