// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "learn/bookmaking/analyst.hpp"

namespace tsumugi::learn::bookmaking {

// Somebody the maker of the book plays against.
struct Opponent {
    std::string name;
    std::shared_ptr<const eval::Evaluator> evaluator;
};

// A book made by playing: its maker thinks much longer than his opponents and plays from the book as far as it goes.
// What never brought him into trouble becomes part of the book; where he got into trouble he goes back and thinks
// again.
struct DuelSettings {
    std::uint64_t maker_nodes = 400'000;
    std::uint64_t opponent_nodes = 40'000;
    int margin = 100;         // trouble is a score below minus this
    int again_factor = 4;     // times the nodes for thinking again
    int most_steps_back = 6;  // own moves before the trouble at which an alternative is looked for
    int plies = 60;           // moves beyond this move number are not stored
    int won = 1500;           // a game is over when the maker is so far ahead
    int max_moves = 320;
    int varied_plies = 24;       // up to there opponents choose among good moves
    int varied_lines = 3;        // among how many
    int varied_margin = 60;      // how much worse they may be
    double opponent_sigma = 20;  // error of the opponents' evaluation, another one in every game
    int table_mib = 64;
    std::uint64_t seed = 1;
};

// What came of one duel.
struct DuelResult {
    enum class Ending { no_trouble, alternative, no_alternative };

    std::uint64_t number = 0;
    Ending ending = Ending::no_trouble;
    std::vector<shogi::Move> moves;  // of the game, as far as it was played
    std::string text;                // the story in a line
    std::vector<Change> changes;
};

class Duellist {
public:
    Duellist(std::shared_ptr<const eval::Evaluator> maker, std::vector<Opponent> opponents,
             const DuelSettings& settings);

    // Plays a game from the position, whose moves become known to nobody until the result is stored. `ask` tells what
    // the book plays in a position, if anything. Nothing when stopped.
    using Ask = std::function<std::optional<book::StoredMove>(const shogi::Position&)>;
    std::optional<DuelResult> play(std::uint64_t number, const shogi::Position& start, const Ask& ask,
                                   const std::stop_token& stop);

private:
    // A move the maker decided on, with what he thought of it then.
    struct Decision {
        shogi::Position before;
        book::StoredMove move;
        bool from_book = false;
    };
    struct Game;

    bool decide(Game& game, const Ask& ask, const std::stop_token& stop);
    bool let_opponent_move(Game& game, const std::stop_token& stop);
    [[nodiscard]] bool in_trouble(const Decision& decision) const { return *decision.move.value < -settings_.margin; }
    void adopt(const Game& game, std::size_t count, DuelResult& result) const;
    bool think_again(const Game& game, DuelResult& result, const std::stop_token& stop);

    std::shared_ptr<const eval::Evaluator> evaluator_;
    std::vector<Opponent> opponents_;
    DuelSettings settings_;
    search::Searcher maker_;
    search::Searcher opponent_;
    Analyst second_look_;
};

// What the maker plays in a position of the workspace: its best move. Nothing where the workspace has none with a
// value.
std::optional<book::StoredMove> move_to_follow(const Workspace& workspace, const shogi::Position& position);

// All that a maker of this colour can be told by the workspace in one game: his moves in the positions that he can
// reach by following it. The nearest to the start come first, and no more than `most`.
struct FollowedMove {
    shogi::Key position;
    book::StoredMove move;
};
std::vector<FollowedMove> moves_to_follow(const Workspace& workspace, shogi::Color maker, std::size_t most);

// Who makes the book in a game.
constexpr shogi::Color maker_of(std::uint64_t number) {
    return number % 2 == 0 ? shogi::Color::black : shogi::Color::white;
}

struct DuelReport {
    std::uint64_t games = 0;
    std::uint64_t no_trouble = 0;
    std::uint64_t alternatives = 0;
    std::uint64_t given_up = 0;  // no alternative was found

    void count(DuelResult::Ending ending);
};

// The games below this number that the workspace has not seen.
base::Result<std::vector<std::uint64_t>> duels_to_play(Workspace& workspace, std::uint64_t games);
base::Result<void> store_duel(Workspace& workspace, const DuelResult& result);

// Plays games until the workspace has seen `games` of them, `workers` at a time, each for one colour in turn.
base::Result<DuelReport> duel(Workspace& workspace, const DuelSettings& settings,
                              const std::shared_ptr<const eval::Evaluator>& maker,
                              const std::vector<Opponent>& opponents, std::uint64_t games, int workers,
                              const std::function<void(const DuelReport&)>& advance, const std::stop_token& stop);

}  // namespace tsumugi::learn::bookmaking
