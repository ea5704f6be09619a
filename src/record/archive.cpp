// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/archive.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;

// A block holds about so many bytes of moves before compression: some hundred games.
constexpr std::size_t block_moves = std::size_t{1} << 15;
// Far beyond any game; protects a reader against nonsense.
constexpr std::uint64_t most_plies = 1 << 16;

enum class BlockType : char { games = 'G', provenance = 'P' };
enum class Start : std::uint64_t { even, sfen };

void put(std::string& out, std::uint64_t value) {
    while (value >= 128) {
        out.push_back(static_cast<char>((value & 127) | 128));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

void put(std::string& out, std::string_view bytes) {
    put(out, bytes.size());
    out.append(bytes);
}

// Small numbers of either sign become small numbers.
constexpr std::uint64_t fold(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unfold(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// The rank of a legal move.
std::size_t rank_of(shogi::Move move, const shogi::MoveList& legal) {
    return static_cast<std::size_t>(
        std::count_if(legal.begin(), legal.end(), [&](shogi::Move m) { return m.bits() < move.bits(); }));
}

shogi::Move of_rank(std::size_t rank, const shogi::MoveList& legal) {
    std::array<shogi::Move, shogi::MoveList::capacity> sorted;
    std::copy(legal.begin(), legal.end(), sorted.begin());
    const auto wanted = sorted.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(sorted.begin(), wanted, sorted.begin() + static_cast<std::ptrdiff_t>(legal.size()),
                     [](shogi::Move a, shogi::Move b) { return a.bits() < b.bits(); });
    return *wanted;
}

}  // namespace

Result<ArchiveWriter> ArchiveWriter::open(const std::filesystem::path& path) {
    auto file = store::BlockWriter::open(path, archive_kind, {.level = 9});
    if (!file) return file.error();
    return ArchiveWriter(*std::move(file));
}

Result<void> ArchiveWriter::add(const ArchivedGame& game) {
    auto position = shogi::Position::from(game.start);
    if (!position) return position.error();
    std::string moves;
    std::string scores;
    // A score is stored as its difference from the last one seen from the same side; 0 says that there is none.
    int expected = 0;
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
        const ArchivedPly& ply = game.plies[i];
        shogi::MoveList legal;
        shogi::legal_moves(*position, legal);
        if (!legal.contains(ply.move))
            return Error{Error::Code::range,
                         fmt::format("game {}: move {} ({}) is not legal", game.number, i + 1, to_usi(ply.move))};
        put(moves, rank_of(ply.move, legal));
        put(scores, ply.has_score() ? fold(ply.score - expected) + 1 : 0);
        expected = ply.has_score() ? -ply.score : -expected;
        position->do_move(ply.move);
    }
    put(heads_, game.number);
    put(heads_, static_cast<std::uint64_t>(game.result) + 3 * static_cast<std::uint64_t>(game.end));
    put(heads_, game.plies.size());
    const bool even = game.start == shogi::Setup::even();
    put(heads_, static_cast<std::uint64_t>(even ? Start::even : Start::sfen));
    if (!even) put(heads_, to_sfen(game.start));
    moves_ += moves;
    scores_ += scores;
    ++games_;
    return moves_.size() < block_moves ? Result<void>() : flush();
}

Result<void> ArchiveWriter::flush() {
    if (games_ == 0) return file_.sync();
    std::string block(1, static_cast<char>(BlockType::games));
    put(block, games_);
    // Like stands with like, which compresses best.
    for (const std::string* part : {&heads_, &moves_, &scores_})
        put(block, *part);
    if (const auto written = file_.append(block); !written) return written.error();
    games_ = 0;
    for (std::string* part : {&heads_, &moves_, &scores_})
        part->clear();
    return {};
}

Result<void> ArchiveWriter::add_provenance(std::string_view text) {
    if (const auto flushed = flush(); !flushed) return flushed;
    std::string block(1, static_cast<char>(BlockType::provenance));
    block += text;
    const auto written = file_.append(block);
    if (!written) return written.error();
    return {};
}

bool ArchiveReader::Stream::get(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64 && at != end; shift += 7) {
        const auto byte = static_cast<std::uint8_t>(*at++);
        value |= static_cast<std::uint64_t>(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

bool ArchiveReader::Stream::get(std::string& bytes) {
    std::uint64_t size = 0;
    if (!get(size) || size > static_cast<std::uint64_t>(end - at)) return false;
    bytes.assign(at, static_cast<std::size_t>(size));
    at += size;
    return true;
}

Result<ArchiveReader> ArchiveReader::open(const std::filesystem::path& path) {
    auto file = store::BlockReader::open(path, archive_kind);
    if (!file) return file.error();
    return ArchiveReader(*std::move(file));
}

Error ArchiveReader::broken(std::string_view what) const {
    return Error{Error::Code::syntax, fmt::format("the block at byte {} is no block of games: {}", offset_, what)};
}

Result<bool> ArchiveReader::next_block() {
    while (true) {
        const auto event = file_.next();
        if (!event) return event.error();
        using Kind = store::BlockReader::Event::Kind;
        if (event->kind == Kind::end) return false;
        if (event->kind == Kind::damage) {
            damaged_bytes_ += event->size;
            continue;
        }
        offset_ = event->offset;
        if (event->data.empty()) return broken("it is empty");
        if (event->data[0] == static_cast<char>(BlockType::provenance)) {
            provenances_.emplace_back(event->data.substr(1));
            continue;
        }
        if (event->data[0] != static_cast<char>(BlockType::games)) return broken("its type is unknown");
        block_ = event->data;
        Stream all{block_.data() + 1, block_.data() + block_.size()};
        if (!all.get(games_)) return broken("it ends early");
        for (Stream* part : {&heads_, &moves_, &scores_}) {
            std::uint64_t size = 0;
            if (!all.get(size) || size > static_cast<std::uint64_t>(all.end - all.at)) return broken("it ends early");
            *part = {all.at, all.at + size};
            all.at += size;
        }
        if (games_ > 0) return true;
    }
}

Result<void> ArchiveReader::read_head(ArchivedHead& head, shogi::Setup& start) {
    std::uint64_t outcome = 0;
    std::uint64_t kind = 0;
    if (!heads_.get(head.number) || !heads_.get(outcome) || !heads_.get(head.plies) || !heads_.get(kind))
        return broken("it ends early");
    if (outcome >= 3 * archived_ends || kind > static_cast<std::uint64_t>(Start::sfen) || head.plies > most_plies)
        return broken("a game has no sensible head");
    head.result = static_cast<HcpeResult>(outcome % 3);
    head.end = static_cast<ArchivedEnd>(outcome / 3);
    if (static_cast<Start>(kind) == Start::even) {
        start = shogi::Setup::even();
        return {};
    }
    std::string sfen;
    if (!heads_.get(sfen)) return broken("it ends early");
    const auto parsed = parse_sfen(sfen);
    if (!parsed) return broken(parsed.error().message);
    start = *parsed;
    return {};
}

Result<void> ArchiveReader::read_plies(ArchivedGame& game, std::uint64_t count) {
    auto position = shogi::Position::from(game.start);
    if (!position) return broken(position.error().message);
    game.plies.clear();
    std::int64_t expected = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t rank = 0;
        std::uint64_t score = 0;
        if (!moves_.get(rank) || !scores_.get(score)) return broken("it ends early");
        shogi::MoveList legal;
        shogi::legal_moves(*position, legal);
        if (rank >= legal.size()) return broken(fmt::format("game {} has an impossible move", game.number));
        ArchivedPly ply;
        ply.move = of_rank(static_cast<std::size_t>(rank), legal);
        if (score > 0) {
            // A larger difference than between mates of either side would overflow the sum.
            const std::int64_t value =
                score > 4 * ArchivedPly::mate_score + 1 ? ArchivedPly::mate_score + 1 : unfold(score - 1) + expected;
            if (value > ArchivedPly::mate_score || value < -ArchivedPly::mate_score)
                return broken(fmt::format("game {} has an impossible score", game.number));
            ply.score = static_cast<std::int16_t>(value);
            expected = value;
        }
        expected = -expected;
        position->do_move(ply.move);
        game.plies.push_back(ply);
    }
    return {};
}

Result<bool> ArchiveReader::next(ArchivedGame& game) {
    if (games_ == 0) {
        const auto more = next_block();
        if (!more || !*more) return more;
    }
    --games_;
    ArchivedHead head;
    if (const auto read = read_head(head, game.start); !read) return read.error();
    game.number = head.number;
    game.result = head.result;
    game.end = head.end;
    if (const auto read = read_plies(game, head.plies); !read) return read.error();
    return true;
}

Result<bool> ArchiveReader::next_heads(std::vector<ArchivedHead>& heads) {
    heads.clear();
    if (games_ == 0) {
        const auto more = next_block();
        if (!more || !*more) return more;
    }
    shogi::Setup start;
    for (; games_ > 0; --games_)
        if (const auto read = read_head(heads.emplace_back(), start); !read) return read.error();
    return true;
}

}  // namespace tsumugi::record
