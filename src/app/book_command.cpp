// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/book_command.hpp"

#include "protocol/usi_text.hpp"

namespace tsumugi::app {

base::Result<shogi::Position> named_position(const std::string& text) {
    const bool bare = !text.starts_with("sfen ") && !text.starts_with("startpos") && !text.starts_with("position ");
    return protocol::parse_position(bare ? "sfen " + text : text);
}

void add_book_command(CLI::App& program, Session& session) {
    CLI::App* book = program.add_subcommand("book", "Make, convert and look into opening books");
    book->require_subcommand(1);
    add_book_convert(*book, session);
    add_book_inspection(*book, session);
    add_book_from_games(*book, session);
    add_book_minimax(*book, session);
    add_book_making(*book, session);
    book->footer(
        "Books are known by their extension: .db and .ybb (YaneuraOu), .bin (Apery, read only), .sbk (ShogiGUI, read "
        "only).");
}

}  // namespace tsumugi::app
