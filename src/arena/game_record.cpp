// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/game_record.hpp"

#include <array>

#include <fmt/format.h>

#include "base/atomic_file.hpp"

namespace tsumugi::arena {
namespace {

using base::Result;
using shogi::Color;

// Scores of mates in a scale of centipawns, as the comments of CSA records want a number.
constexpr int mate_in_centipawns = 30000;

int for_black(const think::Score& score, Color mover) {
    const int value = score.kind == think::Score::Kind::centipawns ? score.value
                      : score.value > 0                            ? mate_in_centipawns
                                                                   : -mate_in_centipawns;
    return mover == Color::black ? value : -value;
}

// CSA viewers draw a graph from lines "'** SCORE", of which the writer adds the first two characters; elsewhere
// the words are those that ShogiHome reads.
std::string comment(const PlayedMove& move, Color mover, record::Format format) {
    if (!move.score) return "";
    const int score = for_black(*move.score, mover);
    if (format == record::Format::csa) return fmt::format("* {}", score);
    return fmt::format("#評価値={}\n#深さ={}\n#ノード数={}", score, move.depth, move.nodes);
}

}  // namespace

std::string file_name_part(std::string_view text) {
    std::string part;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                           c == '_' || c == '+';
        part += plain ? c : '_';
    }
    return part.empty() || part.front() == '.' ? "_" + part : part;
}

record::Game to_record(const PlayedGame& played, const GameLabels& labels, record::Format format) {
    record::Game game;
    game.start = played.opening.start;
    game.set_header("終了日時", labels.ended);
    game.set_header("先手", labels.black);
    game.set_header("後手", labels.white);
    std::size_t at = record::Game::root();
    for (const shogi::Move move : played.opening.moves) {
        record::Node node;
        node.move = move;
        at = game.add(at, std::move(node));
    }
    Color mover = played.opening.moves.size() % 2 == 0 ? game.start.side_to_move : ~game.start.side_to_move;
    std::array<std::chrono::milliseconds, 2> totals{};
    for (const PlayedMove& move : played.moves) {
        record::Node node;
        node.move = move.move;
        node.time = std::chrono::duration_cast<std::chrono::milliseconds>(move.time);
        node.total = totals[shogi::index(mover)] += *node.time;
        node.comment = comment(move, mover, format);
        at = game.add(at, std::move(node));
        mover = ~mover;
    }
    record::Node end;
    end.ending = to_ending(played.verdict, mover);
    end.comment = fmt::format("{}{}{}", name(played.verdict.reason), played.verdict.detail.empty() ? "" : ": ",
                              played.verdict.detail);
    game.add(at, std::move(end));
    return game;
}

Result<void> write_record(const PlayedGame& game, const GameLabels& labels, record::Format format,
                          const std::filesystem::path& folder, std::uint64_t number) {
    // The name .kif promises Shift_JIS, in which a player's name may not be writable; .kifu is UTF-8.
    const std::string_view extension = format == record::Format::kif ? "kifu" : record::name(format);
    const auto file = folder / fmt::format("{:06}-{}-{}.{}", number + 1, file_name_part(labels.black),
                                           file_name_part(labels.white), extension);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return {};
    std::filesystem::create_directories(folder, ignored);
    const auto bytes = record::write_game(to_record(game, labels, format), format);
    if (!bytes) return bytes.error().in(file.string());
    return base::write_file(file, *bytes);
}

}  // namespace tsumugi::arena
