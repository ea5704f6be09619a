// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/selfplay_game.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "learn/entering_king.hpp"
#include "learn/search_score.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::learn {
namespace {

using record::ArchivedEnd;
using record::ArchivedGame;
using record::ArchivedPly;
using record::HcpeResult;

// A game is dropped when so many of its positions in a row were met in others.
constexpr int footsteps_in_a_row = 4;

HcpeResult win_of(shogi::Color side) {
    return side == shogi::Color::black ? HcpeResult::black_win : HcpeResult::white_win;
}

void end_game(ArchivedGame& game, ArchivedEnd end, HcpeResult result) {
    game.end = end;
    game.result = result;
}

// Plays one random move, if there is any.
bool play_randomly(base::Random& random, ArchivedGame& game, shogi::Position& position) {
    shogi::MoveList moves;
    shogi::legal_moves(position, moves, shogi::Promotion::sensible);
    if (moves.empty()) return false;
    const shogi::Move move = moves[random.below(moves.size())];
    game.plies.push_back({move});
    position.do_move(move);
    return true;
}

// One of the lines that are nearly as good as the best.
std::size_t sample(base::Random& random, const std::vector<think::Line>& lines, int margin) {
    std::size_t good = 0;
    while (good < lines.size() && lines[good].score.kind == think::Score::Kind::centipawns &&
           lines[good].score.value >= lines[0].score.value - margin)
        ++good;
    return good == 0 ? 0 : static_cast<std::size_t>(random.below(good));
}

// Has the game ended by the rules before the side to move plays?
bool ended_by_rule(const shogi::Position& position, const EndRecipe& recipe, ArchivedGame& game) {
    const shogi::Color us = position.side_to_move();
    switch (position.game_repetition()) {
        case shogi::Repetition::draw: end_game(game, ArchivedEnd::repetition, HcpeResult::draw); return true;
        case shogi::Repetition::win: end_game(game, ArchivedEnd::perpetual_check, win_of(us)); return true;
        case shogi::Repetition::loss: end_game(game, ArchivedEnd::perpetual_check, win_of(~us)); return true;
        default: break;
    }
    if (!shogi::has_legal_move(position)) {
        end_game(game, ArchivedEnd::mate, win_of(~us));
        return true;
    }
    const bool tries = recipe.declaration == shogi::EnteringKingRule::try_rule && !shogi::try_move(position).is_none();
    if (tries || shogi::can_declare_win(position, position.in_check(), recipe.declaration)) {
        end_game(game, ArchivedEnd::declaration, win_of(us));
        return true;
    }
    if (game.plies.size() >= static_cast<std::size_t>(recipe.max_moves)) {
        end_game(game, ArchivedEnd::max_moves, HcpeResult::draw);
        return true;
    }
    return false;
}

// Counts how long one side has been far ahead.
class Lead {
public:
    explicit Lead(const EndRecipe& recipe) : recipe_(recipe) {}

    // The winner, when the score of the side to move has settled the game.
    std::optional<shogi::Color> after(shogi::Color side, int score) {
        const shogi::Color leader = score >= 0 ? side : ~side;
        row_ = std::abs(score) < recipe_.score ? 0 : leader == leader_ ? row_ + 1 : 1;
        leader_ = leader;
        return row_ >= recipe_.plies ? std::optional(leader) : std::nullopt;
    }

private:
    const EndRecipe& recipe_;
    shogi::Color leader_ = shogi::Color::black;
    int row_ = 0;
};

}  // namespace

void SelfplayTally::add(const SelfplayTally& other) {
    games += other.games;
    positions += other.positions;
    plies += other.plies;
    dropped_games += other.dropped_games;
    searches += other.searches;
    nodes += other.nodes;
    depths += other.depths;
    for (std::size_t i = 0; i < results.size(); ++i)
        results[i] += other.results[i];
    for (std::size_t i = 0; i < ends.size(); ++i)
        ends[i] += other.ends[i];
}

// What was decided about a game before its first move.
struct SelfplayPlayer::Plan {
    bool played_out = false;
    std::optional<std::size_t> late_random_ply;
};

SelfplayPlayer::SelfplayPlayer(const SelfplaySettings& settings, std::shared_ptr<const eval::Evaluator> evaluator,
                               const arena::OpeningSuite& suite, Footprints& footprints)
    : settings_(settings), suite_(suite), footprints_(footprints) {
    search_settings_.table.kibibytes = static_cast<std::size_t>(settings.table_mib) * 1024;
    search_settings_.max_moves_to_draw = settings.end.max_moves;
    search_settings_.entering_king = settings.end.declaration;
    const std::size_t engines = settings.sharing == TableSharing::each ? 2 : 1;
    for (std::size_t i = 0; i < engines; ++i) {
        searchers_[i].configure(search_settings_);
        searchers_[i].set_evaluator(evaluator);
    }
}

search::Searcher& SelfplayPlayer::searcher_for(shogi::Color side) {
    return searchers_[settings_.sharing == TableSharing::each ? index(side) : 0];
}

