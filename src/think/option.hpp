// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::think {

// Names and values, in the order they are set.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

// A setting of a player, as USI describes it.
struct Option {
    enum class Type { check, spin, combo, button, string, filename };

    std::string name;
    Type type = Type::string;
    std::string initial;  // "true"/"false" for checks, a number for spins
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    std::vector<std::string> choices;
    std::string help;  // one sentence for the documentation
    std::string value;
};

// The settings of one player, in the order they were declared. Names are found without regard to case.
class OptionSet {
public:
    void add_check(std::string name, bool initial, std::string help);
    void add_spin(std::string name, std::int64_t initial, std::int64_t minimum, std::int64_t maximum, std::string help);
    void add_combo(std::string name, std::string initial, std::vector<std::string> choices, std::string help);
    void add_button(std::string name, std::function<void()> pressed, std::string help);
    void add_string(std::string name, std::string initial, std::string help);
    void add_filename(std::string name, std::string initial, std::string help);
    // An option described elsewhere, e.g. by a program behind a pipe. It starts at its initial value.
    void add(Option option);

    // Refuses unknown names and values out of range, saying what would be accepted. Setting a button presses it.
    // "<empty>" is how USI writes an empty text.
    base::Result<void> set(std::string_view name, std::string_view value);

    // Asking for an option that was not declared, or for the wrong type, is a mistake of the program.
    [[nodiscard]] bool check(std::string_view name) const;
    [[nodiscard]] std::int64_t spin(std::string_view name) const;
    [[nodiscard]] const std::string& text(std::string_view name) const;
    [[nodiscard]] const Option* find(std::string_view name) const;
    [[nodiscard]] const std::vector<Option>& all() const { return options_; }

private:
    Option& declare(std::string name, Option::Type type, std::string initial, std::string help);
    [[nodiscard]] const Option& get(std::string_view name) const;
    void press(const std::string& name) const;

    std::vector<Option> options_;
    std::vector<std::pair<std::string, std::function<void()>>> buttons_;
};

}  // namespace tsumugi::think
