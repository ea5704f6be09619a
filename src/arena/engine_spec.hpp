// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/allowance.hpp"
#include "arena/guest.hpp"
#include "think/option.hpp"

namespace tsumugi::arena {

using think::OptionValues;

// A player of a match as the user describes it.
struct EngineSpec {
    std::string name;
    std::vector<std::string> command;  // empty: our own engine, inside this process, or a guest
    std::filesystem::path folder;      // where the command runs; empty: here
    OptionValues options;              // USI options in the order they are set; "{game}" stands for a game's number
    OptionValues parameters;           // numbers of the search (own engine only)
    Allowance allowance;
    bool ponder = false;
    std::optional<Guest> guest;  // has no command

    [[nodiscard]] bool is_own() const { return command.empty() && !guest; }
    // The name under which agents of a cluster offer it, for a command "cluster:NAME"; empty for all others.
    [[nodiscard]] std::string_view cluster_name() const {
        constexpr std::string_view prefix = "cluster:";
        if (command.size() != 1 || !command.front().starts_with(prefix)) return {};
        return std::string_view(command.front()).substr(prefix.size());
    }

    // The options that are another in every game, for this one, counted from 1; and those that are not.
    [[nodiscard]] OptionValues options_of_game(std::uint64_t number) const;
    [[nodiscard]] OptionValues lasting_options() const;

    // One "key=value": name, cmd ("self" for our own engine), dir, ponder, option.NAME, param.NAME and the bounds of
    // Allowance.
    base::Result<void> set(std::string_view key, std::string_view value);
    base::Result<void> set(std::string_view assignment);
    // Takes from `defaults` what is not said here.
    void fill_from(const EngineSpec& defaults);
    // Is it complete enough to play?
    [[nodiscard]] base::Result<void> check() const;
};

}  // namespace tsumugi::arena
