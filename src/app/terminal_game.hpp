// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/game.hpp"
#include "shogi/declaration.hpp"
#include "shogi/position.hpp"
#include "think/player.hpp"

namespace tsumugi::app {

// A game at the terminal between a person and a player (or two of either).
class TerminalGame {
public:
    struct Settings {
        shogi::Setup start = shogi::Setup::even();
        std::array<bool, 2> person{true, false};  // by colour: does a person play it?
        think::Limits limits;                     // for every move of the player
        std::filesystem::path save_to;            // where the record goes at the end; empty for nowhere
    };
    using Read = std::function<std::optional<std::string>()>;
    using Print = std::function<void(std::string_view)>;

    // The player must be prepared.
    static base::Result<TerminalGame> start(Settings settings, think::Player& player, Read read, Print print);

    // Plays until the game or the input ends. Fails only when the record cannot be saved.
    base::Result<void> run();

    // A move as a person may write it: 7g7f, 7六歩, ▲７六歩, 同銀.
    static base::Result<shogi::Move> read_move(std::string_view text, const shogi::Position& position);

private:
    enum class Next { go_on, over };

    TerminalGame(Settings settings, shogi::Position position, think::Player& player, Read read, Print print);

    // What the rules say about the present position, if the game is over.
    [[nodiscard]] std::optional<record::Ending> ending_by_rule() const;
    Next ask_person();
    Next obey(std::string_view command, std::string_view argument);
    Next ask_player();
    void play(shogi::Move move);
    void take_back();
    void hint();
    void end(record::Ending ending);
    [[nodiscard]] record::Game game() const;
    base::Result<void> save(const std::filesystem::path& file) const;

    Settings settings_;
    shogi::Position position_;
    think::Player& player_;
    Read read_;
    Print print_;
    std::vector<shogi::Move> moves_;
    std::optional<record::Ending> ending_;
};

}  // namespace tsumugi::app
