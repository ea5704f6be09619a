// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/match_setting.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::arena {
namespace {

using base::Error;
using base::Result;

template <typename Target, typename Value>
Result<void> store(Target& target, Result<Value> value) {
    if (!value) return value.error();
    target = *std::move(value);
    return {};
}

Result<bool> parse_choice(const std::string& word, std::string_view no, std::string_view yes) {
    if (word != no && word != yes)
        return Error{Error::Code::syntax, fmt::format("expected {} or {}, got '{}'", no, yes, base::shorten(word, 40))};
    return word == yes;
}

Result<void> set_tournament(MatchConfig& config, const Words& words) {
    const auto gauntlet = parse_choice(words[0], "round-robin", "gauntlet");
    if (!gauntlet) return gauntlet.error();
    config.tournament = *gauntlet ? Tournament::gauntlet : Tournament::round_robin;
    return {};
}

Result<void> set_on_failure(MatchConfig& config, const Words& words) {
    const auto replay = parse_choice(words[0], "loss", "replay");
    if (!replay) return replay.error();
    config.pool.on_failure = *replay ? FailurePolicy::replay : FailurePolicy::loss;
    return {};
}

Result<void> set_records(MatchConfig& config, const Words& words) {
    config.records.clear();
    for (const std::string& word : words)
        for (const std::string_view name : base::split(word, ',')) {
            const auto format = record::find_format(name);
            if (!format) return Error{Error::Code::syntax, fmt::format("no format of records is called '{}'", name)};
            config.records.push_back(*format);
        }
    return {};
}

constexpr std::uint64_t most_games = 1'000'000'000;

const auto table = std::to_array<MatchSetting>({
    {"games", "Games of each pairing, in pairs with both colours (default 100)", 1, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.games, base::parse_number<std::uint64_t>(words[0], 1, most_games));
     }},
    {"tournament", "Who plays whom: round-robin (default) or gauntlet, the first against all others", 1, 1,
     set_tournament},
    {"openings", "File of start positions: SFEN, USI move lists or game records", 1, 1,
     [](MatchConfig& config, const Words& words) -> Result<void> {
         config.openings.file = words[0];
         return {};
     }},
    {"opening-plies", "Cut openings after so many moves", 1, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.openings.plies, base::parse_number<std::size_t>(words[0], 0, 10'000));
     }},
    {"shuffle", "Take the openings in random order", 0, 0,
     [](MatchConfig& config, const Words&) -> Result<void> {
         config.openings.shuffle = true;
         return {};
     }},
    {"seed", "Of the random order (default 1)", 1, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.openings.seed, base::parse_number<std::uint64_t>(words[0]));
     }},
    {"concurrency", "Games at once (default 1)", 1, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.pool.concurrency, base::parse_number<int>(words[0], 1, 1024));
     }},
    {"pin", "Keep every game, with its programs, on a processor of its own", 0, 0,
     [](MatchConfig& config, const Words&) -> Result<void> {
         config.pool.pin = true;
         return {};
     }},
    {"sprt",
     "Stop when decided: gain [0, 2], keep [-1.75, 0.25], large [0, 10], or elo0= elo1= alpha= beta= "
     "model=normalized|logistic",
     0, 6, [](MatchConfig& config, const Words& words) { return store(config.sprt, parse_sprt(words)); }},
    {"max-moves", "The game is a draw after this move; 0 for never (default 320)", 1, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.pool.play.rules.max_moves, base::parse_number<int>(words[0], 0, 100'000));
     }},
    {"declaration", "Rule of entering kings: 27 (default), 24, 27-handicap, 24-handicap, try, none", 1, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.pool.play.rules.declaration, parse_declaration_rule(words[0]));
     }},
    {"time-margin", "How much too late an answer may come before it loses (default 50ms)", 1, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.pool.play.time_margin, parse_duration(words[0]));
     }},
    {"longest-think", "When a player bound by nodes or depth only counts as hanging (default 5m)", 1, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.pool.play.longest_think, parse_duration(words[0]));
     }},
    {"on-failure", "Games in which a program crashes, hangs or answers nonsense: loss (default) or replay", 1, 1,
     set_on_failure},
    {"resign", "End games that both players see as decided: cp=3000 moves=3", 0, 2,
     [](MatchConfig& config, const Words& words) {
         return store(config.pool.play.adjudication.resign, parse_resign(words));
     }},
    {"draw", "End games that both players see as level: cp=10 moves=20 from=160", 0, 3,
     [](MatchConfig& config, const Words& words) {
         return store(config.pool.play.adjudication.draw, parse_draw(words));
     }},
    {"mate", "End games in which both players announce the same mate: moves=1", 0, 1,
     [](MatchConfig& config, const Words& words) {
         return store(config.pool.play.adjudication.mate, parse_mate(words));
     }},
    {"records", "Also write every game as csa, kif, usi, … (commas between)", 1, 8, set_records},
    {"out", "Folder of the results (default matches/NAMES-FINGERPRINT)", 1, 1,
     [](MatchConfig& config, const Words& words) -> Result<void> {
         config.folder = words[0];
         return {};
     }},
});

Result<void> apply_setting(MatchConfig& config, const MatchRequest::Said& said) {
    const auto* const setting =
        std::find_if(table.begin(), table.end(), [&](const MatchSetting& each) { return each.name == said.name; });
    if (setting == table.end())
        return Error{Error::Code::syntax, fmt::format("no setting is called '{}'", base::shorten(said.name, 40))};
    const auto count = static_cast<int>(said.words.size());
    if (count < setting->fewest_words || count > setting->most_words)
        return Error{Error::Code::syntax, fmt::format("{} takes {} to {} words, got {}", said.name,
                                                      setting->fewest_words, setting->most_words, count)};
    const auto done = setting->apply(config, said.words);
    return done ? done : done.error().in(said.name);
}

std::string_view name_of(const Words& engine) {
    for (const std::string& word : engine)
        if (word.starts_with("name=")) return std::string_view(word).substr(5);
    return "";
}

}  // namespace

std::span<const MatchSetting> match_settings() { return table; }

void MatchRequest::add(const MatchRequest& other) {
    settings.insert(settings.end(), other.settings.begin(), other.settings.end());
    each.insert(each.end(), other.each.begin(), other.each.end());
    for (const Words& engine : other.engines) {
        const auto same = std::find_if(engines.begin(), engines.end(),
                                       [&](const Words& known) { return name_of(known) == name_of(engine); });
        if (same != engines.end())
            *same = engine;
        else
            engines.push_back(engine);
    }
}

Result<MatchConfig> MatchRequest::to_config() const {
    MatchConfig config;
    for (const Said& said : settings)
        if (const auto done = apply_setting(config, said); !done) return done.error();
    EngineSpec defaults;
    for (const std::string& word : each)
        if (const auto done = defaults.set(word); !done) return done.error().in("each");
    for (const Words& words : engines) {
        EngineSpec engine;
        for (const std::string& word : words)
            if (const auto done = engine.set(word); !done)
                return done.error().in(fmt::format("engine '{}'", name_of(words)));
        engine.fill_from(defaults);
        config.engines.push_back(std::move(engine));
    }
    return config;
}

}  // namespace tsumugi::arena
