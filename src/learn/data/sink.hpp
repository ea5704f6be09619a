// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "learn/data/item.hpp"

namespace tsumugi::learn::data {

// A file of training data being written. It has its name when finish() has succeeded and is called NAME.part before.
class Sink {
public:
    virtual ~Sink() = default;

    // Files of positions take the positions of games that have a score, and no provenance.
    virtual base::Result<void> add(const Item& item) = 0;
    // Forces to the disk what was added.
    virtual base::Result<void> flush() = 0;
    virtual base::Result<void> finish() = 0;
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

// What an unfinished file holds already.
struct Beginning {
    std::uint64_t items = 0;  // games, or positions
    std::uint64_t provenances = 0;
    std::uint64_t last_number = 0;  // of a game
};

struct ResumedSink {
    std::unique_ptr<Sink> sink;
    Beginning beginning;
};

// The format follows from the name.
base::Result<std::unique_ptr<Sink>> create_sink(const std::filesystem::path& path);
// Goes on with an unfinished file, or begins one. Of positions a multiple of `unit` is kept. Not for hcpe3, whose games
// do not show where a file was cut.
base::Result<ResumedSink> resume_sink(const std::filesystem::path& path, std::uint64_t unit);

// May a command that reads the inputs write this file? Not over an input, not over another file unless told to, and no
// games when there are only positions.
base::Result<void> check_output(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs,
                                bool overwrite);

}  // namespace tsumugi::learn::data
