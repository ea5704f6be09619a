// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal_game.hpp"

#include <utility>

#include <fmt/format.h>

#include "app/board_text.hpp"
#include "base/atomic_file.hpp"
#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "record/ending.hpp"
#include "record/format.hpp"
#include "record/notation.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::app {
namespace {

using base::Error;
using base::Result;

constexpr std::string_view help_text =
    "moves: 7g7f, P*5e, 7六歩, 同銀, ５八金右 …\n"
    "undo (待った)  hint  board  resign (投了)  win (宣言勝ち)  save FILE  help  quit";

}  // namespace

Result<TerminalGame> TerminalGame::start(Settings settings, think::Player& player, Read read, Print print) {
    auto position = shogi::Position::from(settings.start);
    if (!position) return position.error();
    return TerminalGame(std::move(settings), *std::move(position), player, std::move(read), std::move(print));
}

TerminalGame::TerminalGame(Settings settings, shogi::Position position, think::Player& player, Read read, Print print)
    : settings_(std::move(settings)),
      position_(std::move(position)),
      player_(player),
      read_(std::move(read)),
      print_(std::move(print)) {}

Result<shogi::Move> TerminalGame::read_move(std::string_view text, const shogi::Position& position) {
    auto move = record::parse_usi_move(text);
    if (!move) {
        record::text::Cursor cursor({text, 1});
        static_cast<void>(record::accept_color_mark(cursor));
        const auto written = record::read_move(cursor);
        if (!written)
            return Error{Error::Code::syntax,
                         fmt::format("'{}' is neither a move nor a command; try `help`", base::shorten(text, 40))};
        const shogi::Move last = position.state().move;
        move = record::resolve(position.setup(), *written, last.is_none() ? std::nullopt : std::optional(last.to()));
        if (!move) return move.error();
    }
    if (!position.is_legal(*move))
        return Error{Error::Code::range, fmt::format("{} is not legal", base::shorten(text, 40))};
    return move;
}

Result<void> TerminalGame::run() {
    print_(board_text(position_));
    for (Next next = Next::go_on; next == Next::go_on;) {
        if (const auto ending = ending_by_rule()) {
            end(*ending);
            break;
        }
        next = settings_.person[index(position_.side_to_move())] ? ask_person() : ask_player();
    }
    if (settings_.save_to.empty()) return {};
    return save(settings_.save_to);
}

std::optional<record::Ending> TerminalGame::ending_by_rule() const {
    if (!shogi::has_legal_move(position_)) return record::Ending::mate;
    switch (position_.game_repetition()) {
        case shogi::Repetition::draw: return record::Ending::repetition;
        case shogi::Repetition::win:
        case shogi::Repetition::loss: return record::Ending::perpetual_check;
        case shogi::Repetition::none:
        case shogi::Repetition::superior:
        case shogi::Repetition::inferior: return std::nullopt;
    }
    std::abort();  // unreachable: the switch names every value
}

TerminalGame::Next TerminalGame::ask_person() {
    print_(fmt::format("{} {}> ", record::color_mark(position_.side_to_move()), moves_.size() + 1));
    const auto line = read_();
    if (!line) {
        print_("\n");
        end(record::Ending::interrupted);
        return Next::over;
    }
    const std::string_view text = record::text::trim(base::trim(*line));
    const std::size_t space = std::min(text.find(' '), text.size());
    return obey(text.substr(0, space), base::trim(text.substr(space)));
}

TerminalGame::Next TerminalGame::obey(std::string_view command, std::string_view argument) {
    if (command.empty()) return Next::go_on;
    if (command == "quit" || command == "resign" || command == "投了") {
        end(command == "quit" ? record::Ending::interrupted : record::Ending::resign);
        return Next::over;
    }
    if (command == "win" || command == "宣言勝ち") {
        if (shogi::can_declare_win(position_, position_.in_check(), shogi::EnteringKingRule::points27)) {
            end(record::Ending::declaration_win);
            return Next::over;
        }
        print_("a win cannot be declared here\n");
    } else if (command == "undo" || command == "待った") {
        take_back();
    } else if (command == "hint") {
        hint();
    } else if (command == "board") {
        print_(board_text(position_));
    } else if (command == "help") {
        print_(std::string(help_text) + "\n");
    } else if (command == "save") {
        const auto saved = save(argument);
        print_(saved ? fmt::format("saved {}\n", argument) : saved.error().message + "\n");
    } else if (const auto move = read_move(command, position_)) {
        play(*move);
    } else {
        print_(move.error().message + "\n");
    }
    return Next::go_on;
}

TerminalGame::Next TerminalGame::ask_player() {
    think::SilentObserver silence;
    const think::Answer answer = player_.think(position_, settings_.limits, silence, {});
    switch (answer.kind) {
        case think::Answer::Kind::resign: end(record::Ending::resign); return Next::over;
        case think::Answer::Kind::declare_win: end(record::Ending::declaration_win); return Next::over;
        case think::Answer::Kind::move: break;
    }
    play(answer.move);
    return Next::go_on;
}

void TerminalGame::play(shogi::Move move) {
    const std::string text = move_text(position_, move);
    position_.do_move(move);
    moves_.push_back(move);
    print_(
        fmt::format("\n{} {}{}\n{}", moves_.size(), text, position_.in_check() ? " 王手" : "", board_text(position_)));
}

void TerminalGame::take_back() {
    if (moves_.empty()) return print_("there is no move to take back\n");
    // Back to the person's own turn, so that another move can be tried.
    do {
        position_.undo_move();
        moves_.pop_back();
    } while (!moves_.empty() && !settings_.person[index(position_.side_to_move())]);
    print_(board_text(position_));
}

void TerminalGame::hint() {
    think::SilentObserver silence;
    const think::Answer answer = player_.think(position_, settings_.limits, silence, {});
    if (answer.kind == think::Answer::Kind::move)
        print_(fmt::format("{} ({})\n", move_text(position_, answer.move), protocol::to_text(answer.score)));
    else
        print_(answer.kind == think::Answer::Kind::declare_win ? "declare the win: 宣言勝ち\n" : "投了\n");
}

void TerminalGame::end(record::Ending ending) {
    ending_ = ending;
    // A record says of a mate only that it is one; people want to hear who won.
    const bool mate = ending == record::Ending::mate;
    print_((mate ? "詰み " : "") +
           record::closing_line(mate ? record::Ending::resign : ending, moves_.size(), position_.side_to_move(), {}) +
           "\n");
}

record::Game TerminalGame::game() const {
    record::Game game;
    game.start = settings_.start;
    for (const shogi::Color color : shogi::both_colors)
        game.set_header(color == shogi::Color::black ? "先手" : "後手",
                        settings_.person[index(color)] ? "人" : player_.name());
    std::size_t last = record::Game::root();
    const auto add = [&](record::Node node) { last = game.add(last, std::move(node)); };
    for (const shogi::Move move : moves_) {
        record::Node node;
        node.move = move;
        add(std::move(node));
    }
    if (ending_) {
        record::Node node;
        node.ending = ending_;
        add(std::move(node));
    }
    return game;
}

Result<void> TerminalGame::save(const std::filesystem::path& file) const {
    if (file.empty()) return Error{Error::Code::io, "save needs a file name, e.g. save game.kif"};
    const auto format = record::format_of_name(file);
    const auto bytes = record::write_game(game(), format.value_or(record::Format::kif),
                                          {.encoding = record::usual_encoding(file), .csa_version = {}});
    if (!bytes) return bytes.error();
    return base::write_file(file, *bytes);
}

}  // namespace tsumugi::app
