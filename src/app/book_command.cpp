// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/book_command.hpp"

#include "book/file.hpp"
#include "book/output_log.hpp"
#include "protocol/usi_text.hpp"

namespace tsumugi::app {

base::Result<shogi::Position> named_position(const std::string& text) {
    const bool bare = !text.starts_with("sfen ") && !text.starts_with("startpos") && !text.starts_with("position ");
    return protocol::parse_position(bare ? "sfen " + text : text);
}

base::Result<void> check_output(const std::filesystem::path& output, const std::filesystem::path& workspace,
                                bool overwrite) {
    // A name that no book can have shows before hours of work, not after.
    if (const auto writer = book::create_writer(output); !writer) return writer.error();
    std::error_code problem;
    const bool replaces = std::filesystem::exists(output, problem) && !std::filesystem::exists(workspace, problem);
    return replaces && !overwrite ? base::Result<void>(book::OutputLog::refusal(output)) : base::Result<void>();
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
