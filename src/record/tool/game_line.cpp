// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/tool/game_line.hpp"

#include <filesystem>
#include <utility>

#include "base/file.hpp"
#include "record/archive.hpp"
#include "record/format.hpp"
#include "record/tool/file_list.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::record::tool {
namespace {

using base::Error;
using base::Result;

GameLine legal_part(const Game& game) {
    GameLine line{game.start, {}};
    auto position = shogi::Position::from(game.start);
    if (!position) return line;
    for (const shogi::Move move : game.main_moves()) {
        if (!position->is_legal(move)) break;
        position->do_move(move);
        line.moves.push_back(move);
    }
    return line;
}

Result<void> add_archive(ArchiveReader& archive, std::vector<GameLine>& lines, std::size_t most) {
    ArchivedGame game;
    while (lines.size() < most) {
        const auto more = archive.next(game);
        if (!more) return more.error();
        if (!*more) break;
        GameLine& line = lines.emplace_back(GameLine{game.start, {}});
        for (const ArchivedPly& ply : game.plies)
            line.moves.push_back(ply.move);
    }
    return {};
}

Result<void> add_file(const std::filesystem::path& path, std::vector<GameLine>& lines, std::size_t most) {
    const auto format = format_of_name(path);
    if (!format)
        if (auto archive = ArchiveReader::open(path)) return add_archive(*archive, lines, most);
    const auto bytes = base::read_file(path);
    if (!bytes) return bytes.error();
    const GameFile content = read_games(*bytes, format);
    if (!content.format) return Error{Error::Code::unsupported, "neither an archive nor a record of games"};
    for (const Game& game : content.games) {
        if (lines.size() >= most) break;
        lines.push_back(legal_part(game));
    }
    return {};
}

}  // namespace

Result<std::vector<GameLine>> read_game_lines(const std::vector<std::string>& inputs, std::size_t most) {
    const auto files = list_files(inputs);
    if (!files) return files.error();
    std::vector<GameLine> lines;
    for (const InputFile& file : *files) {
        if (lines.size() >= most) break;
        if (const auto added = add_file(file.path, lines, most); !added) return added.error().in(file.path.string());
    }
    return lines;
}

}  // namespace tsumugi::record::tool
