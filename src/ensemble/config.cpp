// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/config.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/toml_entries.hpp"
#include "cluster/connection_file.hpp"

namespace tsumugi::ensemble {
namespace {

using base::Error;
using base::Result;
using Entries = base::TomlEntries;

// A text of words as in a shell, or a list of them.
void read_command(Entries& entries, std::vector<std::string>& command) {
    const toml::node* node = entries.find("command");
    if (node == nullptr) return;
    if (const auto text = node->value_exact<std::string>()) {
        auto words = base::split_command(*text);
        if (!words) return entries.complain(*node, words.error().message);
        command = *std::move(words);
    } else if (const toml::array* words = node->as_array(); words != nullptr && words->is_homogeneous<std::string>()) {
        for (const toml::node& word : *words)
            command.push_back(word.value_or(std::string()));
    }
    if (command.empty())
        entries.complain(*node, "command is \"self\", a text such as \"ssh host engine\", or a list of words");
    if (command == std::vector<std::string>{"self"}) command.clear();
}

void read_options(Entries& entries, OptionValues& options) {
    const toml::node* node = entries.find("options");
    if (node == nullptr) return;
    if (!node->is_table()) return entries.complain(*node, "options is a table of USI options");
    for (const auto& [name, value] : *node->as_table()) {
        std::string text;
        if (const auto flag = value.value_exact<bool>())
            text = *flag ? "true" : "false";
        else if (const auto number = value.value_exact<std::int64_t>())
            text = std::to_string(*number);
        else if (const auto words = value.value_exact<std::string>())
            text = *words;
        else
            entries.complain(value,
                             fmt::format("the option {} is a text, a whole number, or true or false", name.str()));
        options.emplace_back(std::string(name.str()), std::move(text));
    }
}

// Copies of our engine differ by the seed of their noise, counted up from the one that is given.
void add_copies(const MemberConfig& member, int copies, std::vector<MemberConfig>& members) {
    constexpr std::string_view seed_option = "EvalNoiseSeed";
    if (copies == 1) return members.push_back(member);
    std::int64_t seed = 1;
    MemberConfig plain = member;
    std::erase_if(plain.options, [&](const auto& each) {
        if (each.first != seed_option) return false;
        seed = base::parse_number<std::int64_t>(each.second).ok() ? *base::parse_number<std::int64_t>(each.second) : 1;
        return true;
    });
    for (int i = 0; i < copies; ++i) {
        MemberConfig copy = plain;
        copy.name += std::to_string(i + 1);
        copy.options.emplace_back(seed_option, std::to_string(seed + i));
        members.push_back(std::move(copy));
    }
}

void read_player(Entries& entries, const std::filesystem::path& folder, MemberConfig& member) {
    std::string place;
    entries.read("name", member.name);
    entries.read("folder", place);
    read_command(entries, member.command);
    entries.read("engine", member.engine);
    entries.read("agent", member.agent);
    read_options(entries, member.options);
    if (!place.empty()) member.folder = folder / place;
}

Result<void> read_member(const toml::table& table, const std::filesystem::path& folder,
                         std::vector<MemberConfig>& members) {
    Entries entries(table);
    MemberConfig member;
    member.name = fmt::format("player{}", members.size() + 1);
    int copies = 1;
    read_player(entries, folder, member);
    entries.read("weight", member.weight, 0.0, 1e6);
    entries.read("scale", member.scale, 1.0, 1e6);
    entries.read("copies", copies, 1, 256);
    if (entries.mistake()) return *entries.mistake();
    if (!member.engine.empty() && !member.command.empty())
        return Error{Error::Code::syntax,
                     fmt::format("{}: command is for this machine, engine for a cluster; name one", member.name)};
    if (copies > 1 && !member.is_own())
        return Error{Error::Code::syntax,
                     fmt::format("{}: copies is for our own engine, whose noise makes them differ", member.name)};
    add_copies(member, copies, members);
    return {};
}

// "separate" or "shared", and how large a shared one is.
void read_tables(Entries& entries, Config& config) {
    std::string tables = "separate";
    entries.read("tables", tables);
    config.shares_tables = tables == "shared";
    if (tables != "separate" && tables != "shared")
        entries.complain(*entries.find("tables"), "tables is \"separate\" or \"shared\"");
    auto mebibytes = static_cast<std::int64_t>(config.shared_mib);
    entries.read("shared_hash", mebibytes, std::int64_t{1}, std::int64_t{1} << 20);
    config.shared_mib = static_cast<std::size_t>(mebibytes);
}

// A setting that would be ignored is a mistake.
Result<void> check_tables(const Config& config) {
    if (!config.shares_tables) return {};
    for (const MemberConfig& member : config.members)
        for (const auto& [name, value] : member.options)
            if (member.is_own() && (base::to_lower(name) == "usi_hash" || base::to_lower(name).starts_with("hash")))
                return Error{Error::Code::syntax,
                             fmt::format("{}: {} is for a table of its own; shared_hash says how large a shared one is",
                                         member.name, name)};
    return {};
}

Result<void> read_prediction(const toml::node& node, const std::filesystem::path& folder,
                             PredictionConfig& prediction) {
    if (!node.is_table()) return Error{Error::Code::syntax, "prediction is a table, written as [prediction]"};
    Entries entries(*node.as_table());
    std::int64_t time = prediction.time.count();
    entries.read("time", time, std::int64_t{1}, std::int64_t{60'000});
    prediction.time = think::Milliseconds(time);
    read_player(entries, folder, prediction.player);
    if (entries.mistake()) return *entries.mistake();
    return {};
}

Result<Config> read(const toml::table& root, const std::filesystem::path& folder) {
    Entries entries(root);
    Config config;
    auto seed = static_cast<std::int64_t>(config.seed);
    std::int64_t longest_think = config.longest_think.count();
    entries.read("name", config.name);
    entries.read("rule", config.rule);
    entries.read("seed", seed, std::int64_t{0}, std::numeric_limits<std::int64_t>::max());
    entries.read("switch_every", config.rule_settings.switch_every, 1, 10000);
    entries.read("middle_game_from", config.rule_settings.middle_game_from, 1, 10000);
    entries.read("endgame_from", config.rule_settings.endgame_from, 1, 10000);
    entries.read("longest_think", longest_think, std::int64_t{1}, std::int64_t{1'000'000'000});
    read_tables(entries, config);
    config.seed = static_cast<std::uint64_t>(seed);
    config.longest_think = think::Milliseconds(longest_think);
    const toml::node* players = entries.find("player");
    const toml::node* prediction = entries.find("prediction");
    const toml::node* brokers = entries.find("cluster");
    if (entries.mistake()) return *entries.mistake();
    if (brokers != nullptr) {
        if (!brokers->is_table()) return Error{Error::Code::syntax, "cluster is a table, written as [cluster]"};
        auto settings = cluster::read_connection(*brokers->as_table(), folder);
        if (!settings) return settings.error();
        config.cluster = *std::move(settings);
    }
    if (prediction != nullptr)
        if (const auto done = read_prediction(*prediction, folder, config.prediction); !done) return done.error();
    if (players == nullptr || !players->is_array_of_tables())
        return Error{Error::Code::syntax, "there are no players; each is written as [[player]]"};
    for (const toml::node& each : *players->as_array())
        if (const auto added = read_member(*each.as_table(), folder, config.members); !added) return added.error();
    if (const auto tables = check_tables(config); !tables) return tables.error();
    if (const auto rule = make_rule(config.rule, config.rule_settings, config.members.size()); !rule)
        return rule.error();
    return config;
}

}  // namespace

Result<Config> Config::parse(std::string_view text, const std::filesystem::path& folder) {
    return base::read_toml(text, [&](const toml::table& root) { return read(root, folder); });
}

Result<Config> Config::load(const std::filesystem::path& file) {
    const auto text = base::read_file(file);
    if (!text) return text.error();
    auto config = parse(*text, file.parent_path());
    if (!config) return config.error().in(file.string());
    return config;
}

}  // namespace tsumugi::ensemble
