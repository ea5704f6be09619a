// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/probe.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::book {
namespace {

using base::Result;
using shogi::Move;
using shogi::Position;

constexpr double narrow_share = 0.1;

Result<std::optional<Entry>> find(const Book& book, const shogi::Setup& setup, const ProbeSettings& settings) {
    const auto ply = settings.ignore_ply ? Book::Ply::any : Book::Ply::same;
    auto entry = book.find(setup, ply);
    if (!entry || *entry || !settings.flipped) return entry;
    auto turned = book.find(flipped(setup), ply);
    if (!turned || !*turned) return turned;
    return std::optional<Entry>(flipped(**turned));
}

// The move of an entry that a reader of the book would play, for lines to show.
Move likely_move(Entry entry, const Position& position) {
    sort_best_first(entry.moves);
    for (const StoredMove& each : entry.moves)
        if (position.is_legal(each.move)) return each.move;
    return Move::none();
}

// Follows the book from a move on: the reply it names, or else its best move there.
std::vector<Move> line_of(const Book& book, Position position, const StoredMove& first, const ProbeSettings& settings) {
    std::vector<Move> line;
    Move move = first.move;
    Move named = first.reply;
    while (!move.is_none() && line.size() < static_cast<std::size_t>(std::max(1, settings.line_length))) {
        line.push_back(move);
        position.do_move(move);
        const auto entry = find(book, position.setup(), settings);
        const bool known = entry.ok() && entry->has_value();
        if (!named.is_none() && position.is_legal(named))
            move = named;
        else
            move = known ? likely_move(**entry, position) : Move::none();
        const StoredMove* next = known ? (*entry)->find(move) : nullptr;
        named = next != nullptr ? next->reply : Move::none();
    }
    return line;
}

// Whether a move may be played, or why not.
class Judge {
public:
    Judge(const Position& position, const std::vector<Move>& allowed, const ProbeSettings& settings, const Entry& entry)
        : position_(position), allowed_(allowed), settings_(settings), side_(shogi::index(position.side_to_move())) {
        for (const StoredMove& each : entry.moves) {
            if (!position.is_legal(each.move)) continue;
            if (each.value && (!best_ || *each.value > *best_)) best_ = each.value;
            games_ += static_cast<double>(each.count.value_or(0));
        }
    }

    [[nodiscard]] std::string rejection(const StoredMove& move) const {
        if (!position_.is_legal(move.move)) return "it is illegal";
        if (!allowed_.empty() && std::find(allowed_.begin(), allowed_.end(), move.move) == allowed_.end())
            return "it is not among the moves asked for";
        if (loses_by_repetition(move.move)) return "it would be perpetual check";
        if (move.mark == Mark::bad || move.mark == Mark::blunder) return "the book marks it as bad";
        if (move.depth && *move.depth < settings_.depth_limit[side_])
            return fmt::format("its depth {} is below the limit of {}", *move.depth, settings_.depth_limit[side_]);
        if (move.value && *move.value < settings_.value_limit[side_])
            return fmt::format("its value {} is below the limit of {}", *move.value, settings_.value_limit[side_]);
        if (move.value && *best_ - *move.value > settings_.value_diff[side_])
            return fmt::format("it is worth {} less than the best, more than the {} allowed", *best_ - *move.value,
                               settings_.value_diff[side_]);
        if (settings_.narrow && games_ > 0 && move.count && static_cast<double>(*move.count) < narrow_share * games_)
            return fmt::format("it was played in {} of {:.0f} games, too few for NarrowBook", *move.count, games_);
        return "";
    }

private:
    [[nodiscard]] bool loses_by_repetition(Move move) const {
        Position after = position_;
        after.do_move(move);
        return after.game_repetition() == shogi::Repetition::win;  // for the side to move then
    }

