// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/tool/check.hpp"

#include <vector>

#include <fmt/format.h>

#include "base/file.hpp"
#include "record/format.hpp"
#include "record/sfen.hpp"
#include "shogi/position.hpp"

namespace tsumugi::record::tool {
namespace {

using base::Result;

// Endings after which the move before was illegal by the record's own account.
bool admits_illegal_move(Ending ending) {
    return ending == Ending::opponent_illegal || ending == Ending::illegal_by_black ||
           ending == Ending::illegal_by_white || ending == Ending::illegal_move;
}

bool is_admitted(const Game& game, const Node& node) {
    if (node.children.empty()) return false;
    const Node& next = game.node(node.children.front());
    return next.ending && admits_illegal_move(*next.ending);
}

// Problem texts of mate problems and studies may lack a king, which is no fault of the record.
bool has_both_kings(const shogi::Setup& setup) {
    int kings = 0;
    for (const shogi::Piece piece : setup.board)
        kings += piece.kind() == shogi::Kind::king ? 1 : 0;
    return kings == 2;
}

}  // namespace

std::string find_illegality(const Game& game) {
    auto start = shogi::Position::from(game.start);
    if (!start) return has_both_kings(game.start) ? "start position: " + start.error().message : std::string();
    shogi::Position position = *start;

    // Depth first over the tree; the position follows by playing and taking back.
    struct Step {
        std::size_t node;
        std::size_t next_child;
    };
    std::vector<Step> path{{Game::root(), 0}};
    while (!path.empty()) {
        Step& step = path.back();
        const Node& node = game.node(step.node);
        if (step.next_child == node.children.size()) {
            if (step.node != Game::root()) position.undo_move();
            path.pop_back();
            continue;
        }
        const std::size_t child = node.children[step.next_child++];
        const Node& next = game.node(child);
        if (next.ending) continue;
        if (!position.is_legal(next.move)) {
            if (is_admitted(game, next)) continue;
            return fmt::format("move {} ({}) is illegal",
                               path.size() - 1 + static_cast<std::size_t>(game.start.move_number), to_usi(next.move));
        }
        position.do_move(next.move);
        path.push_back({child, 0});
    }
    return {};
}

Result<CheckReport> check(const std::vector<std::string>& inputs,
                          const std::function<void(const std::string&)>& complain,
                          const std::function<void(std::size_t)>& advance) {
    const auto files = list_files(inputs);
    if (!files) return files.error();
    CheckReport report;
    for (const InputFile& input : *files) {
        ++report.files;
        advance(files->size());
        const auto bytes = base::read_file(input.path);
        if (!bytes) {
            ++report.malformed;
            complain(bytes.error().message);
            continue;
        }
        const GameFile file = read_games(*bytes, format_of_name(input.path));
        for (const Problem& problem : file.problems)
            complain(problem.text(input.path.string()));
        report.malformed += file.problems.size();
        for (std::size_t i = 0; i < file.games.size(); ++i) {
            ++report.games;
            report.moves += file.games[i].main_moves().size();
            const std::string illegality = find_illegality(file.games[i]);
            if (illegality.empty()) continue;
            ++report.illegal;
            complain(Problem{file.lines[i], 1,
                             file.games.size() > 1 ? fmt::format("game {}: {}", i + 1, illegality) : illegality}
                         .text(input.path.string()));
        }
    }
    return report;
}

}  // namespace tsumugi::record::tool
