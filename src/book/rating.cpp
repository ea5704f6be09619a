// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/rating.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/text.hpp"

namespace tsumugi::book {
namespace {

using base::Error;
using base::Result;
using Ratings = std::array<std::optional<double>, 2>;

// A line "black_rate:NAME:3456.0", in which the name may hold colons.
void read_line(std::string_view line, Ratings& ratings) {
    line = base::trim(line);
    if (line.starts_with('\'')) line.remove_prefix(1);
    const bool black = line.starts_with("black_rate:");
    if (!black && !line.starts_with("white_rate:")) return;
    const auto rating = base::parse_number<double>(base::trim(line.substr(line.rfind(':') + 1)));
    if (rating) ratings[black ? 0 : 1] = *rating;
}

}  // namespace

Result<RatingTable> RatingTable::parse(std::string_view text) {
    RatingTable table;
    std::size_t number = 0;
    for (const std::string_view line : base::split_lines(text)) {
        ++number;
        const std::string_view content = base::trim(line);
        if (content.empty() || content.starts_with('#')) continue;
        const std::size_t gap = content.find_last_of(" \t");
        const auto rating = base::parse_number<double>(gap == std::string_view::npos ? "" : content.substr(gap + 1));
        if (!rating)
            return Error{Error::Code::syntax, fmt::format("line {}: expected a name and a rating, got '{}'", number,
                                                          base::shorten(content, 60))};
        table.ratings_[std::string(base::trim(content.substr(0, gap)))] = *rating;
    }
    return table;
}

Result<RatingTable> RatingTable::load(const std::filesystem::path& file) {
    const auto text = base::read_file(file);
    if (!text) return text.error();
    auto table = parse(*text);
    if (!table) return table.error().in(file.string());
    return table;
}

std::optional<double> RatingTable::find(std::string_view name) const {
    auto found = ratings_.find(name);
    if (found == ratings_.end()) found = ratings_.find(name.substr(0, name.find('+')));
    if (found == ratings_.end()) return std::nullopt;
    return found->second;
}

Ratings ratings_in(std::string_view text) {
    Ratings ratings;
    for (const std::string_view line : base::split_lines(text))
        read_line(line, ratings);
    return ratings;
}

Ratings ratings_of(const record::Game& game, const RatingTable& table) {
    Ratings ratings;
    for (std::size_t i = 0; i < game.node_count(); ++i)
        if (game.node(i).comment.find("_rate:") != std::string::npos)
            for (const std::string_view line : base::split(game.node(i).comment, '\n'))
                read_line(line, ratings);
    static constexpr std::array<std::array<std::string_view, 2>, 2> headers{{{"先手", "下手"}, {"後手", "上手"}}};
    for (const shogi::Color color : shogi::both_colors)
        for (const std::string_view header : headers[shogi::index(color)])
            if (const std::string* name = game.header(header); name != nullptr && !ratings[shogi::index(color)])
                ratings[shogi::index(color)] = table.find(*name);
    return ratings;
}

}  // namespace tsumugi::book