    const Position& position_;
    const std::vector<Move>& allowed_;
    const ProbeSettings& settings_;
    std::size_t side_;
    std::optional<int> best_;
    double games_ = 0;
};

std::optional<std::size_t> choose(const std::vector<Candidate>& candidates, bool by_count, base::Random& random) {
    std::vector<std::uint64_t> weights;
    std::uint64_t sum = 0;
    for (const Candidate& each : candidates) {
        const std::int64_t count = by_count ? std::clamp<std::int64_t>(each.stored.count.value_or(0), 0, 1LL << 40) : 1;
        weights.push_back(each.rejection.empty() ? static_cast<std::uint64_t>(count) : 0);
        sum += weights.back();
    }
    // Nobody played any of them: all are equal again.
    if (sum == 0) return by_count ? choose(candidates, false, random) : std::nullopt;
    std::uint64_t at = random.below(sum);
    std::size_t i = 0;
    for (; at >= weights[i]; ++i)
        at -= weights[i];
    return i;
}

// Why a position that the book does hold is not used, if it holds it in a form that the settings leave aside.
std::string aside(const Book& book, const shogi::Setup& setup, const ProbeSettings& settings, Entry& passed_over) {
    for (const bool any_ply : {false, true})
        for (const bool any_color : {false, true}) {
            if (!any_ply && !any_color) continue;
            if ((any_ply && settings.ignore_ply) || (any_color && settings.flipped)) continue;
            ProbeSettings other = settings;
            other.ignore_ply = settings.ignore_ply || any_ply;
            other.flipped = settings.flipped || any_color;
            const auto entry = find(book, setup, other);
            if (!entry || !*entry) continue;
            passed_over = **entry;
            std::string why;
            if (any_ply)
                why = fmt::format("the book knows the position as move {} and IgnoreBookPly is false",
                                  passed_over.position.move_number);
            if (any_color)
                why += fmt::format("{}the book knows it with colours exchanged and FlippedBook is false",
                                   why.empty() ? "" : ", and ");
            return why;
        }
    return {};
}

void remark_all(const Shelf::Volume& volume, Entry entry, const std::string& why, ProbeResult& result) {
    sort_best_first(entry.moves);
    for (const StoredMove& each : entry.moves)
        result.remarks.push_back(
            fmt::format("book {}: {} is not played: {}", volume.name, record::to_usi(each.move), why));
}

// Fills `result` from one book; false when the book does not know the position.
bool consult(const Shelf::Volume& volume, const Position& position, const std::vector<Move>& allowed,
             const ProbeSettings& settings, base::Random& random, ProbeResult& result) {
    auto entry = find(*volume.book, position.setup(), settings);
    if (!entry) {
        result.remarks.push_back("book: " + entry.error().message);
        return false;
    }
    if (!*entry) {
        Entry passed_over;
        if (const auto why = aside(*volume.book, position.setup(), settings, passed_over); !why.empty())
            remark_all(volume, std::move(passed_over), why, result);
        return false;
    }
    if ((*entry)->moves.empty()) return false;
    sort_best_first((*entry)->moves);
    result.book = volume.name;
    result.candidates.clear();
    const Judge judge(position, allowed, settings, **entry);
    for (const StoredMove& each : (*entry)->moves) {
        Candidate candidate{each, {}, judge.rejection(each)};
        if (position.is_legal(each.move)) candidate.line = line_of(*volume.book, position, each, settings);
        result.candidates.push_back(std::move(candidate));
    }
    result.chosen = choose(result.candidates, settings.by_count, random);
    for (const Candidate& each : result.candidates)
        if (!each.rejection.empty())
            result.remarks.push_back(fmt::format("book {}: {} is not played: {}", volume.name,
                                                 record::to_usi(each.stored.move), each.rejection));
    return true;
}

}  // namespace

ProbeResult probe(const Shelf& shelf, const Position& position, const std::vector<Move>& allowed,
                  const ProbeSettings& settings, base::Random& random) {
    ProbeResult result;
    if (shelf.volumes.empty()) return result;
    if (position.move_number() > settings.last_ply) {
        for (const Shelf::Volume& volume : shelf.volumes)
            if (const auto entry = find(*volume.book, position.setup(), settings); entry && *entry)
                remark_all(volume, **entry, fmt::format("BookMoves ends the book at move {}", settings.last_ply),
                           result);
        return result;
    }
    if (settings.ignore_percent > 0 && random.below(100) < static_cast<std::uint64_t>(settings.ignore_percent)) {
        result.remarks.push_back("book: not asked this time, as BookIgnoreRate wants");
        return result;
    }
    for (const Shelf::Volume& volume : shelf.volumes)
        if (consult(volume, position, allowed, settings, random, result) && result.chosen) break;
    return result;
}

}  // namespace tsumugi::book
