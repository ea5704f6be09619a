// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analysis.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.hpp"
#include "record/notation.hpp"
#include "think/win_rate.hpp"

namespace tsumugi::app {
namespace {

// The beginnings of the lines we write.
constexpr std::array<std::string_view, 7> line_keys{
    "#判定=", "#評価値=", "#詰み=", "#読み筋=", "#深さ=", "#ノード数=", "#エンジン="};

// The last line of thought of the best move that is more than a bound.
class LastLine : public think::Observer {
public:
    void on_line(const think::Line& line) override {
        if (line.rank == 1 && line.score.bound == think::Score::Bound::exact && !line.moves.empty()) line_ = line;
    }
    void on_text(const std::string&) override {}

    [[nodiscard]] const think::Line& line() const { return line_; }

private:
    think::Line line_;
};

// Seen by Black, as graphs are drawn.
int for_black(int value, shogi::Color side) { return side == shogi::Color::black ? value : -value; }

std::string score_line(const think::Score& score, shogi::Color side) {
    const int value = for_black(score.value, side);
    if (score.kind == think::Score::Kind::centipawns) return fmt::format("#評価値={}", value);
    // A mate in no moves is one that has been given: the side to move has lost.
    const bool black_wins = score.value == 0 ? side == shogi::Color::white : value > 0;
    return fmt::format("#詰み={}:{}手", black_wins ? "先手勝ち" : "後手勝ち", std::abs(score.value));
}

std::string without_analysis(const std::string& comment) {
    std::string kept;
    for (const std::string_view line : base::split_lines(comment)) {
        const bool ours = std::any_of(line_keys.begin(), line_keys.end(),
                                      [&](std::string_view key) { return line.substr(0, key.size()) == key; });
        if (!ours) kept.append(kept.empty() ? "" : "\n").append(line);
    }
    return kept;
}

void add_line(std::string& comment, const std::string& line) {
    comment.append(comment.empty() ? "" : "\n").append(line);
}

std::optional<shogi::Square> last_destination(const shogi::Position& position) {
    const shogi::Move last = position.state().move;
    if (last.is_none()) return std::nullopt;
    return last.to();
}

}  // namespace

base::Result<std::vector<shogi::Position>> positions_of(const record::Game& game) {
    auto position = shogi::Position::from(game.start);
    if (!position) return position.error();
    std::vector<shogi::Position> positions{*position};
    for (const shogi::Move move : game.main_moves()) {
        if (!position->is_legal(move)) break;
        position->do_move(move);
        positions.push_back(*position);
    }
    return positions;
}

Finding examine(think::Player& player, const shogi::Position& position, const think::Limits& limits,
                std::stop_token stop) {
    LastLine last;
    const think::Answer answer = player.think(position, limits, last, std::move(stop));
    Finding finding{last.line().score, last.line().depth, last.line().nodes, last.line().moves};
    if (answer.kind == think::Answer::Kind::declare_win) finding.score = {think::Score::Kind::mate, 1, {}};
    if (answer.kind == think::Answer::Kind::resign && finding.line.empty())
        finding.score = {think::Score::Kind::mate, 0, {}};
    // A search cut short within its first depth has moved without showing a line.
    if (answer.kind == think::Answer::Kind::move && finding.line.empty()) {
        finding.score = answer.score;
        finding.line = {answer.move};
    }
    return finding;
}

Grade grade_of(double loss) {
    if (loss < 0.05) return Grade::good;
    if (loss < 0.10) return Grade::inaccuracy;
    if (loss < 0.20) return Grade::dubious;
    if (loss < 0.50) return Grade::mistake;
    return Grade::blunder;
}

std::string_view grade_name(Grade grade) {
    switch (grade) {
        case Grade::good: return "";
        case Grade::inaccuracy: return "緩手";
        case Grade::dubious: return "疑問手";
        case Grade::mistake: return "悪手";
        case Grade::blunder: return "大悪手";
    }
    std::abort();  // unreachable: the switch names every value
}

std::vector<Verdict> judge(const std::vector<shogi::Position>& positions, const std::vector<Finding>& findings) {
    std::vector<Verdict> verdicts;
    for (std::size_t i = 0; i + 1 < std::min(positions.size(), findings.size()); ++i) {
        Verdict verdict;
        verdict.ply = i + 1;
        verdict.mover = positions[i].side_to_move();
        verdict.played = positions[i + 1].state().move;
        verdict.best = findings[i].line.empty() ? shogi::Move::none() : findings[i].line[0];
        verdict.before = think::win_rate(findings[i].score);
        verdict.after = 1 - think::win_rate(findings[i + 1].score);
        // The engine's own choice is no mistake, even if a later look finds it worse than it seemed.
        if (verdict.played != verdict.best) verdict.grade = grade_of(verdict.loss());
        verdicts.push_back(verdict);
    }
    return verdicts;
}

std::array<PlayerSummary, 2> summarize(const std::vector<Verdict>& verdicts) {
    std::array<PlayerSummary, 2> players;
    for (const Verdict& verdict : verdicts) {
        PlayerSummary& player = players[index(verdict.mover)];
        ++player.moves;
        player.best += verdict.played == verdict.best ? 1U : 0U;
        player.total_loss += verdict.played == verdict.best ? 0 : verdict.loss();
        ++player.count[static_cast<std::size_t>(verdict.grade)];
    }
    return players;
}

std::string line_text(const shogi::Position& root, const std::vector<shogi::Move>& line) {
    shogi::Position position = root;
    std::string text;
    for (const shogi::Move move : line) {
        if (!position.is_legal(move)) break;
        text.append(record::color_mark(position.side_to_move()))
            .append(record::to_japanese(position.setup(), move, last_destination(position)));
        position.do_move(move);
    }
    return text;
}

void annotate(record::Game& game, const std::vector<shogi::Position>& positions, const std::vector<Finding>& findings,
              const std::vector<Verdict>& verdicts, const std::string& engine_name) {
    std::vector<std::size_t> nodes = game.main_line();
    nodes.insert(nodes.begin(), record::Game::root());
    for (std::size_t i = 0; i < std::min({nodes.size(), positions.size(), findings.size()}); ++i) {
        std::string& comment = game.node(nodes[i]).comment;
        comment = without_analysis(comment);
        if (i > 0 && i <= verdicts.size() && verdicts[i - 1].grade != Grade::good)
            add_line(comment, fmt::format("#判定={} 勝率{:.0f}%→{:.0f}% 最善は{}", grade_name(verdicts[i - 1].grade),
                                          100 * verdicts[i - 1].before, 100 * verdicts[i - 1].after,
                                          line_text(positions[i - 1], {verdicts[i - 1].best})));
        add_line(comment, score_line(findings[i].score, positions[i].side_to_move()));
        if (!findings[i].line.empty()) add_line(comment, "#読み筋=" + line_text(positions[i], findings[i].line));
        if (findings[i].depth > 0) add_line(comment, fmt::format("#深さ={}", findings[i].depth));
        if (findings[i].nodes > 0) add_line(comment, fmt::format("#ノード数={}", findings[i].nodes));
        add_line(comment, "#エンジン=" + engine_name);
    }
}

}  // namespace tsumugi::app
