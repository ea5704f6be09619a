// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "arena/match_report.hpp"
#include "arena/match_table.hpp"

namespace tsumugi::arena {
namespace {

using report::WinDrawLoss;
using shogi::Color;

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string results(const WinDrawLoss& games) { return fmt::format("{}-{}-{}", games.wins, games.draws, games.losses); }

std::string duel_text(const std::string& first, const std::string& second, const ScoreSheet& sheet) {
    const WinDrawLoss total = sheet.total();
    std::string text =
        fmt::format("{} against {}: {} games, {} (won-drawn-lost)\n", first, second, total.games(), results(total));
    text +=
        fmt::format("  as Black {}, as White {}\n", results(sheet.as(Color::black)), results(sheet.as(Color::white)));
    const auto& pairs = sheet.pairs().pairs;
    text += fmt::format("  pairs with 0, 0.5, 1, 1.5, 2 points: {} {} {} {} {}\n", pairs[0], pairs[1], pairs[2],
                        pairs[3], pairs[4]);
    if (const auto sample = sheet.sample()) {
        const report::EloEstimate elo = report::estimate_elo(*sample);
        text += fmt::format("  score {:.2f} %, Elo {:+.1f} (95 %: {:+.1f} to {:+.1f}), LOS {:.1f} %\n", 100 * elo.score,
                            elo.elo, elo.elo_interval.low, elo.elo_interval.high, 100 * elo.superiority);
        text += fmt::format("  normalized Elo {:+.1f} (95 %: {:+.1f} to {:+.1f})\n", elo.normalized_elo,
                            elo.normalized_interval.low, elo.normalized_interval.high);
    }
    return text;
}

}  // namespace

std::string sprt_line(const Standing& standing) {
    const report::Sprt& sprt = *standing.sprt();
    const auto& bounds = sprt.bounds();
    return fmt::format("SPRT [{:.2f}, {:.2f}] {} Elo, alpha {:.3f}, beta {:.3f}: LLR {:.2f} ({:.2f}, {:.2f}), {}",
                       bounds.elo0, bounds.elo1,
                       bounds.model == report::Sprt::Model::normalized ? "normalized" : "logistic", bounds.alpha,
                       bounds.beta, standing.llr_course().empty() ? 0 : standing.llr_course().back(), sprt.lower(),
                       sprt.upper(), describe(standing.decision()));
}

std::string summary_line(const MatchReport& match) {
    const std::uint64_t games = match.standing.games();
    std::string text = fmt::format(
        "Black won {:.1f} %, drawn {:.1f} %, White won {:.1f} %; {:.1f} plies a game; {} openings; endings:",
        percent(match.by_color[0], games), percent(match.by_color[1], games), percent(match.by_color[2], games),
        games == 0 ? 0 : static_cast<double>(match.plies) / static_cast<double>(games), match.openings.size());
    for (const auto& [reason, count] : match.endings)
        text += fmt::format(" {} {}", name(reason), count);
    return text;
}

std::string MatchReport::to_text() const {
    std::string text;
    for (const auto& [pairing, sheet] : standing.sheets())
        text += duel_text(engines[pairing.first], engines[pairing.second], sheet);
    if (standing.sprt()) text += sprt_line(standing) + "\n";
    text += summary_line(*this) + "\n";
    if (duplicates > 0)
        text += fmt::format("warning: {} games repeat an earlier one move by move and prove nothing\n", duplicates);
    if (engines.size() > 2) text += rating_table(*this).to_text();
    return text + usage_table(*this).to_text();
}

}  // namespace tsumugi::arena
