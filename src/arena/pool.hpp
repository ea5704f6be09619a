// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "arena/game_play.hpp"

namespace tsumugi::arena {

// A game to be played.
struct Task {
    std::uint64_t number = 0;
    std::array<std::size_t, 2> engine{};  // by colour
    Opening opening;
    std::array<OptionValues, 2> values;  // by colour: what is tried in this game (see Contestant::new_game)
};

// Hands out games and takes their results. Calls never overlap, but come from several threads.
class TaskSource {
public:
    virtual ~TaskSource() = default;

    // Nothing when no game is left to be started.
    virtual std::optional<Task> next() = 0;
    // An error stops the play.
    virtual base::Result<void> finished(const Task& task, const PlayedGame& game) = 0;
    // A program failed and the game will be played again.
    virtual base::Result<void> annulled(const Task& task, const PlayedGame& game) = 0;
};

// What to do with a game in which a program crashed, hung or answered nonsense. Illegal moves and lost time are
// losses in any case: they are part of how a program plays.
enum class FailurePolicy {
    loss,    // the failing side loses
    replay,  // the game is played again, a few times; then the failing side loses
};

struct PoolSettings {
    PlaySettings play;
    int concurrency = 1;
    bool pin = false;  // keep each game, with the programs that play it, on a processor of its own
    FailurePolicy on_failure = FailurePolicy::loss;
    int replays = 3;  // of one game
};

// Plays everything that the source hands out, several games at once. Players stay alive from game to game; one that
// failed is started anew. Ends early, with the games in flight dropped, when a stop is requested, the source reports an
// error or a player cannot be started.
base::Result<void> play_all(TaskSource& source, std::span<const EngineSpec> engines, const PoolSettings& settings,
                            std::stop_token stop);

}  // namespace tsumugi::arena
