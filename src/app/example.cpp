// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/example.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/text.hpp"
#include "learn/data/source.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

// The number in a cell; one that is not there is 0.
base::Result<double> number_in(const std::string& cell) {
    return cell.empty() ? base::Result<double>(0.0) : base::parse_number<double>(cell);
}

base::Result<std::vector<Example>> read_lines(const base::MappedFile& file, std::size_t limit) {
    std::vector<Example> examples;
    std::istringstream in{std::string(file.text())};
    std::string line;
    for (int number = 1; std::getline(in, line) && examples.size() < limit; ++number) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream cells(line);
        std::string sfen;
        std::string score;
        std::string result;
        std::getline(cells, sfen, '\t');
        std::getline(cells, score, '\t');
        std::getline(cells, result, '\t');
        const auto setup = record::parse_sfen(sfen == "startpos" ? std::string(record::even_sfen) : sfen);
        if (!setup) return setup.error().in(fmt::format("line {}", number));
        const auto score_value = number_in(score);
        if (!score_value) return score_value.error().in(fmt::format("line {}, score", number));
        const auto result_value = number_in(result);
        if (!result_value) return result_value.error().in(fmt::format("line {}, result", number));
        examples.push_back({*setup, *score_value, (1 + *result_value) / 2});
    }
    return examples;
}

base::Result<std::vector<Example>> read_data(const std::string& path, std::size_t limit) {
    const auto source = learn::data::open_source(path);
    if (!source) return source.error();
    std::vector<Example> examples;
    const auto add = [&](const record::PackedSfenValue& value) -> base::Result<void> {
        if (examples.size() == limit) return {};
        const auto position = learn::data::position_of(value);
        if (!position) return position.error();
        examples.push_back({position->setup(), static_cast<double>(value.score), (1.0 + value.result) / 2});
        return {};
    };
    for (learn::data::Item item; examples.size() < limit;) {
        const auto more = (*source)->next(item);
        if (!more) return more.error();
        if (!*more) break;
        base::Result<void> added;
        if (const auto* game = std::get_if<record::ArchivedGame>(&item))
            added = learn::data::for_each_position(*game, add);
        else if (const auto* value = std::get_if<record::PackedSfenValue>(&item))
            added = add(*value);
        if (!added) return added.error().in(path);
    }
    return examples;
}

}  // namespace

base::Result<std::vector<Example>> read_examples(const std::string& path, std::size_t limit) {
    const auto file = base::MappedFile::open(path);
    if (!file) return file.error();
    // A packed position holds bytes that no text has.
    const std::string_view start = file->text().substr(0, 400);
    const bool is_text = std::all_of(start.begin(), start.end(), [](char c) {
        return c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c <= '~');
    });
    if (!is_text) return read_data(path, limit);
    auto examples = read_lines(*file, limit);
    if (!examples) return examples.error().in(path);
    return examples;
}

}  // namespace tsumugi::app
