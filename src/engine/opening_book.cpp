// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/opening_book.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "base/text.hpp"
#include "book/built_in.hpp"
#include "book/file.hpp"
#include "record/sfen.hpp"

namespace tsumugi::engine {
namespace {

using base::Error;
using base::Result;
namespace fs = std::filesystem;

constexpr std::string_view no_book = "no_book";
constexpr std::string_view built_in = "built-in";
constexpr int as_usual = -1;  // a limit by colour that follows the common one

void declare_book_limits(think::OptionSet& options) {
    options.add_spin("BookEvalDiff", 30, 0, 99999, "Play no book move that is worth so much less than the best one.");
    options.add_spin("BookEvalBlackDiff", as_usual, as_usual, 99999, "The same as Black; -1 to follow BookEvalDiff.");
    options.add_spin("BookEvalWhiteDiff", as_usual, as_usual, 99999, "The same as White; -1 to follow BookEvalDiff.");
    options.add_spin("BookEvalBlackLimit", 0, -99999, 99999, "As Black, play no book move worth less than this.");
    options.add_spin("BookEvalWhiteLimit", -140, -99999, 99999, "As White, play no book move worth less than this.");
    options.add_spin("BookDepthLimit", 16, 0, 99999, "Play no book move found by a shallower search; 0 for any.");
    options.add_spin("BookDepthBlackLimit", as_usual, as_usual, 99999, "The same as Black; -1 for BookDepthLimit.");
    options.add_spin("BookDepthWhiteLimit", as_usual, as_usual, 99999, "The same as White; -1 for BookDepthLimit.");
}

// NAME-000.db, NAME-001.ybb, …: as many as there are without a gap.
std::vector<fs::path> numbered(const fs::path& file) {
    std::vector<fs::path> found;
    std::error_code problem;
    for (int number = 0; number < 1000; ++number) {
        const std::size_t before = found.size();
        for (const char* extension : {".db", ".ybb"}) {
            fs::path each = file;
            each.replace_filename(fmt::format("{}-{:03}{}", file.stem().string(), number, extension));
            if (fs::exists(each, problem)) found.push_back(each);
        }
        if (found.size() == before) break;
    }
    return found;
}

think::Score score_of(int value) {
    // Values this near to the mate's count plies to it.
    constexpr int nearest = book::mate_value - 1000;
    if (std::abs(value) < nearest) return {think::Score::Kind::centipawns, value, think::Score::Bound::exact};
    const int plies = std::max(1, book::mate_value - std::abs(value));
    return {think::Score::Kind::mate, value > 0 ? plies : -plies, think::Score::Bound::exact};
}

think::Line line_of(const book::Candidate& candidate, int rank) {
    think::Line line;
    line.rank = rank;
    line.depth = candidate.stored.depth.value_or(0);
    line.selective_depth = line.depth;
    line.score = score_of(candidate.stored.value.value_or(0));
    line.moves = candidate.line;
    return line;
}

}  // namespace

void declare_book_options(think::OptionSet& options) {
    options.add_check("USI_OwnBook", true, "Play moves of the book.");
    options.add_filename("BookFile", "user_book1.db",
                         "The book: a .db, .ybb, .bin or .sbk file, or several with commas between; no_book for none. "
                         "The built-in one where the file named by default does not exist.");
    options.add_string("BookDir", "book", "Folder of BookFile.");
    options.add_spin("BookMoves", 200, 0, 10000, "Use the book up to this move of the game.");
    options.add_spin("BookIgnoreRate", 0, 0, 100,
                     "Percent of the positions, at random, in which the book is not asked.");
    declare_book_limits(options);
    options.add_check("BookOnTheFly", false,
                      "Trust that the file is in order: a big book is ready at once, without having been read.");
    options.add_check("ConsiderBookMoveCount", false,
                      "Choose moves in proportion to how often they were played, instead of evenly.");
    options.add_check("NarrowBook", false, "Leave out moves played in less than a tenth of the games.");
    options.add_spin("BookPvMoves", 8, 1, 512, "Moves of the book to show in a line.");
    options.add_check("BookPreferDeeperSearch", false,
                      "After pondering on a book position: play the search's move if it saw deeper than the book.");
    options.add_check("IgnoreBookPly", true, "A position is the same whatever its move number.");
    options.add_check("FlippedBook", true, "Also look for the position with the colours exchanged.");
    options.add_spin("BookSeed", 0, 0, std::numeric_limits<std::int64_t>::max(),
                     "Repeats the choices among equal book moves; 0 for others in every run.");
}

book::ProbeSettings probe_settings(const think::OptionSet& options) {
    const auto number = [&](const char* name) { return static_cast<int>(options.spin(name)); };
    const auto by_color = [&](const char* common, const char* name) {
        return number(name) == as_usual ? number(common) : number(name);
    };
    book::ProbeSettings settings;
    settings.last_ply = number("BookMoves");
    settings.ignore_percent = number("BookIgnoreRate");
    settings.value_diff = {by_color("BookEvalDiff", "BookEvalBlackDiff"),
                           by_color("BookEvalDiff", "BookEvalWhiteDiff")};
    settings.value_limit = {number("BookEvalBlackLimit"), number("BookEvalWhiteLimit")};
    settings.depth_limit = {by_color("BookDepthLimit", "BookDepthBlackLimit"),
                            by_color("BookDepthLimit", "BookDepthWhiteLimit")};
    settings.ignore_ply = options.check("IgnoreBookPly");
    settings.flipped = options.check("FlippedBook");
    settings.narrow = options.check("NarrowBook");
    settings.by_count = options.check("ConsiderBookMoveCount");
    settings.line_length = number("BookPvMoves");
    return settings;
}

Result<std::vector<fs::path>> book_files(const think::OptionSet& options) {
    std::vector<fs::path> files;
    const think::Option& named = *options.find("BookFile");
    if (!options.check("USI_OwnBook") || named.value.empty() || named.value == no_book) return files;
    for (const std::string_view name : base::split(named.value, ',')) {
        const fs::path file = fs::path(options.text("BookDir")) / base::trim(name);  // an absolute name stays as it is
        const auto before = numbered(file);
        files.insert(files.end(), before.begin(), before.end());
        std::error_code problem;
        if (fs::exists(file, problem))
            files.push_back(file);
        else if (before.empty() && named.value != named.initial)
            return Error{Error::Code::io, fmt::format("BookFile: there is no file '{}'", file.string())};
    }
    return files;
}

OpeningBook::OpeningBook() : entropy_(std::random_device()()) {}

Result<void> OpeningBook::prepare(const think::OptionSet& options) {
    // Who asks for a book that cannot be used plays without any.
    const auto without = [this](Error why) -> Result<void> {
        shelf_ = {};
        opened_.clear();
        return why;
    };
    const auto files = book_files(options);
    if (!files) return without(files.error());
    std::vector<Opened> wanted;
    for (const fs::path& file : *files) {
        std::error_code problem;
        const auto written = fs::last_write_time(file, problem).time_since_epoch().count();
        wanted.push_back({file.string(), static_cast<std::int64_t>(written), options.check("BookOnTheFly")});
    }
    const think::Option& named = *options.find("BookFile");
    if (wanted.empty() && options.check("USI_OwnBook") && named.value == named.initial)
        wanted.push_back({std::string(built_in), 0, true});
    if (wanted == opened_) return {};
    book::Shelf shelf;
    for (const Opened& each : wanted) {
        if (each.file == built_in) {
            if (auto book = book::built_in_book()) shelf.volumes.push_back({each.file, std::move(book)});
            continue;
        }
        auto opened = book::open_book(each.file, each.trusted);
        if (!opened) return without(opened.error().in("the book cannot be used"));
        shelf.volumes.push_back({fs::path(each.file).filename().string(), *std::move(opened)});
    }
    shelf_ = std::move(shelf);
    opened_ = std::move(wanted);
    return {};
}

book::ProbeResult OpeningBook::ask(const shogi::Position& position, const think::Limits& limits,
                                   const think::OptionSet& options, std::uint64_t game) const {
    if (shelf_.volumes.empty() || !options.check("USI_OwnBook")) return {};
    const auto seed = static_cast<std::uint64_t>(options.spin("BookSeed"));
    base::Random random(base::SplitMix64(position.key() + (seed == 0 ? entropy_ : seed))() + game);
    return book::probe(shelf_, position, limits.root_moves, probe_settings(options), random);
}

void announce(const book::ProbeResult& result, think::Observer& observer) {
    for (const std::string& remark : result.remarks)
        observer.on_text(remark);
    if (!result.chosen) return;
    int rank = 0;
    observer.on_line(line_of(result.candidates[*result.chosen], ++rank));
    for (std::size_t i = 0; i < result.candidates.size(); ++i)
        if (i != *result.chosen && !result.candidates[i].line.empty())
            observer.on_line(line_of(result.candidates[i], ++rank));
    observer.on_text(fmt::format("book {}: {} is played", result.book,
                                 record::to_usi(result.candidates[*result.chosen].stored.move)));
}

think::Answer book_answer(const book::ProbeResult& result) {
    const book::Candidate& chosen = result.candidates[*result.chosen];
    think::Answer answer;
    answer.kind = think::Answer::Kind::move;
    answer.move = chosen.stored.move;
    if (chosen.line.size() > 1) answer.ponder = chosen.line[1];
    answer.score = score_of(chosen.stored.value.value_or(0));
    return answer;
}

}  // namespace tsumugi::engine
