// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/line_writer.hpp"

#include <fcntl.h>

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::protocol {

LineWriter::LineWriter(int descriptor)
    : write_([descriptor](std::string_view bytes) { static_cast<void>(base::write_all(descriptor, bytes)); }) {}

void LineWriter::line(std::string_view text) {
    const std::string whole = std::string(text) + '\n';
    const std::lock_guard lock(mutex_);
    write_(whole);
    log('>', text);
}

void LineWriter::info(std::string_view text) {
    for (const std::string_view each : base::split_lines(text))
        line("info string " + std::string(each));
}

base::Result<void> LineWriter::log_to(const std::filesystem::path& path) {
    base::Descriptor file;
    if (!path.empty()) {
        file = base::Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
        if (!file.open()) return base::system_error(fmt::format("cannot write the log '{}'", path.string()));
    }
    const std::lock_guard lock(mutex_);
    log_ = std::move(file);
    return {};
}

void LineWriter::log_input(std::string_view text) {
    const std::lock_guard lock(mutex_);
    log('<', text);
}

void LineWriter::log(char direction, std::string_view text) {
    if (!log_.open()) return;
    // A full disk must not stop the game.
    static_cast<void>(
        base::write_all(log_.number(), fmt::format("{:10.3f} {} {}\n", since_start_.seconds(), direction, text)));
}

}  // namespace tsumugi::protocol
