// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/sample.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/random.hpp"
#include "base/thread.hpp"
#include "learn/data/item.hpp"
#include "record/archive.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::learn {
namespace {

using base::Error;
using base::Result;
using Path = std::filesystem::path;

bool holds_positions(const Path& path) { return path.extension() == ".psv" || path.extension() == ".bin"; }

bool wanted_score(int score, const SampleFilter& filter) { return std::abs(score) < filter.max_score; }

bool wanted_position(const shogi::Position& position, shogi::Move best, const SampleFilter& filter) {
    if (!filter.in_check && position.in_check()) return false;
    return filter.captures || !data::is_loud(position, best);
}

// Games fall on one side of the split by their number alone, whatever else is read with them.
bool held_out(std::uint64_t number, double share) {
    return static_cast<double>(base::SplitMix64(number)() >> 11) * 0x1p-53 < share;
}

class Loader {
public:
    Loader(const SampleFilter& filter, int threads, const std::function<void(std::uint64_t)>& report)
        : filter_(filter), threads_(threads), report_(report) {}

    // One file after the other where a file can be divided among threads, one thread per file where it cannot.
    Result<SampleSet> load(const std::vector<Path>& paths) {
        std::vector<std::optional<Result<SampleSet>>> parts(paths.size());
        base::parallel_for(paths.size(), threads_, [&](std::size_t i, int) {
            if (!holds_positions(paths[i])) parts[i] = load_archive(paths[i]);
        });
        for (std::size_t i = 0; i < paths.size(); ++i)
            if (!parts[i]) parts[i] = load_positions(paths[i]);
        SampleSet all;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (!*parts[i]) return parts[i]->error().in(paths[i].string());
            append(all, std::move(**parts[i]));
            parts[i].reset();
        }
        if (filter_.limit > 0 && all.training.size() > filter_.limit) all.training.resize(filter_.limit);
        return all;
    }

private:
    // A set may fill half of the memory: the first one is taken over without a copy.
    static void append(SampleSet& all, SampleSet part) {
        if (all.read == 0) {
            all = std::move(part);
            return;
        }
        all.training.insert(all.training.end(), part.training.begin(), part.training.end());
        all.validation.insert(all.validation.end(), part.validation.begin(), part.validation.end());
        all.games += part.games;
        all.read += part.read;
    }

    void tell(std::uint64_t bytes) const {
        if (report_) report_(bytes);
    }

    [[nodiscard]] bool enough(const SampleSet& set) const {
        return filter_.limit > 0 && set.training.size() >= filter_.limit;
    }

    [[nodiscard]] Result<SampleSet> load_archive(const Path& path) const {
        auto reader = record::ArchiveReader::open(path);
        if (!reader) return reader.error();
        SampleSet set;
        record::ArchivedGame game;
        const std::uint64_t bytes = total_bytes({path});
        while (!enough(set)) {
            const auto more = reader->next(game);
            if (!more) return more.error();
            if (!*more) break;
            auto& samples = held_out(game.number, filter_.validation) ? set.validation : set.training;
            if (auto added = add_game(game, samples); !added) return added.error();
            ++set.games;
            set.read += game.plies.size();
        }
        tell(bytes);
        return set;
    }

    [[nodiscard]] Result<void> add_game(const record::ArchivedGame& game, std::vector<Sample>& samples) const {
        auto start = shogi::Position::from(game.start);
        if (!start) return start.error().in(fmt::format("game {}", game.number));
        shogi::Position& position = *start;
        for (const record::ArchivedPly& ply : game.plies) {
            if (ply.has_score() && !ply.is_mate() && position.move_number() > filter_.min_ply &&
                wanted_score(ply.score, filter_) && wanted_position(position, ply.move, filter_)) {
                const auto packed = record::to_packed_sfen(position.setup());
                if (!packed) return packed.error().in(fmt::format("game {}", game.number));
                samples.push_back({*packed, ply.score,
                                   static_cast<std::int8_t>(data::result_for(position.side_to_move(), game.result)),
                                   1});
            }
            position.do_move(ply.move);
        }
        return {};
    }

    // Chunks are read by all threads and put together in their order.
    [[nodiscard]] Result<SampleSet> load_positions(const Path& path) const {
        constexpr std::size_t size = record::PackedSfenValue::size;
        constexpr std::size_t chunk = 1 << 16;
        const auto file = base::MappedFile::open(path);
        if (!file) return file.error();
        if (file->size() % size != 0)
            return Error{Error::Code::syntax, fmt::format("{} bytes are no whole number of records of {} bytes; an "
                                                          "archive of games must not end in .psv or .bin",
                                                          file->size(), size)};
        const std::size_t count = file->size() / size;
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(file->bytes().data());
        std::vector<std::vector<Sample>> chunks((count + chunk - 1) / chunk);
        std::vector<std::optional<Error>> problems(chunks.size());
        base::parallel_for(chunks.size(), threads_, [&](std::size_t c, int) {
            const std::size_t end = std::min(count, (c + 1) * chunk);
            for (std::size_t i = c * chunk; i < end && !problems[c]; ++i) {
                const std::span<const std::uint8_t, size> record(bytes + i * size, size);
                if (auto added = add_record(record, chunks[c]); !added)
                    problems[c] = added.error().in(fmt::format("record {}", i + 1));
            }
            tell((end - c * chunk) * size);
        });
        for (const auto& problem : problems)
            if (problem) return *problem;
        SampleSet set;
        for (const auto& part : chunks)
            set.training.insert(set.training.end(), part.begin(), part.end());
        const auto held = static_cast<std::size_t>(filter_.validation * static_cast<double>(set.training.size()));
        set.validation.assign(set.training.end() - static_cast<std::ptrdiff_t>(held), set.training.end());
        set.training.resize(set.training.size() - held);
        set.read = count;
        return set;
    }

    [[nodiscard]] Result<void> add_record(std::span<const std::uint8_t, record::PackedSfenValue::size> bytes,
                                          std::vector<Sample>& samples) const {
        const auto value = record::read_packed_sfen_value(bytes);
        if (!value) return value.error();
        // The number of the move to come; writers that do not know it write 0.
        const bool early = value->game_ply > 0 && value->game_ply <= filter_.min_ply;
        if (early || !wanted_score(value->score, filter_)) return {};
        const auto setup = record::from_packed_sfen(value->position);
        if (!setup) return setup.error();
        const auto position = shogi::Position::from(*setup);
        if (!position) return position.error();
        if (wanted_position(*position, value->move, filter_))
            samples.push_back({value->position, value->score, value->result,
                               static_cast<std::uint8_t>(value->move == shogi::Move::none() ? 0 : 1)});
        return {};
    }

    const SampleFilter& filter_;
    const int threads_;
    const std::function<void(std::uint64_t)>& report_;
};

}  // namespace

Result<SampleSet> load_samples(const std::vector<Path>& paths, const SampleFilter& filter, int threads,
                               const std::function<void(std::uint64_t)>& report) {
    return Loader(filter, threads, report).load(paths);
}

std::uint64_t total_bytes(const std::vector<Path>& paths) {
    std::uint64_t sum = 0;
    for (const Path& path : paths) {
        std::error_code problem;
        const auto size = std::filesystem::file_size(path, problem);
        if (!problem) sum += size;
    }
    return sum;
}

}  // namespace tsumugi::learn
