// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/setting.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "think/win_rate.hpp"

namespace tsumugi::engine {
namespace {

using shogi::EnteringKingRule;
using think::Milliseconds;

constexpr std::array<std::pair<const char*, EnteringKingRule>, 6> entering_king_rules{{
    {"NoEnteringKing", EnteringKingRule::none},
    {"CSARule24", EnteringKingRule::points24},
    {"CSARule24H", EnteringKingRule::points24_handicap},
    {"CSARule27", EnteringKingRule::points27},
    {"CSARule27H", EnteringKingRule::points27_handicap},
    {"TryRule", EnteringKingRule::try_rule},
}};

// The choice that an option names in a table of names and meanings.
template <typename Table>
auto chosen(const Table& table, const std::string& name) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const auto& each) { return name == each.first; });
    return found->second;  // a combo accepts no other names
}

template <typename Table>
std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const auto& each : table)
        names.emplace_back(each.first);
    return names;
}

constexpr int lowest_strength = 1000;
constexpr int highest_strength = 3000;

void declare_basic(think::OptionSet& options) {
    options.add_spin("USI_Hash", 256, 1, 1 << 20, "Size of the transposition table in MiB.");
    options.add_spin(
        "HashKiB", 0, 0, 1 << 30,
        "Size of the transposition table in KiB instead, for experiments with small ones; 0 for USI_Hash.");
    options.add_combo("HashPolicy", "Ageing", names_of(search::table_policies),
                      "What becomes of the table's content from one move to the next: it ages, alternates between two "
                      "tables, or is cleared.");
    options.add_spin("HashSecondProbeDepth", 0, 0, 100,
                     "With HashPolicy Alternating: the older table is asked only from this remaining depth on.");
    options.add_combo("HashScheme", "Modern", names_of(search::table_schemes),
                      "Which positions stay when several fall on the same place of the table, for experiments.");
    options.add_spin("Threads", 1, 1, 512, "Search threads.");
    options.add_check("USI_Ponder", false,
                      "The GUI lets us think on the opponent's time, so a little more may be spent.");
    options.add_check("Stochastic_Ponder", false,
                      "Ponder on the position before the expected reply, which also helps when another one is played.");
    options.add_spin("MultiPV", 1, 1, 600, "Number of best lines to find and show.");
    options.add_spin("MateHelperNodes", 0, 0, 1'000'000,
                     "Nodes in which a thread of its own looks for a mate by checks in each position of the expected "
                     "line, and in the root; again with more while there is time. 0 for no such thread.");
    options.add_combo("QuiescencePolicy", "Standard", names_of(search::quiescence_policies),
                      "Which moves are looked at beyond the full search, for experiments.");
}

void declare_limits(think::OptionSet& options) {
    options.add_spin("DepthLimit", 0, 0, 10000, "Never search deeper than this; 0 for no limit.");
    options.add_spin("NodesLimit", 0, 0, 1'000'000'000'000'000, "Never search more nodes than this; 0 for no limit.");
    options.add_spin("MaxMovesToDraw", 0, 0, 100000, "The game is a draw after this many moves; 0 for never.");
    options.add_spin("ResignValue", 99999, 1, 99999, "Resign when the score falls to minus this; 99999 for never.");
    options.add_check("GenerateAllLegalMoves", false,
                      "Also consider the moves that leave a pawn, bishop or rook unpromoted without need.");
}

void declare_time(think::OptionSet& options) {
    options.add_spin("NetworkDelay", 120, 0, 10000, "Milliseconds that a move usually takes to reach the clock.");
    options.add_spin("NetworkDelay2", 1120, 0, 10000,
                     "Milliseconds that a move takes at worst: kept in reserve before a loss on time.");
    options.add_spin("MinimumThinkingTime", 2000, 0, 100000, "Milliseconds to think at least, where the clock allows.");
    options.add_spin("SlowMover", 100, 1, 1000, "Percent of the usual share of the remaining time to spend on a move.");
    options.add_check("RoundUpToFullSecond", true,
                      "The clock counts whole seconds: think to the end of one that has begun.");
}

void declare_rules(think::OptionSet& options) {
    options.add_combo("EnteringKingRule", "CSARule27", names_of(entering_king_rules),
                      "How a game is won by entering the opponent's camp.");
    options.add_spin("DrawValueBlack", -2, -30000, 30000, "What a draw is worth to us as Black, in centipawns.");
    options.add_spin("DrawValueWhite", -2, -30000, 30000, "What a draw is worth to us as White, in centipawns.");
}

void declare_output(think::OptionSet& options) {
    options.add_spin("PvInterval", 300, 0, 100000, "Milliseconds between lines of thought; 0 shows them all.");
    options.add_check("ConsiderationMode", false,
                      "Accepted for GUIs that set it: lines are shown in full with or without it.");
    options.add_check(
        "UCI_ShowWDL", false,
        "Show the expected points with every line, per thousand: wdl WON 0 LOST. Draws count half to each.");
    options.add_spin("WinRateScale", think::own_win_rate_scale, 1, 10000,
                     "The score that wins 73 % of the points, as shown by UCI_ShowWDL.");
    options.add_check("OutputFailLHPV", true, "Also show lines whose score is only a bound.");
}

void declare_evaluation(think::OptionSet& options) {
    options.add_string("EvalDir", "eval", "Folder whose nn.bin replaces the built-in net, if it exists.");
    options.add_filename("EvalFile", "",
                         "A net to use instead of the built-in one and of EvalDir, or the word material.");
    options.add_spin("FV_SCALE", 16, 1, 128, "Divisor from the output of a net to centipawns.");
    options.add_spin("EvalNoiseSigma", 0, 0, 10000,
                     "Standard deviation, in centipawns, of a fixed error added to every evaluation.");
    options.add_spin("EvalNoiseSeed", 0, 0, std::numeric_limits<std::int64_t>::max(),
                     "Chooses the errors of EvalNoiseSigma and the choices of SkillLevel.");
}

void declare_strength(think::OptionSet& options) {
    options.add_spin("SkillLevel", static_cast<std::int64_t>(full_skill), 0, static_cast<std::int64_t>(full_skill),
                     "How well to play: 20 is full strength, lower levels make more and more human-like mistakes.");
    options.add_check("USI_LimitStrength", false, "Play at USI_Strength instead of SkillLevel.");
    options.add_spin("USI_Strength", highest_strength, lowest_strength, highest_strength,
                     "The skill level on a scale like a rating: 100 points are one level, 3000 is full strength.");
}

}  // namespace

