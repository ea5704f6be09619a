// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "record/hcp.hpp"
#include "shogi/move.hpp"
#include "shogi/setup.hpp"
#include "store/block_file.hpp"

// Archives of games with scores, for training: millions of games in one append-only file, about two bytes a position
// (docs/training.md). A position is not stored but reached by its game's moves, and a move is stored as its rank
// among the legal moves of its position in the order of their bits: nothing but the rules decides what the bytes mean.

namespace tsumugi::record {

// What the header of its file says.
constexpr std::string_view archive_kind = "tsumugi games";

// A move and what its mover thought of the position before it.
struct ArchivedPly {
    static constexpr std::int16_t no_score = std::numeric_limits<std::int16_t>::min();
    // A mate in n plies is mate_score - n, being mated in n plies is n - mate_score.
    static constexpr std::int16_t mate_score = 32000;
    static constexpr std::int16_t least_mate_score = 31000;

    shogi::Move move;
    std::int16_t score = no_score;  // of the side to move, in centipawns

    [[nodiscard]] bool has_score() const { return score != no_score; }
    [[nodiscard]] bool is_mate() const {
        return has_score() && (score >= least_mate_score || score <= -least_mate_score);
    }

    bool operator==(const ArchivedPly&) const = default;
};

enum class ArchivedEnd : std::uint8_t {
    other,
    mate,
    adjudicated,
    repetition,
    perpetual_check,
    declaration,
    max_moves,
};
constexpr std::uint8_t archived_ends = 7;
constexpr std::array<const char*, archived_ends> archived_end_names{
    "other", "mate", "adjudicated", "repetition", "perpetual check", "declaration", "maximum moves"};

struct ArchivedGame {
    std::uint64_t number = 0;  // names the game within its archive
    shogi::Setup start = shogi::Setup::even();
    std::vector<ArchivedPly> plies;
    HcpeResult result = HcpeResult::draw;
    ArchivedEnd end = ArchivedEnd::other;

    bool operator==(const ArchivedGame&) const = default;
};

// Collects games and writes them in blocks. What flush() has written survives a crash.
class ArchiveWriter {
public:
    // Continues an archive, or begins one.
    static base::Result<ArchiveWriter> open(const std::filesystem::path& path);

    // Every move must be legal. Writes a block when enough games have come together.
    base::Result<void> add(const ArchivedGame& game);
    // Where the games that follow come from, as JSON.
    base::Result<void> add_provenance(std::string_view text);
    base::Result<void> flush();

    [[nodiscard]] std::uint64_t bytes() const { return file_.size(); }
    [[nodiscard]] std::uint64_t pending_games() const { return games_; }
    // What an earlier crash had left unfinished at the end, in bytes.
    [[nodiscard]] std::uint64_t cut_bytes() const { return file_.recovery().cut_bytes; }

private:
    explicit ArchiveWriter(store::BlockWriter file) : file_(std::move(file)) {}

    store::BlockWriter file_;
    std::uint64_t games_ = 0;
    std::string heads_;
    std::string moves_;
    std::string scores_;
};

// What is known of a game without replaying it.
struct ArchivedHead {
    std::uint64_t number = 0;
    std::uint64_t plies = 0;
    HcpeResult result = HcpeResult::draw;
    ArchivedEnd end = ArchivedEnd::other;
};

// Reads an archive from its beginning with one block in memory. Damaged parts are skipped and counted.
class ArchiveReader {
public:
    static base::Result<ArchiveReader> open(const std::filesystem::path& path);

    // The next game, or false at the end.
    base::Result<bool> next(ArchivedGame& game);
    // The heads of all games of the next block, or false at the end. Much faster than the games.
    base::Result<bool> next_heads(std::vector<ArchivedHead>& heads);

    // Those that were met so far; the last one is that of the game just read.
    [[nodiscard]] const std::vector<std::string>& provenances() const { return provenances_; }
    [[nodiscard]] std::uint64_t damaged_bytes() const { return damaged_bytes_; }
    // Where the block begins that was read last.
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

private:
    // A place in a stream of bytes.
    struct Stream {
        const char* at = nullptr;
        const char* end = nullptr;

        bool get(std::uint64_t& value);
        bool get(std::string& bytes);
    };

    explicit ArchiveReader(store::BlockReader file) : file_(std::move(file)) {}
    // Makes the streams those of the next block of games; false at the end.
    base::Result<bool> next_block();
    base::Result<void> read_head(ArchivedHead& head, shogi::Setup& start);
    base::Result<void> read_plies(ArchivedGame& game, std::uint64_t count);
    [[nodiscard]] base::Error broken(std::string_view what) const;

    store::BlockReader file_;
    std::string block_;
    std::uint64_t offset_ = 0;
    std::uint64_t games_ = 0;  // left in the block
    Stream heads_;
    Stream moves_;
    Stream scores_;
    std::vector<std::string> provenances_;
    std::uint64_t damaged_bytes_ = 0;
};

}  // namespace tsumugi::record
