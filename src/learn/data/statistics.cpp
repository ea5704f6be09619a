// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/table.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Result;
using nlohmann::ordered_json;
using record::ArchivedPly;
using record::HcpeResult;

constexpr const auto& end_names = record::archived_end_names;
constexpr std::array<int, 9> score_steps{0, 100, 300, 600, 1000, 2000, 3000, ArchivedPly::least_mate_score, 1 << 15};
constexpr std::array<std::size_t, 9> ply_steps{0, 20, 40, 60, 80, 120, 160, 240, 1 << 20};
constexpr std::array<double, 7> shares{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

double ratio(double part, std::uint64_t all) { return all == 0 ? 0 : part / static_cast<double>(all); }
double ratio(std::uint64_t part, std::uint64_t all) { return ratio(static_cast<double>(part), all); }
double percent(std::uint64_t part, std::uint64_t all) { return 100 * ratio(part, all); }

// The first slot at which the sum has reached a share of all.
std::size_t quantile(const std::vector<std::uint64_t>& counts, std::uint64_t all, double share) {
    const double wanted = share * static_cast<double>(all);
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        sum += static_cast<double>(counts[i]);
        if (sum >= wanted && sum > 0) return i;
    }
    return 0;
}

std::string score_band(std::size_t i) {
    if (score_steps[i] == ArchivedPly::least_mate_score) return "mate";
    if (score_steps[i + 1] == ArchivedPly::least_mate_score) return fmt::format("{} and more", score_steps[i]);
    return fmt::format("{} to {}", score_steps[i], score_steps[i + 1] - 1);
}

std::string ply_band(std::size_t i) {
    if (i + 2 == ply_steps.size()) return fmt::format("{} and more", ply_steps[i]);
    return fmt::format("{} to {}", ply_steps[i], ply_steps[i + 1] - 1);
}

ordered_json results_json(const std::array<std::uint64_t, 3>& results) {
    return {{"black", results[1]}, {"white", results[2]}, {"draw", results[0]}};
}

}  // namespace

Result<void> Statistics::add(const Item& item) {
    if (const auto* provenance = std::get_if<Provenance>(&item)) {
        provenances_.push_back(provenance->text);
        return {};
    }
    if (const auto* value = std::get_if<record::PackedSfenValue>(&item)) {
        const auto position = position_of(*value);
        if (!position) return position.error().in(fmt::format("position {}", positions_ + 1));
        add_position(*position, value->move, value->score, value->result);
        return {};
    }
    const auto& game = std::get<record::ArchivedGame>(item);
    ++game_results_[static_cast<std::size_t>(game.result)];
    ++ends_[static_cast<std::size_t>(game.end)];
    other_starts_ += game.start == shogi::Setup::even() ? 0U : 1U;
    shortest_game_ = games_ == 0 ? game.plies.size() : std::min(shortest_game_, game.plies.size());
    longest_game_ = std::max(longest_game_, game.plies.size());
    moves_ += game.plies.size();
    ++games_;
    return replay(game, [&](const shogi::Position& position, const ArchivedPly& ply) {
        if (ply.has_score())
            add_position(position, ply.move, ply.score, result_for(position.side_to_move(), game.result));
    });
}

void Statistics::add_position(const shogi::Position& position, shogi::Move best, int score, int result) {
    ++positions_;
    const bool black = position.side_to_move() == shogi::Color::black;
    ++position_results_[result == 0 ? 0 : black == (result > 0) ? 1 : 2];
    in_check_ += position.in_check() ? 1U : 0U;
    loud_ += is_loud(position, best) ? 1U : 0U;
    const auto slot = static_cast<std::size_t>(score + score_slots / 2);
    ++scores_[slot];
    half_points_[slot] += static_cast<std::uint64_t>(result + 1);
    ++plies_[std::min<std::size_t>(static_cast<std::size_t>(position.move_number() - 1), longest)];
    distinct_.add(position.key());
}

Result<eval::nnue::ResultFit> Statistics::win_rate() const {
    constexpr int decided = 3000;  // beyond, results were mostly given by adjudication
    std::vector<eval::nnue::Observation> observations;
    for (int score = 1 - decided; score < decided; ++score) {
        const auto slot = static_cast<std::size_t>(score + score_slots / 2);
        if (scores_[slot] == 0) continue;
        const auto count = static_cast<double>(scores_[slot]);
        observations.push_back(
            {static_cast<double>(score), static_cast<double>(half_points_[slot]) / 2 / count, count});
    }
    return eval::nnue::fit_results(observations);
}

int Statistics::score_quantile(double share) const {
    return static_cast<int>(quantile(scores_, positions_, share)) - score_slots / 2;
}

std::size_t Statistics::ply_quantile(double share) const { return quantile(plies_, positions_, share); }

std::uint64_t Statistics::scores_within(int low, int high) const {
    std::uint64_t sum = 0;
    for (int slot = 0; slot < score_slots; ++slot) {
        const int size = std::abs(slot - score_slots / 2);
        if (low <= size && (size < high || high == 1 << 15)) sum += scores_[static_cast<std::size_t>(slot)];
    }
    return sum;
}

std::uint64_t Statistics::plies_within(std::size_t low, std::size_t high) const {
    std::uint64_t sum = 0;
    for (std::size_t ply = low; ply < std::min(high, plies_.size()); ++ply)
        sum += plies_[ply];
    return sum;
}

