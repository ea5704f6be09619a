// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/relabel.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/thread.hpp"
#include "eval/net.hpp"
#include "learn/data/format.hpp"
#include "learn/data/part_file.hpp"
#include "learn/net_identity.hpp"
#include "learn/search_score.hpp"
#include "search/searcher.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;
using record::ArchivedGame;
using record::ArchivedPly;
using record::PackedSfenValue;

// What one worker does at a time, beginning with an empty table: a game, or so many positions. Nothing else may decide
// what a search finds in its table, or scores would depend on the number of workers.
constexpr std::size_t positions_per_unit = 256;
// Units at a time for each worker; the last ones of a round are waited for.
constexpr std::size_t units_per_worker = 8;
constexpr int largest_compared = 3000;

struct Unit {
    std::vector<Item> items;
    bool done = false;
    Result<void> problem;
};

std::uint64_t all_positions(const Item& item) {
    const auto* game = std::get_if<ArchivedGame>(&item);
    return game != nullptr ? game->plies.size() : scored_positions(item);
}

struct Tally {
    std::uint64_t positions = 0;
    std::uint64_t nodes = 0;
    std::uint64_t compared = 0;
    double change = 0;
};

class Labeller {
public:
    Labeller(const RelabelSettings& settings, std::shared_ptr<const eval::Evaluator> evaluator)
        : unscored_(settings.unscored) {
        search::Settings options;
        options.table.kibibytes = static_cast<std::size_t>(settings.table_mib) * 1024;
        searcher_.configure(options);
        searcher_.set_evaluator(std::move(evaluator));
        if (settings.depth > 0) limits_.depth = settings.depth;
        if (settings.nodes > 0) {
            limits_.soft_nodes = settings.nodes;
            limits_.nodes = 10 * settings.nodes;
        }
    }

    void label(Unit& unit, const std::stop_token& stop) {
        searcher_.clear();
        for (Item& item : unit.items) {
            if (auto* game = std::get_if<ArchivedGame>(&item))
                unit.problem = label(*game, stop);
            else if (auto* value = std::get_if<PackedSfenValue>(&item))
                unit.problem = label(*value, stop);
            if (!unit.problem || stop.stop_requested()) return;
        }
        unit.done = true;
    }

    [[nodiscard]] const Tally& tally() const { return tally_; }

private:
    Result<void> label(ArchivedGame& game, const std::stop_token& stop) {
        const auto replayed = replay(game, [&](const shogi::Position& position, ArchivedPly& ply) {
            if (stop.stop_requested() || (!ply.has_score() && !unscored_)) return;
            const std::int16_t score = score_of(position, stop);
            if (ply.has_score()) compare(ply.score, score);
            ply.score = score;
        });
        return replayed ? replayed : replayed.error().in(fmt::format("game {}", game.number));
    }

    Result<void> label(PackedSfenValue& value, const std::stop_token& stop) {
        const auto position = position_of(value);
        if (!position) return position.error();
        const std::int16_t score = score_of(*position, stop);
        compare(value.score, score);
        value.score = score;
        return {};
    }

    std::int16_t score_of(const shogi::Position& position, const std::stop_token& stop) {
        think::SilentObserver silence;
        const search::Outcome outcome = searcher_.search(position, limits_, silence, stop);
        ++tally_.positions;
        tally_.nodes += outcome.nodes;
        // Without a legal move there is nothing to search: the side to move is mated.
        return outcome.best.is_none() ? static_cast<std::int16_t>(-ArchivedPly::mate_score)
                                      : to_archived(outcome.score);
    }

    void compare(int before, int after) {
        if (std::max(std::abs(before), std::abs(after)) > largest_compared) return;
        ++tally_.compared;
        tally_.change += std::abs(after - before);
    }

    const bool unscored_;
    think::Limits limits_;
    search::Searcher searcher_;
    Tally tally_;
};