void declare_options(think::OptionSet& options) {
    declare_basic(options);
    declare_limits(options);
    declare_time(options);
    declare_rules(options);
    declare_output(options);
    declare_evaluation(options);
    declare_strength(options);
}

search::Settings search_settings(const think::OptionSet& options) {
    const auto number = [&](const char* name) { return static_cast<int>(options.spin(name)); };
    search::Settings settings;
    settings.threads = number("Threads");
    const std::int64_t kibibytes = options.spin("HashKiB");
    settings.table.kibibytes = static_cast<std::size_t>(kibibytes > 0 ? kibibytes : options.spin("USI_Hash") * 1024);
    settings.table.policy = chosen(search::table_policies, options.text("HashPolicy"));
    settings.table.second_probe_depth = number("HashSecondProbeDepth");
    settings.table.scheme = chosen(search::table_schemes, options.text("HashScheme"));
    settings.multi_pv = number("MultiPV");
    settings.draw_value_black = number("DrawValueBlack");
    settings.draw_value_white = number("DrawValueWhite");
    settings.max_moves_to_draw = number("MaxMovesToDraw");
    settings.generate_all_moves = options.check("GenerateAllLegalMoves");
    settings.entering_king = chosen(entering_king_rules, options.text("EnteringKingRule"));
    settings.pv_interval = Milliseconds(options.spin("PvInterval"));
    settings.output_fail_bounds = options.check("OutputFailLHPV");
    settings.time.network_delay = Milliseconds(options.spin("NetworkDelay"));
    settings.time.network_delay_worst = Milliseconds(options.spin("NetworkDelay2"));
    settings.time.minimum = Milliseconds(options.spin("MinimumThinkingTime"));
    settings.time.slow_mover = number("SlowMover");
    settings.time.round_up_to_second = options.check("RoundUpToFullSecond");
    settings.quiescence = chosen(search::quiescence_policies, options.text("QuiescencePolicy"));
    settings.ponder_enabled = options.check("USI_Ponder");
    return settings;
}

think::Limits with_option_limits(const think::Limits& limits, const think::OptionSet& options) {
    think::Limits tightened = limits;
    if (const auto depth = static_cast<int>(options.spin("DepthLimit")); depth > 0)
        tightened.depth = std::min(limits.depth.value_or(depth), depth);
    if (const auto nodes = static_cast<std::uint64_t>(options.spin("NodesLimit")); nodes > 0)
        tightened.nodes = std::min(limits.nodes.value_or(nodes), nodes);
    return tightened;
}

std::optional<double> skill_level(const think::OptionSet& options) {
    double level = static_cast<double>(options.spin("SkillLevel"));
    if (options.check("USI_LimitStrength"))
        level = static_cast<double>(options.spin("USI_Strength") - lowest_strength) * full_skill /
                (highest_strength - lowest_strength);
    if (level >= full_skill) return std::nullopt;
    return level;
}

}  // namespace tsumugi::engine