std::string Statistics::game_text() const {
    if (games_ == 0) return {};
    std::string text =
        fmt::format("games        {}: Black won {} ({:.1f} %), White {} ({:.1f} %), {} draws ({:.1f} %)\n", games_,
                    game_results_[1], percent(game_results_[1], games_), game_results_[2],
                    percent(game_results_[2], games_), game_results_[0], percent(game_results_[0], games_));
    text += fmt::format("lengths      {} to {} moves, {:.1f} on average; {} games begin from other positions\n",
                        shortest_game_, longest_game_, ratio(moves_, games_), other_starts_);
    report::Table ends({"end", "games", "%"});
    for (std::size_t i = 0; i < ends_.size(); ++i)
        if (ends_[i] > 0) ends.add({end_names[i], ends_[i], {percent(ends_[i], games_), 1}});
    return text + "\n" + ends.to_text() + "\n";
}

std::string Statistics::position_text() const {
    if (positions_ == 0) return {};
    std::string text;
    report::Table scores({"score of either sign", "positions", "%"});
    for (std::size_t i = 0; i + 1 < score_steps.size(); ++i) {
        const std::uint64_t count = scores_within(score_steps[i], score_steps[i + 1]);
        scores.add({score_band(i), count, {percent(count, positions_), 1}});
    }
    report::Table plies({"plies before", "positions", "%"});
    for (std::size_t i = 0; i + 1 < ply_steps.size(); ++i) {
        const std::uint64_t count = plies_within(ply_steps[i], ply_steps[i + 1]);
        plies.add({ply_band(i), count, {percent(count, positions_), 1}});
    }
    report::Table quantiles({"share of positions below", "score", "ply"});
    for (const double share : shares)
        quantiles.add({fmt::format("{:.0f} %", 100 * share), score_quantile(share), ply_quantile(share)});
    return scores.to_text() + "\n" + plies.to_text() + "\n" + quantiles.to_text() + "\n";
}

std::string Statistics::text() const {
    std::string text = game_text();
    const double repeated = std::max(static_cast<double>(positions_) - distinct(), 0.0);
    text += fmt::format("positions    {} with a score", positions_);
    if (games_ > 0) text += fmt::format(", of {} moves", moves_);
    text += fmt::format("\nof games     won by Black {:.1f} %, White {:.1f} %, drawn {:.1f} %\n",
                        percent(position_results_[1], positions_), percent(position_results_[2], positions_),
                        percent(position_results_[0], positions_));
    text += fmt::format("in check     {:.1f} %\nloud         {:.1f} % have a best move that captures or promotes\n",
                        percent(in_check_, positions_), percent(loud_, positions_));
    text += fmt::format("different    about {:.0f}: {:.1f} % occurred before\n", distinct(),
                        100 * ratio(repeated, positions_));
    if (const auto fit = win_rate())
        text += fmt::format("win rate     1 / (1 + exp(-score / {:.0f})) fits the results best\n", fit->scale);
    text += fmt::format("bytes        {}, {:.2f} a position\n", bytes_, ratio(bytes_, positions_));
    if (damaged_bytes_ > 0) text += fmt::format("damaged      {} bytes were skipped\n", damaged_bytes_);
    text += "\n" + position_text();
    for (const std::string& provenance : provenances_)
        text += "provenance   " + provenance + "\n";
    return text;
}

std::string Statistics::json() const {
    ordered_json ends;
    for (std::size_t i = 0; i < ends_.size(); ++i)
        ends[end_names[i]] = ends_[i];
    ordered_json scores = ordered_json::array();
    for (std::size_t i = 0; i + 1 < score_steps.size(); ++i)
        scores.push_back({{"from", score_steps[i]}, {"positions", scores_within(score_steps[i], score_steps[i + 1])}});
    ordered_json plies = ordered_json::array();
    for (std::size_t i = 0; i + 1 < ply_steps.size(); ++i)
        plies.push_back({{"from", ply_steps[i]}, {"positions", plies_within(ply_steps[i], ply_steps[i + 1])}});
    ordered_json quantiles = ordered_json::array();
    for (const double share : shares)
        quantiles.push_back({{"share", share}, {"score", score_quantile(share)}, {"ply", ply_quantile(share)}});
    ordered_json provenances = ordered_json::array();
    for (const std::string& text : provenances_) {
        const auto parsed = ordered_json::parse(text, nullptr, false);
        provenances.push_back(parsed.is_discarded() ? ordered_json(text) : parsed);
    }
    const auto fit = win_rate();
    const ordered_json all{{"games", games_},
                           {"game_results", results_json(game_results_)},
                           {"ends", std::move(ends)},
                           {"moves", moves_},
                           {"shortest_game", shortest_game_},
                           {"longest_game", longest_game_},
                           {"other_starts", other_starts_},
                           {"positions", positions_},
                           {"position_results", results_json(position_results_)},
                           {"in_check", in_check_},
                           {"loud", loud_},
                           {"distinct_estimate", std::round(distinct())},
                           {"win_rate_scale", fit ? ordered_json(fit->scale) : ordered_json()},
                           {"bytes", bytes_},
                           {"damaged_bytes", damaged_bytes_},
                           {"scores", std::move(scores)},
                           {"plies", std::move(plies)},
                           {"quantiles", std::move(quantiles)},
                           {"provenance", std::move(provenances)}};
    return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<Statistics> gather_statistics(const std::vector<std::filesystem::path>& inputs, const Monitor& monitor) {
    const auto source = open_sources(inputs);
    if (!source) return source.error();
    Statistics statistics;
    const auto poured = pour(
        **source, [&](Item& item) { return statistics.add(item); }, monitor);
    if (!poured) return poured.error();
    statistics.finish((*source)->bytes(), poured->damaged_bytes);
    return statistics;
}

}  // namespace tsumugi::learn::data
