// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/bookmaking/duel.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "arena/referee.hpp"
#include "base/thread.hpp"
#include "eval/noise.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::learn::bookmaking {
namespace {

using base::Result;
using book::StoredMove;
using shogi::Color;

search::Settings search_settings(const DuelSettings& settings, int lines) {
    search::Settings chosen;
    chosen.table.kibibytes = static_cast<std::size_t>(settings.table_mib) * 1024;
    chosen.max_moves_to_draw = settings.max_moves;
    chosen.multi_pv = lines;
    return chosen;
}

// Exactly so many, for the maker and his opponents alike: the book is made by the ratio between them.
think::Limits so_many(std::uint64_t nodes) {
    think::Limits limits;
    limits.nodes = nodes;
    return limits;
}

// The lines that are at most `margin` worse than the first.
std::size_t good_lines(const std::vector<think::Line>& lines, int margin) {
    std::size_t good = 0;
    while (good < lines.size() && !lines[good].moves.empty() &&
           book_value(lines[good].score) >= book_value(lines[0].score) - margin)
        ++good;
    return good;
}

std::vector<shogi::Move> all_but(const shogi::Position& position, shogi::Move move) {
    shogi::MoveList legal;
    shogi::legal_moves(position, legal, shogi::Promotion::sensible);
    std::vector<shogi::Move> others;
    for (const shogi::Move each : legal)
        if (each != move) others.push_back(each);
    return others;
}

}  // namespace

struct Duellist::Game {
    std::uint64_t number = 0;
    Color maker = Color::black;
    std::string opponent;
    base::Random random;
    shogi::Position position;
    std::vector<shogi::Move> moves;
    std::vector<Decision> decisions;

    void play(shogi::Move move) {
        moves.push_back(move);
        position.do_move(move);
    }
};

Duellist::Duellist(std::shared_ptr<const eval::Evaluator> maker, std::vector<Opponent> opponents,
                   const DuelSettings& settings)
    : evaluator_(maker),
      opponents_(std::move(opponents)),
      settings_(settings),
      second_look_(maker, {.nodes = settings.maker_nodes * static_cast<std::uint64_t>(settings.again_factor),
                           .depth = {},
                           .lines = 1,
                           .table_mib = settings.table_mib}) {
    maker_.configure(search_settings(settings, 1));
    maker_.set_evaluator(evaluator_);
    opponent_.configure(search_settings(settings, 1));
}

bool Duellist::decide(Game& game, const Ask& ask, const std::stop_token& stop) {
    Decision decision{game.position, {}, false};
    if (auto entry = ask(game.position.setup()); entry && !entry->moves.empty()) {
        book::sort_best_first(entry->moves);
        const StoredMove& best = entry->moves.front();
        decision.from_book = best.value && game.position.is_legal(best.move);
        if (decision.from_book) decision.move = best;
    }
    if (!decision.from_book) {
        think::SilentObserver silence;
        const search::Outcome outcome = maker_.search(game.position, so_many(settings_.maker_nodes), silence, stop);
        if (stop.stop_requested()) return false;
        decision.move.move = outcome.best;
        decision.move.value = book_value(outcome.score);
        decision.move.depth = outcome.depth;
        decision.move.reply = outcome.ponder;
    }
    game.decisions.push_back(decision);
    game.play(decision.move.move);
    return true;
}

bool Duellist::let_opponent_move(Game& game, const std::stop_token& stop) {
    const bool varied = game.position.move_number() <= settings_.varied_plies;
    opponent_.configure(search_settings(settings_, varied ? settings_.varied_lines : 1));
    think::SilentObserver silence;
    const search::Outcome outcome = opponent_.search(game.position, so_many(settings_.opponent_nodes), silence, stop);
    if (stop.stop_requested()) return false;
    const std::size_t good = varied ? good_lines(outcome.lines, settings_.varied_margin) : 0;
    game.play(good == 0 ? outcome.best : outcome.lines[game.random.below(good)].moves[0]);
    return true;
}

void Duellist::adopt(const Game& game, std::size_t count, DuelResult& result) const {
    for (std::size_t i = 0; i < count; ++i) {
        const Decision& decision = game.decisions[i];
        if (decision.from_book || decision.before.move_number() > settings_.plies) continue;
        result.changes.push_back({decision.before.setup(), decision.move,
                                  fmt::format("game {} against {}: no trouble after it", game.number, game.opponent)});
    }
}

