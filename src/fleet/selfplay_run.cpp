// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/selfplay_run.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/hash.hpp"
#include "fleet/selfplay_job.hpp"

namespace tsumugi::fleet {
namespace {

using base::Error;
using base::Result;

}  // namespace

Result<std::unique_ptr<SelfplayRun>> SelfplayRun::open(const learn::SelfplaySettings& settings,
                                                       std::uint64_t games_a_job, OnGame on_game) {
    if (!settings.opening.suite.empty())
        return Error{Error::Code::unsupported, "openings of a file are not known to other hosts; leave out --openings"};
    auto writer = record::ArchiveWriter::open(settings.archive);
    if (!writer) return writer.error();
    std::unique_ptr<SelfplayRun> run(new SelfplayRun(settings, games_a_job, *std::move(writer), std::move(on_game)));
    if (const auto loaded = run->load(); !loaded) return loaded.error();
    const nlohmann::json provenance{{"program", "tsumugi cluster run selfplay"},
                                    {"games_a_job", games_a_job},
                                    {"job", nlohmann::json::parse(SelfplayJob{settings, 0, games_a_job}.to_text())}};
    if (!run->complete())
        if (const auto noted = run->writer_.add_provenance(provenance.dump()); !noted) return noted.error();
    return run;
}

Result<void> SelfplayRun::load() {
    auto reader = record::ArchiveReader::open(settings_.archive);
    if (!reader) return reader.error();
    for (std::vector<record::ArchivedHead> heads;;) {
        const auto more = reader->next_heads(heads);
        if (!more) return more.error().in(settings_.archive.string());
        if (!*more) return {};
        for (const record::ArchivedHead& head : heads)
            if (numbers_.insert(head.number).second) positions_ += head.plies;
    }
}

std::string SelfplayRun::name() const {
    std::error_code ignored;
    const std::string place = std::filesystem::absolute(settings_.archive, ignored).string();
    return base::sha256_hex(SelfplayJob{settings_, 0, games_a_job_}.to_text() + place).substr(0, 24);
}

std::optional<JobSource::Piece> SelfplayRun::next() {
    if (complete()) return std::nullopt;
    // A job of which a game is here was done; what is missing of it was dropped, or is on its way.
    const auto is_done = [&](std::uint64_t job) {
        const auto found = numbers_.lower_bound(job * games_a_job_);
        return found != numbers_.end() && *found < (job + 1) * games_a_job_;
    };
    while (is_done(next_job_))
        ++next_job_;
    const std::uint64_t job = next_job_++;
    return Piece{job, SelfplayJob{settings_, job * games_a_job_, games_a_job_}.to_text()};
}

Result<void> SelfplayRun::take(std::uint64_t number, const std::string& payload) {
    // Archives are read from files.
    const std::filesystem::path file = settings_.archive.string() + ".part";
    if (const auto written = base::write_file(file, payload); !written) return written;
    auto reader = record::ArchiveReader::open(file);
    if (!reader) return reader.error();
    for (record::ArchivedGame game;;) {
        const auto more = reader->next(game);
        if (!more) return more.error().in(fmt::format("job {}", number));
        if (!*more) break;
        if (game.number / games_a_job_ != number || !numbers_.insert(game.number).second) continue;
        if (const auto added = writer_.add(game); !added) return added;
        positions_ += game.plies.size();
        on_game_(game);
    }
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    // The result is confirmed to the brokers next, and must not be lost then.
    return writer_.flush();
}

}  // namespace tsumugi::fleet
