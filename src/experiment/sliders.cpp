// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/sliders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "base/isa.hpp"
#include "eval/net.hpp"
#include "experiment/output.hpp"
#include "experiment/sliders/finder_study.hpp"
#include "experiment/sliders/speed_study.hpp"
#include "record/sfen.hpp"
#include "report/table.hpp"
#include "shogi/position.hpp"
#include "shogi/slider/magic_file.hpp"
#include "shogi/slider/magic_simple.hpp"
#include "shogi/slider/magic_turned_file.hpp"
#include "shogi/slider/rotated.hpp"

namespace tsumugi::experiment {
namespace {

using report::Cell;
using report::Table;
using namespace sliders;

Cell tries_cell(double tries, std::uint64_t limit) {
    if (tries > static_cast<double>(limit)) return fmt::format("> {}", limit);
    return Cell(tries, 0);
}

NamedTable tries_table(const std::vector<FinderCell>& cells, std::uint64_t limit) {
    Table table(
        {"layout", "piece", "random words", "runs", "found", "lower quartile", "median", "upper quartile", "paper"});
    for (const FinderCell& cell : cells)
        table.add({name(cell.layout), cell.piece, cell.ands, cell.runs, cell.found, tries_cell(cell.tries.low, limit),
                   tries_cell(cell.tries.median, limit), tries_cell(cell.tries.high, limit),
                   tries_cell(cell.published, 1'000'000)});
    return {"tries", "Candidates tried until a pair of magics works", std::move(table)};
}

NamedTable totals_table(const std::vector<FinderTotal>& totals) {
    Table table({"layout", "lines", "squares", "as recorded", "tries", "seconds"});
    for (const FinderTotal& total : totals)
        table.add({name(total.layout), name(total.movement), shogi::Square::count, total.as_recorded, total.tries,
                   Cell(total.seconds, 2)});
    return {"totals", "Magics for all squares, three random words", std::move(table)};
}

NamedTable attacks_table(const std::vector<MethodSpeed>& methods) {
    Table table({"method", "table bytes", "board bytes", "bishop, random", "rook, random", "lance, random",
                 "bishop, games", "rook, games", "lance, games", "toggle"});
    const auto cell = [](const Speed& speed) { return Cell(speed.rate.median, 0); };
    for (const MethodSpeed& m : methods)
        table.add({m.method, m.table_bytes, m.state_bytes, cell(m.random_bishop), cell(m.random_rook),
                   cell(m.random_lance), cell(m.game_bishop), cell(m.game_rook), cell(m.game_lance), cell(m.toggle)});
    return {"attacks", "Millions of attacks (or changes of a square) a second, median", std::move(table)};
}

// Nodes a second of Bonanza relative to rotated bitboards: from the start position, over 216 problems (tables 6 and 7
// of the paper on magic bitboards in shogi).
struct Published {
    const char* method;
    double even;
    double problems;
};
constexpr std::array<Published, 4> published = {{
    {shogi::slider::Rotated::name, 100, 100},
    {shogi::slider::MagicSimple::name, 92.89, 87.49},
    {shogi::slider::MagicFile::name, 94.27, 92.81},
    {shogi::slider::MagicTurnedFile::name, 97.37, 96.56},
}};

// Two races beside the published shares.
Table race_table(const std::vector<MethodSpeed>& methods, Speed MethodSpeed::*even_speed,
                 Speed MethodSpeed::*game_speed, int digits) {
    Table table({"method", "start, M/s", "start, % of rotated", "quartiles (start)", "paper, start", "games, M/s",
                 "games, % of rotated", "quartiles (games)", "paper, problems"});
    const auto range = [](const Quartiles& share) {
        return fmt::format("{:.1f} - {:.1f}", 100 * share.low, 100 * share.high);
    };
    for (const MethodSpeed& m : methods) {
        Cell even;
        Cell problems;
        for (const Published& p : published)
            if (m.method == p.method) {
                even = Cell(p.even, 1);
                problems = Cell(p.problems, 1);
            }
        const Speed& start = m.*even_speed;
        const Speed& games = m.*game_speed;
        table.add({m.method, Cell(start.rate.median, digits), Cell(100 * start.share.median, 1), range(start.share),
                   even, Cell(games.rate.median, digits), Cell(100 * games.share.median, 1), range(games.share),
                   problems});
    }
    return table;
}

NamedTable perft_table(const std::vector<MethodSpeed>& methods) {
    return {"perft", "Perft: millions of leaves a second, with the moves at the last ply generated but not played",
            race_table(methods, &MethodSpeed::even_perft, &MethodSpeed::game_perft, 1)};
}

NamedTable engine_table(const std::vector<MethodSpeed>& methods) {
    return {"engine", "The whole engine: millions of nodes a second, one thread",
            race_table(methods, &MethodSpeed::even_engine, &MethodSpeed::game_engine, 3)};
}

base::Result<std::vector<shogi::Setup>> read_positions(const std::filesystem::path& path, std::size_t count) {
    std::ifstream file(path);
    if (!file)
        return base::Error{base::Error::Code::io, fmt::format("cannot open the file of positions '{}'", path.string())};
    std::vector<shogi::Setup> setups;
    std::string line;
    for (int number = 1; setups.size() < count && std::getline(file, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        const auto place = fmt::format("{}:{}", path.string(), number);
        const auto setup = record::parse_sfen(std::string_view(line).substr(0, line.find('\t')));
        if (!setup) return setup.error().in(place);
        if (const auto position = shogi::Position::from(*setup); !position) return position.error().in(place);
        setups.push_back(*setup);
    }
    if (setups.empty())
        return base::Error{base::Error::Code::range,
                           fmt::format("no position in '{}'; one SFEN a line is expected", path.string())};
    return setups;
}

}  // namespace

base::Result<void> run_sliders(const SlidersOptions& options, std::ostream& out) {
    if (options.finder_runs < 1 || options.rounds < 1 || options.game_count < 1 || options.even_depth < 1 ||
        options.game_depth < 1 || options.problem_count < 1 || options.engine_rounds < 0)
        return base::Error{base::Error::Code::range, "runs, rounds, positions and depths must be at least 1"};
    const auto count = static_cast<std::size_t>(std::max(options.game_count, options.problem_count));
    std::vector<shogi::Setup> problems;
    if (options.positions.empty()) {
        problems = random_game_positions(options.seed, count);
    } else {
        auto read = read_positions(options.positions, count);
        if (!read) return read.error();
        problems = std::move(*read);
    }
    const std::span all(problems);
    const auto first = [&](int wanted) { return all.first(std::min(all.size(), static_cast<std::size_t>(wanted))); };
    const auto evaluator = eval::choose_evaluator(options.net);
    if (!evaluator) return evaluator.error();
    const int engine_rounds = options.engine_rounds == 0 ? 0 : engine_races * (options.engine_rounds + 1);

    std::vector<NamedTable> tables;
    {
        base::Progress progress(
            "sliders", static_cast<std::uint64_t>(finder_cells + finder_totals + speed_races * (options.rounds + 1) +
                                                  engine_rounds));
        tables.push_back(tries_table(study_finder(options.seed, options.finder_runs, options.finder_limit, progress),
                                     options.finder_limit));
        tables.push_back(totals_table(find_all_magics(progress)));
        const auto methods = study_speed({.seed = options.seed,
                                          .rounds = options.rounds,
                                          .even_depth = options.even_depth,
                                          .game_depth = options.game_depth,
                                          .engine_rounds = options.engine_rounds,
                                          .engine_nodes = options.engine_nodes,
                                          .evaluator = *evaluator},
                                         first(options.game_count), first(options.problem_count), progress);
        if (!methods) return methods.error();
        tables.push_back(attacks_table(*methods));
        tables.push_back(perft_table(*methods));
        if (options.engine_rounds > 0) tables.push_back(engine_table(*methods));
    }
    print(out, tables);
    if (options.output.empty()) return {};
    return write_output(options.output, "sliders",
                        {{"instruction set", base::isa::name},
                         {"seed", options.seed},
                         {"rounds", options.rounds},
                         {"finder runs", options.finder_runs}},
                        tables);
}

}  // namespace tsumugi::experiment
