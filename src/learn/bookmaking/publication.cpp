// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/bookmaking/publication.hpp"

#include <algorithm>
#include <map>
#include <system_error>

#include "book/file.hpp"
#include "book/graph.hpp"

namespace tsumugi::learn::bookmaking {
namespace {

using base::Result;
namespace fs = std::filesystem;

Result<void> write_plainly(const Workspace& workspace, const fs::path& file, const Publication& publication) {
    auto output = book::Output::create(file, publication.writing);
    if (!output) return output.error();
    // In an order that is the same in every run.
    const std::map<std::string, book::Entry> ordered(workspace.entries().begin(), workspace.entries().end());
    for (const auto& [text, entry] : ordered)
        if (const auto added = output->add(entry); !added) return added;
    return output->finish([] {});
}

// What a workspace can hold of an entry.
book::Entry sound(book::Entry entry) {
    const auto illegal = book::tool::illegal_moves(entry);
    std::erase_if(entry.moves, [&](const book::StoredMove& each) {
        return std::find(illegal.begin(), illegal.end(), each.move) != illegal.end();
    });
    for (book::StoredMove& each : entry.moves) {
        if (each.value) each.value = std::clamp(*each.value, -book::mate_value, book::mate_value);
        if (each.depth) each.depth = std::clamp(*each.depth, 0, book::Graph::greatest_depth);
    }
    return entry;
}

}  // namespace

Result<book::tool::MinimaxReport> publish(const Workspace& workspace, const Publication& publication) {
    const fs::path plain =
        publication.output.parent_path() / ("." + publication.output.filename().string() + ".plain.db");
    if (const auto written = write_plainly(workspace, plain, publication); !written) return written.error();
    book::tool::MinimaxOptions options;
    options.input = plain;
    options.output = publication.output;
    options.draw_black = publication.draw_black;
    options.draw_white = publication.draw_white;
    options.overwrite = true;
    options.non_promotions = publication.non_promotions;
    options.writing = publication.writing;
    auto report = book::tool::minimax(
        options, [](const std::string&) {}, [](std::uint64_t, std::uint64_t) {});
    std::error_code ignored;
    fs::remove(plain, ignored);
    return report;
}

Result<TakeoverReport> take_over(Workspace& workspace, const fs::path& file, const book::tool::Advance& advance) {
    static constexpr std::size_t batch_size = 5000;
    auto source = book::open_source(file);
    if (!source) return source.error();
    TakeoverReport report;
    report.omission = (*source)->omission();
    const std::string reason = "from " + file.filename().string();
    std::vector<book::Entry> batch;
    for (bool more = true; more;) {
        book::Entry entry;
        const auto read = (*source)->next(entry);
        if (!read) return read.error();
        more = *read;
        if (more) batch.push_back(sound(std::move(entry)));
        if (more && batch.size() < batch_size) continue;
        const auto added = workspace.add_known(batch, reason);
        if (!added) return added.error();
        report.positions += batch.size();
        report.moves += *added;
        batch.clear();
        advance((*source)->done(), (*source)->size());
    }
    return report;
}

}  // namespace tsumugi::learn::bookmaking
