// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/quiescence/problem.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/file.hpp"
#include "base/text.hpp"
#include "record/sfen.hpp"
#include "search/searcher.hpp"

namespace tsumugi::experiment::quiescence {
namespace {

using base::Error;
using base::Result;

constexpr std::size_t table_kibibytes = 16 * 1024;

Result<Problem> parse_problem(std::string_view line) {
    const std::vector<std::string_view> columns = base::split(line, '\t');
    if (columns.size() < 3)
        return Error{Error::Code::syntax, "expected a name, an SFEN and a move, with tabs between them"};
    const auto setup = record::parse_sfen(columns[1]);
    if (!setup) return setup.error();
    auto position = shogi::Position::from(*setup);
    if (!position) return position.error();
    const auto answer = record::parse_usi_move(columns[2]);
    if (!answer) return answer.error();
    if (!position->is_legal(*answer))
        return Error{Error::Code::range, fmt::format("the answer {} is no legal move", columns[2])};
    return Problem{*std::move(position), *answer};
}

}  // namespace

Result<ProblemSet> read_problems(const std::filesystem::path& path) {
    const auto content = base::read_file(path);
    if (!content) return content.error();
    ProblemSet set{path.stem().string(), {}};
    const std::vector<std::string_view> lines = base::split_lines(*content);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() || lines[i].front() == '#') continue;
        auto problem = parse_problem(lines[i]);
        if (!problem) return problem.error().in(fmt::format("{}:{}", path.string(), i + 1));
        set.problems.push_back(*std::move(problem));
    }
    if (set.problems.empty()) return Error{Error::Code::range, path.string() + " has no problems"};
    return set;
}

Result<ProblemScores> study_problems(const ProblemStudy& study, std::span<const ProblemSet> sets,
                                     base::Progress& progress, const std::stop_token& stop) {
    search::Searcher searcher;
    searcher.set_evaluator(study.evaluator);
    think::SilentObserver silence;
    ProblemScores scores;
    for (const think::Limits& limits : study.limits) {
        auto& here = scores.emplace_back();
        for (const search::QuiescencePolicy policy : study.policies) {
            search::Settings settings;
            settings.table.kibibytes = table_kibibytes;
            settings.quiescence = policy;
            searcher.configure(settings);
            std::vector<ProblemScore>& row = here.emplace_back(sets.size());
            for (std::size_t i = 0; i < sets.size(); ++i)
                for (const Problem& problem : sets[i].problems) {
                    if (stop.stop_requested()) return Error{Error::Code::limit, "interrupted"};
                    searcher.clear();
                    const search::Outcome outcome = searcher.search(problem.position, limits, silence, {});
                    row[i].solved += outcome.best == problem.answer ? 1U : 0U;
                    row[i].nodes += outcome.nodes;
                    progress.add();
                }
        }
    }
    return scores;
}

}  // namespace tsumugi::experiment::quiescence