class Relabelling {
public:
    Relabelling(const RelabelSettings& settings, const Monitor& monitor) : settings_(settings), monitor_(monitor) {}

    Result<RelabelReport> run() {
        if (const auto ready = prepare(); !ready) return ready.error();
        const base::Stopwatch watch;
        base::Stopwatch since_flush;
        std::vector<Unit> units;
        for (bool more = true; more;) {
            const auto read = read_units(units);
            if (!read) return read.error();
            more = *read;
            label(units);
            if (const auto written = write(units); !written) return written.error();
            if (!units.empty() && !units.back().done) return report(watch, false);
            if (since_flush.seconds() < settings_.flush_seconds) continue;
            if (const auto flushed = sink_->flush(); !flushed) return flushed.error();
            since_flush.restart();
        }
        if (const auto finished = sink_->finish(); !finished) return finished.error();
        std::error_code ignored;
        std::filesystem::remove(note_path(), ignored);
        return report(watch, true);
    }

private:
    [[nodiscard]] std::filesystem::path note_path() const {
        return PartFile::name_for(settings_.output).string() + ".json";
    }

    // Everything that decides about the scores.
    Result<std::string> describe(const eval::Evaluator& evaluator) const {
        const auto net = net_identity(settings_.net);
        if (!net) return net.error();
        return ordered_json{{"program", "tsumugi data relabel"},
                            {"input", settings_.input.filename().string()},
                            {"input_bytes", source_->bytes()},
                            {"evaluation", evaluator.description()},
                            {"net_sha256", *net},
                            {"fv_scale", settings_.fv_scale},
                            {"nodes", settings_.nodes},
                            {"depth", settings_.depth},
                            {"table_mib", settings_.table_mib},
                            {"unscored", settings_.unscored}}
            .dump();
    }

    Result<void> check() const {
        if (settings_.nodes == 0 && settings_.depth == 0)
            return Error{Error::Code::range, "name a number of nodes or a depth to search positions with"};
        if (const auto fine = check_output(settings_.output, {settings_.input}, settings_.overwrite); !fine)
            return fine;
        if (holds_games(format_of(settings_.input)) != holds_games(format_of(settings_.output)))
            return Error{Error::Code::unsupported,
                         fmt::format("{} holds games: relabel them into an archive, and convert that",
                                     settings_.input.string())};
        return {};
    }

    Result<void> prepare() {
        if (const auto fine = check(); !fine) return fine;
        const auto evaluator = eval::choose_evaluator(settings_.net, {.fv_scale = settings_.fv_scale, .feature = {}});
        if (!evaluator) return evaluator.error();
        auto source = open_source(settings_.input);
        if (!source) return source.error();
        source_ = *std::move(source);
        const auto most = source_->most_positions();
        if (!most) return most.error();
        const auto note = describe(**evaluator);
        if (!note) return note.error();
        if (const auto begun = begin(*note); !begun) return begun;
        monitor_.begin(*most, passed_);
        for (int i = 0; i < std::max(settings_.workers, 1); ++i)
            labellers_.push_back(std::make_unique<Labeller>(settings_, *evaluator));
        return {};
    }

    // Opens the output, where an earlier run with the same settings ended.
    Result<void> begin(const std::string& note) {
        const bool begun = std::filesystem::exists(note_path());
        if (begun) {
            const auto before = base::read_file(note_path());
            if (!before) return before.error();
            if (*before != note)
                return Error{Error::Code::range,
                             fmt::format("{} was begun with other settings, which {} tells; remove both to begin anew",
                                         PartFile::name_for(settings_.output).string(), note_path().string())};
        } else {
            std::error_code ignored;
            std::filesystem::remove(PartFile::name_for(settings_.output), ignored);
        }
        auto resumed = resume_sink(settings_.output, positions_per_unit);
        if (!resumed) return resumed.error();
        if (!begun)
            if (const auto noted = base::write_file(note_path(), note); !noted) return noted;
        sink_ = std::move(resumed->sink);
        Beginning beginning = resumed->beginning;
        const bool archive = format_of(settings_.output) == Format::archive;
        if (archive && beginning.provenances == 0) return sink_->add(Provenance{note});
        if (archive) --beginning.provenances;
        return skip(beginning);
    }

