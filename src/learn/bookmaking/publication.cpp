// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/bookmaking/publication.hpp"

#include <map>
#include <system_error>

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

}  // namespace tsumugi::learn::bookmaking
