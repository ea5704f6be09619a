// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/bookmaking/duel.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
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

std::optional<StoredMove> best_of(const book::Entry& entry, const shogi::Position& position) {
    auto moves = entry.moves;
    book::sort_best_first(moves);
    if (moves.empty() || !moves.front().value || !position.is_legal(moves.front().move)) return std::nullopt;
    return moves.front();
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
    if (const auto known = ask(game.position)) {
        decision.move = *known;
        decision.from_book = true;
    } else {
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
    Game game{number, maker_of(number), opponent.name, base::Random(seed), start, {}, {}};
    maker_.clear();
    opponent_.clear();
    opponent_.set_evaluator(settings_.opponent_sigma > 0
                                ? eval::with_noise(opponent.evaluator, {settings_.opponent_sigma, seed})
                                : opponent.evaluator);
    const arena::Rules rules{shogi::EnteringKingRule::points27, settings_.max_moves};
    DuelResult result;
    result.number = number;
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

std::optional<StoredMove> move_to_follow(const Workspace& workspace, const shogi::Position& position) {
    const book::Entry* entry = workspace.find(position.setup());
    if (entry == nullptr) return std::nullopt;
    return best_of(*entry, position);
}

std::vector<FollowedMove> moves_to_follow(const Workspace& workspace, Color maker, std::size_t most) {
    std::unordered_map<shogi::Key, const book::Entry*> known;
    for (const auto& each : workspace.entries())
        if (each.second.position.side_to_move == maker)
            if (const auto position = shogi::Position::from(each.second.position))
                known.emplace(position->key(), &each.second);
    std::vector<FollowedMove> followed;
    std::deque<shogi::Position> queue{shogi::Position::even()};
    std::unordered_set<shogi::Key> seen{queue.front().key()};
    for (; !queue.empty() && followed.size() < most; queue.pop_front()) {
        shogi::Position& position = queue.front();
        if (position.side_to_move() == maker) {
            const auto entry = known.find(position.key());
            const auto best = entry == known.end() ? std::nullopt : best_of(*entry->second, position);
            if (!best) continue;
            followed.push_back({position.key(), *best});
            position.do_move(best->move);
            if (!seen.insert(position.key()).second) continue;
        }
        shogi::MoveList replies;
        shogi::legal_moves(position, replies, shogi::Promotion::sensible);
        for (const shogi::Move reply : replies) {
            const shogi::Key next = position.key_after(reply);
            if (!known.contains(next) || !seen.insert(next).second) continue;
            queue.push_back(position);
            queue.back().do_move(reply);
        }
    }
    return followed;
}

void DuelReport::count(DuelResult::Ending ending) {
    ++games;
    switch (ending) {
        case DuelResult::Ending::no_trouble: ++no_trouble; break;
        case DuelResult::Ending::alternative: ++alternatives; break;
        case DuelResult::Ending::no_alternative: ++given_up; break;
    }
}

Result<std::vector<std::uint64_t>> duels_to_play(Workspace& workspace, std::uint64_t games) {
    const auto played = workspace.step_numbers("duel");
    if (!played) return played.error();
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = 0; number < games; ++number)
        if (!played->contains(number)) numbers.push_back(number);
    return numbers;
}

Result<void> store_duel(Workspace& workspace, const DuelResult& result) {
    return workspace.add_step("duel", result.text, result.changes, result.number);
}

Result<DuelReport> duel(Workspace& workspace, const DuelSettings& settings,
                        const std::shared_ptr<const eval::Evaluator>& maker, const std::vector<Opponent>& opponents,
                        std::uint64_t games, int workers, const std::function<void(const DuelReport&)>& advance,
                        const std::stop_token& stop) {
    const auto numbers = duels_to_play(workspace, games);
    if (!numbers) return numbers.error();
    DuelReport report;
    if (numbers->empty()) return report;
    std::vector<std::unique_ptr<Duellist>> duellists;
    for (int i = 0; i < workers; ++i)
        duellists.push_back(std::make_unique<Duellist>(maker, opponents, settings));
    std::mutex mutex;
    Result<void> stored;
    const auto ask = [&](const shogi::Position& position) {
        const std::lock_guard lock(mutex);
        return move_to_follow(workspace, position);
    };
    base::parallel_for(numbers->size(), workers, [&](std::size_t i, int worker) {
        if (stop.stop_requested()) return;
        Duellist& duellist = *duellists[static_cast<std::size_t>(worker)];
        const auto result = duellist.play((*numbers)[i], shogi::Position::even(), ask, stop);
        const std::lock_guard lock(mutex);
        if (!result || !stored) return;
        stored = store_duel(workspace, *result);
        report.count(result->ending);
        advance(report);
    });
    if (!stored) return stored.error();
    return report;
}

}  // namespace tsumugi::learn::bookmaking
