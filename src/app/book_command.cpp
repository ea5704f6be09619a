// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/book_command.hpp"

namespace tsumugi::app {

void add_book_command(CLI::App& program, Session& session) {
    CLI::App* book = program.add_subcommand("book", "Make, convert and look into opening books");
    book->require_subcommand(1);
    add_book_convert(*book, session);
    add_book_inspection(*book, session);
    add_book_from_games(*book, session);
    add_book_minimax(*book, session);
    book->footer(
        "Books are known by their extension: .db and .ybb (YaneuraOu), .bin (Apery, read only), .sbk (ShogiGUI, read "
        "only).");
}

}  // namespace tsumugi::app