    // Passes over what the output holds already.
    Result<void> skip(Beginning left) {
        std::uint64_t last_number = left.last_number;
        while (left.items > 0 || left.provenances > 0) {
            const auto more = source_->next(item_);
            if (!more) return more.error();
            const auto* game = std::get_if<ArchivedGame>(&item_);
            const bool provenance = std::holds_alternative<Provenance>(item_);
            std::uint64_t& counter = provenance ? left.provenances : left.items;
            if (!*more || counter == 0) return foreign();
            --counter;
            passed_ += all_positions(item_);
            already_ += scored_positions(item_);
            if (game != nullptr) last_number = game->number;
        }
        return last_number == left.last_number ? Result<void>() : foreign();
    }

    [[nodiscard]] Error foreign() const {
        return Error{Error::Code::range,
                     fmt::format("{} was not made from {}; remove it to begin anew",
                                 PartFile::name_for(settings_.output).string(), settings_.input.string())};
    }

    // False when the input ends with them.
    Result<bool> read_units(std::vector<Unit>& units) {
        units.clear();
        const std::size_t wanted = labellers_.size() * units_per_worker;
        const std::size_t size = source_->holds_games() ? 1 : positions_per_unit;
        while (true) {
            if (units.size() == wanted && units.back().items.size() == size) return true;
            const auto more = source_->next(item_);
            if (!more) return more.error();
            if (!*more) return false;
            if (units.empty() || units.back().items.size() == size) units.emplace_back();
            units.back().items.push_back(std::move(item_));
        }
    }

    void label(std::vector<Unit>& units) {
        base::parallel_for(units.size(), static_cast<int>(labellers_.size()), [&](std::size_t i, int worker) {
            if (monitor_.stop.stop_requested()) return;
            Unit& unit = units[i];
            labellers_[static_cast<std::size_t>(worker)]->label(unit, monitor_.stop);
            std::uint64_t positions = 0;
            for (const Item& item : unit.items)
                positions += all_positions(item);
            if (unit.done && positions > 0) monitor_.advance(positions);
        });
    }

    // Up to the first that was not completed.
    Result<void> write(std::vector<Unit>& units) {
        for (const Unit& unit : units) {
            if (!unit.problem) return unit.problem.error().in(settings_.input.string());
            if (!unit.done) {
                units.back().done = false;
                return sink_->flush();
            }
            for (const Item& item : unit.items)
                if (const auto added = sink_->add(item); !added) return added;
        }
        return {};
    }

    [[nodiscard]] RelabelReport report(const base::Stopwatch& watch, bool finished) const {
        RelabelReport all;
        all.already = already_;
        all.seconds = watch.seconds();
        all.finished = finished;
        std::uint64_t compared = 0;
        for (const auto& labeller : labellers_) {
            const Tally& tally = labeller->tally();
            all.positions += tally.positions;
            all.nodes += tally.nodes;
            all.mean_change += tally.change;
            compared += tally.compared;
        }
        all.mean_change /= static_cast<double>(std::max<std::uint64_t>(compared, 1));
        return all;
    }

    const RelabelSettings& settings_;
    const Monitor& monitor_;
    std::unique_ptr<Source> source_;
    std::unique_ptr<Sink> sink_;
    std::vector<std::unique_ptr<Labeller>> labellers_;
    Item item_;
    std::uint64_t passed_ = 0;   // positions of the output that an earlier run had written
    std::uint64_t already_ = 0;  // those with a score
};

}  // namespace

Result<RelabelReport> relabel(const RelabelSettings& settings, const Monitor& monitor) {
    return Relabelling(settings, monitor).run();
}

}  // namespace tsumugi::learn::data