void SelfplayPlayer::clear() {
    searchers_[0].clear();
    if (settings_.sharing == TableSharing::each) searchers_[1].clear();
}

search::Outcome SelfplayPlayer::think(const shogi::Position& position, int lines, const std::stop_token& stop) {
    think::Limits limits;
    limits.soft_nodes = settings_.nodes;
    limits.nodes = settings_.hard_nodes();
    search::Searcher& searcher = searcher_for(position.side_to_move());
    if (settings_.sharing == TableSharing::cleared) searcher.clear();
    if (search_settings_.multi_pv != lines || settings_.sharing == TableSharing::each) {
        search_settings_.multi_pv = lines;
        searcher.configure(search_settings_);
    }
    think::SilentObserver silence;
    search::Outcome outcome = searcher.search(position, limits, silence, stop);
    ++tally_.searches;
    tally_.nodes += outcome.nodes;
    tally_.depths += static_cast<std::uint64_t>(outcome.depth);
    return outcome;
}

bool SelfplayPlayer::open_game(base::Random& random, ArchivedGame& game, shogi::Position& position,
                               const std::stop_token& stop) {
    const OpeningRecipe& recipe = settings_.opening;
    while (!stop.stop_requested()) {
        game.plies.clear();
        int random_plies = static_cast<int>(random.between(recipe.fewest_random_plies, recipe.most_random_plies));
        if (random.chance(recipe.entering_king_share)) {
            game.start = entering_king_start(random);
            random_plies = 0;
        } else {
            const arena::Opening& opening = suite_.at(random.below(suite_.size()));
            game.start = opening.start;
            for (const shogi::Move move : opening.moves)
                game.plies.push_back({move});
        }
        position = *shogi::Position::from(game.start);
        for (const ArchivedPly& ply : game.plies)
            position.do_move(ply.move);
        bool alive = true;
        for (int i = 0; i < random_plies && alive; ++i)
            alive = play_randomly(random, game, position);
        if (!alive || !shogi::has_legal_move(position)) continue;
        const search::Outcome outcome = think(position, 1, stop);
        if (outcome.score.kind == think::Score::Kind::centipawns &&
            std::abs(outcome.score.value) <= recipe.most_unbalanced)
            return true;
        clear();
    }
    return false;
}

bool SelfplayPlayer::play_on(base::Random& random, const Plan& plan, ArchivedGame& game, shogi::Position& position,
                             const std::stop_token& stop) {
    const OpeningRecipe& recipe = settings_.opening;
    const std::size_t sampled_end = game.plies.size() + static_cast<std::size_t>(recipe.sampled_plies);
    Lead lead(settings_.end);
    int footsteps = 0;
    while (!ended_by_rule(position, settings_.end, game)) {
        if (game.plies.size() == plan.late_random_ply && play_randomly(random, game, position)) continue;
        footsteps = footprints_.leave(position.key()) ? footsteps + 1 : 0;
        if (footsteps >= footsteps_in_a_row && position.occurrences() == 1) {
            ++tally_.dropped_games;
            return false;
        }
        const bool sampling = game.plies.size() < sampled_end && recipe.sampled_lines > 1;
        const search::Outcome outcome = think(position, sampling ? recipe.sampled_lines : 1, stop);
        if (stop.stop_requested()) return false;
        const std::int16_t score = to_archived(outcome.score);
        const shogi::Move move =
            sampling ? outcome.lines[sample(random, outcome.lines, recipe.sampled_margin)].moves.front() : outcome.best;
        game.plies.push_back({move, score});
        const auto winner = lead.after(position.side_to_move(), score);
        if (winner && !plan.played_out) {
            end_game(game, ArchivedEnd::adjudicated, win_of(*winner));
            return true;
        }
        position.do_move(move);
    }
    return true;
}

std::optional<ArchivedGame> SelfplayPlayer::play(std::uint64_t number, const std::stop_token& stop) {
    base::Random random(base::SplitMix64(settings_.seed)() ^ base::SplitMix64(number)());
    clear();
    ArchivedGame game;
    game.number = number;
    Plan plan;
    plan.played_out = random.chance(settings_.end.played_out_share);
    if (random.chance(settings_.opening.late_random_share))
        plan.late_random_ply =
            static_cast<std::size_t>(random.between(settings_.opening.late_from, settings_.opening.late_to));
    shogi::Position position = shogi::Position::even();
    if (!open_game(random, game, position, stop)) return std::nullopt;
    if (!play_on(random, plan, game, position, stop)) return std::nullopt;
    ++tally_.games;
    ++tally_.results[static_cast<std::size_t>(game.result)];
    ++tally_.ends[static_cast<std::size_t>(game.end)];
    tally_.plies += game.plies.size();
    tally_.positions += static_cast<std::uint64_t>(
        std::count_if(game.plies.begin(), game.plies.end(), [](const ArchivedPly& ply) { return ply.has_score(); }));
    return game;
}

}  // namespace tsumugi::learn
