// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mate_problem.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/text.hpp"
#include "record/bod.hpp"
#include "record/format.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

MateProblem problem_of(std::string name, const record::Game& game, bool at_end) {
    shogi::Setup setup = game.start;
    if (at_end)
        for (const shogi::Move move : game.main_moves())
            record::apply(setup, move);
    return {std::move(name), shogi::Position::from(setup)};
}

std::vector<MateProblem> problems_by_line(std::string_view text, const std::string& file) {
    std::vector<MateProblem> problems;
    int number = 0;
    for (const std::string_view line : base::split_lines(text)) {
        ++number;
        if (base::trim(line).empty() || line.front() == '#') continue;
        const auto cells = base::split(line, '\t');
        const bool named = cells.size() > 1;
        const std::string place = fmt::format("{}:{}", file, number);
        problems.push_back(problem_from(named ? std::string(cells[0]) : place, std::string(cells[named ? 1 : 0])));
    }
    return problems;
}

}  // namespace

MateProblem problem_from(std::string name, const std::string& sfen) {
    std::string_view text = base::trim(sfen);
    for (const std::string_view prefix : {"position ", "sfen "})
        if (text.substr(0, prefix.size()) == prefix) text.remove_prefix(prefix.size());
    const auto setup = record::parse_sfen(text);
    if (!setup) return {std::move(name), setup.error()};
    return {std::move(name), shogi::Position::from(*setup)};
}

base::Result<std::vector<MateProblem>> read_problems(const std::filesystem::path& file) {
    const auto bytes = base::read_file(file);
    if (!bytes) return bytes.error();
    const std::string name = file.filename().string();
    const auto extension = base::to_lower(file.extension().string());
    if (extension == ".tsv" || extension == ".sfen" || extension == ".txt") return problems_by_line(*bytes, name);
    std::vector<MateProblem> problems;
    if (extension == ".bod") {
        const auto setup = record::parse_bod(*bytes);
        if (!setup) return setup.error().in(name);
        problems.push_back({name, shogi::Position::from(*setup)});
        return problems;
    }
    const record::GameFile games = record::read_games(*bytes, record::format_of_name(file));
    if (!games.problems.empty())
        return base::Error{base::Error::Code::syntax, games.problems.front().text(file.string())};
    const bool at_end = games.format == record::Format::usi || games.format == record::Format::usen;
    for (std::size_t i = 0; i < games.games.size(); ++i)
        problems.push_back(
            problem_of(games.games.size() == 1 ? name : fmt::format("{}:{}", name, i + 1), games.games[i], at_end));
    return problems;
}

}  // namespace tsumugi::app
