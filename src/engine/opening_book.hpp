// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "book/probe.hpp"
#include "think/player.hpp"

namespace tsumugi::engine {

// Declares the options about books, with the names that are usual for shogi engines.
void declare_book_options(think::OptionSet& options);

// What the options ask of a book move.
book::ProbeSettings probe_settings(const think::OptionSet& options);

// The files that the options name, those to be asked first at the beginning. BookFile holds names separated by commas,
// in BookDir unless they are absolute. Before NAME.db come NAME-000.db (or .ybb), NAME-001.db and so on, where such
// exist. A file that is missing is an error unless nobody asked for it: the default need not exist.
base::Result<std::vector<std::filesystem::path>> book_files(const think::OptionSet& options);

// The engine's books: opened when the engine prepares itself, asked before it thinks.
class OpeningBook {
public:
    OpeningBook();

    // Opens what the options name now. After an error the books in use before stay.
    base::Result<void> prepare(const think::OptionSet& options);

    // A move of the book, with the remarks that belong to it; no move when the search shall decide.
    [[nodiscard]] book::ProbeResult ask(const shogi::Position& position, const think::Limits& limits,
                                        const think::OptionSet& options, std::uint64_t game) const;

private:
    struct Opened {
        std::string file;
        std::int64_t written = 0;  // time; a file that changed is opened again
        bool trusted = false;

        bool operator==(const Opened&) const = default;
    };

    book::Shelf shelf_;
    std::vector<Opened> opened_;
    std::uint64_t entropy_;  // for choices that shall differ from run to run
};

// Shows what the book said: the lines of its moves, the one to be played first, and the remarks.
void announce(const book::ProbeResult& result, think::Observer& observer);
// The answer to give. Only when a move was chosen.
think::Answer book_answer(const book::ProbeResult& result);

}  // namespace tsumugi::engine