// Looks for another move at the maker's decisions before the trouble, the latest first.
bool Duellist::think_again(const Game& game, DuelResult& result, const std::stop_token& stop) {
    const Decision& trouble = game.decisions.back();
    const std::size_t last = game.decisions.size() - 1;
    const std::size_t first = last - std::min(last, static_cast<std::size_t>(settings_.most_steps_back));
    for (std::size_t i = last; i-- > first;) {
        const Decision& decision = game.decisions[i];
        const auto others = all_but(decision.before, decision.move.move);
        const auto found =
            others.empty() ? std::vector<StoredMove>() : second_look_.think(decision.before, others, stop);
        if (stop.stop_requested()) return false;
        if (found.empty() || *found[0].value < -settings_.margin) continue;
        result.ending = DuelResult::Ending::alternative;
        result.text += fmt::format(", instead of {} at move {} now {}", record::to_usi(decision.move.move),
                                   decision.before.move_number(), record::to_usi(found[0].move));
        adopt(game, i, result);
        if (decision.before.move_number() > settings_.plies) return true;
        result.changes.push_back(
            {decision.before.setup(), found[0],
             fmt::format("game {} against {}: in place of {}, which led to {} at move {}", game.number, game.opponent,
                         record::to_usi(decision.move.move), *trouble.move.value, trouble.before.move_number())});
        StoredMove corrected = decision.move;
        corrected.value = trouble.move.value;
        result.changes.push_back({decision.before.setup(), corrected,
                                  fmt::format("game {} against {}: led to {} at move {}", game.number, game.opponent,
                                              *trouble.move.value, trouble.before.move_number())});
        return true;
    }
    result.ending = DuelResult::Ending::no_alternative;
    // Nothing better was found nearby: at least the book must not promise what was not kept.
    if (last > 0 && game.decisions[last - 1].before.move_number() <= settings_.plies) {
        StoredMove corrected = game.decisions[last - 1].move;
        corrected.value = trouble.move.value;
        result.changes.push_back({game.decisions[last - 1].before.setup(), corrected,
                                  fmt::format("game {} against {}: led to {}, nothing better was found", game.number,
                                              game.opponent, *trouble.move.value)});
    }
    return true;
}

std::optional<DuelResult> Duellist::play(std::uint64_t number, const shogi::Position& start, const Ask& ask,
                                         const std::stop_token& stop) {
    const std::uint64_t seed = base::SplitMix64(settings_.seed)() ^ base::SplitMix64(number)();
    const Opponent& opponent = opponents_[number / 2 % opponents_.size()];
    Game game{number, number % 2 == 0 ? Color::black : Color::white, opponent.name, base::Random(seed), start, {}, {}};
    maker_.clear();
    opponent_.clear();
    opponent_.set_evaluator(settings_.opponent_sigma > 0
                                ? eval::with_noise(opponent.evaluator, {settings_.opponent_sigma, seed})
                                : opponent.evaluator);
    const arena::Rules rules{shogi::EnteringKingRule::points27, settings_.max_moves};
    DuelResult result;
    while (!arena::judge(game.position, rules)) {
        if (game.position.side_to_move() != game.maker) {
            if (!let_opponent_move(game, stop)) return std::nullopt;
            continue;
        }
        if (!decide(game, ask, stop)) return std::nullopt;
        const Decision& decision = game.decisions.back();
        result.text =
            fmt::format("game {}, {} against {}: {} at move {}", number, game.maker == Color::black ? "Black" : "White",
                        game.opponent, *decision.move.value, decision.before.move_number());
        if (in_trouble(decision)) {
            if (!think_again(game, result, stop)) return std::nullopt;
            result.moves = game.moves;
            return result;
        }
        if (*decision.move.value >= settings_.won && !decision.from_book) break;
    }
    adopt(game, game.decisions.size(), result);
    result.moves = game.moves;
    return result;
}

Result<DuelReport> duel(Workspace& workspace, const DuelSettings& settings,
                        const std::shared_ptr<const eval::Evaluator>& maker, const std::vector<Opponent>& opponents,
                        std::uint64_t games, int workers, const std::function<void(const DuelReport&)>& advance,
                        const std::stop_token& stop) {
    const auto done = workspace.steps("duel");
    if (!done) return done.error();
    DuelReport report;
    if (*done >= games) return report;
    std::vector<std::unique_ptr<Duellist>> duellists;
    for (int i = 0; i < workers; ++i)
        duellists.push_back(std::make_unique<Duellist>(maker, opponents, settings));
    std::mutex mutex;
    Result<void> stored;
    const auto ask = [&](const shogi::Setup& position) -> std::optional<book::Entry> {
        const std::lock_guard lock(mutex);
        const book::Entry* entry = workspace.find(position);
        return entry == nullptr ? std::nullopt : std::optional(*entry);
    };
    base::parallel_for(games - *done, workers, [&](std::size_t i, int worker) {
        if (stop.stop_requested()) return;
        const auto result =
            duellists[static_cast<std::size_t>(worker)]->play(*done + i, shogi::Position::even(), ask, stop);
        const std::lock_guard lock(mutex);
        if (!result || !stored) return;
        stored = workspace.add_step("duel", result->text, result->changes);
        ++report.games;
        report.no_trouble += result->ending == DuelResult::Ending::no_trouble ? 1U : 0U;
        report.alternatives += result->ending == DuelResult::Ending::alternative ? 1U : 0U;
        report.given_up += result->ending == DuelResult::Ending::no_alternative ? 1U : 0U;
        advance(report);
    });
    if (!stored) return stored.error();
    return report;
}

}  // namespace tsumugi::learn::bookmaking
