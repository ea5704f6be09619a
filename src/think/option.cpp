// SPDX-License-Identifier: GPL-3.0-or-later
#include "think/option.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::think {
namespace {

constexpr std::string_view empty_text = "<empty>";

bool same_word(std::string_view a, std::string_view b) { return base::to_lower(a) == base::to_lower(b); }

base::Error refused(const Option& option, std::string_view value, const std::string& accepted) {
    return {base::Error::Code::range,
            fmt::format("option {} accepts {}, got '{}'", option.name, accepted, base::shorten(value, 60))};
}

// The value in the form it is kept, or why the option does not take it.
base::Result<std::string> accepted_value(const Option& option, std::string_view value) {
    switch (option.type) {
        case Option::Type::check:
            if (same_word(value, "true") || same_word(value, "false")) return base::to_lower(value);
            return refused(option, value, "true or false");
        case Option::Type::spin: {
            const auto number = base::parse_number<std::int64_t>(value, option.minimum, option.maximum);
            if (number) return std::to_string(*number);
            return refused(option, value, fmt::format("a number from {} to {}", option.minimum, option.maximum));
        }
        case Option::Type::combo: {
            const auto choice = std::find_if(option.choices.begin(), option.choices.end(),
                                             [&](const std::string& each) { return same_word(each, value); });
            if (choice != option.choices.end()) return *choice;
            return refused(option, value, "one of " + base::join(option.choices, ", "));
        }
        case Option::Type::button: return std::string();
        case Option::Type::string:
        case Option::Type::filename: return value == empty_text ? std::string() : std::string(value);
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace

Option& OptionSet::declare(std::string name, Option::Type type, std::string initial, std::string help) {
    assert(find(name) == nullptr && "an option is declared once");
    Option& option = options_.emplace_back();
    option.name = std::move(name);
    option.type = type;
    option.initial = initial;
    option.value = std::move(initial);
    option.help = std::move(help);
    return option;
}

void OptionSet::add_check(std::string name, bool initial, std::string help) {
    declare(std::move(name), Option::Type::check, initial ? "true" : "false", std::move(help));
}

void OptionSet::add_spin(std::string name, std::int64_t initial, std::int64_t minimum, std::int64_t maximum,
                         std::string help) {
    assert(minimum <= initial && initial <= maximum);
    Option& option = declare(std::move(name), Option::Type::spin, std::to_string(initial), std::move(help));
    option.minimum = minimum;
    option.maximum = maximum;
}

void OptionSet::add_combo(std::string name, std::string initial, std::vector<std::string> choices, std::string help) {
    assert(std::find(choices.begin(), choices.end(), initial) != choices.end());
    declare(std::move(name), Option::Type::combo, std::move(initial), std::move(help)).choices = std::move(choices);
}

void OptionSet::add_button(std::string name, std::function<void()> pressed, std::string help) {
    buttons_.emplace_back(name, std::move(pressed));
    declare(std::move(name), Option::Type::button, "", std::move(help));
}

void OptionSet::add_string(std::string name, std::string initial, std::string help) {
    declare(std::move(name), Option::Type::string, std::move(initial), std::move(help));
}

void OptionSet::add_filename(std::string name, std::string initial, std::string help) {
    declare(std::move(name), Option::Type::filename, std::move(initial), std::move(help));
}

void OptionSet::add(Option option) {
    assert(find(option.name) == nullptr && "an option is declared once");
    option.value = option.initial;
    options_.push_back(std::move(option));
}

base::Result<void> OptionSet::set(std::string_view name, std::string_view value) {
    const auto option =
        std::find_if(options_.begin(), options_.end(), [&](const Option& each) { return same_word(each.name, name); });
    if (option == options_.end())
        return base::Error{base::Error::Code::unsupported,
                           fmt::format("there is no option '{}'; `usi` lists them", base::shorten(name, 60))};
    auto accepted = accepted_value(*option, value);
    if (!accepted) return accepted.error();
    option->value = *std::move(accepted);
    if (option->type == Option::Type::button) press(option->name);
    return {};
}

void OptionSet::press(const std::string& name) const {
    for (const auto& [button, pressed] : buttons_)
        if (button == name && pressed) pressed();
}

const Option* OptionSet::find(std::string_view name) const {
    for (const Option& option : options_)
        if (same_word(option.name, name)) return &option;
    return nullptr;
}

const Option& OptionSet::get(std::string_view name) const {
    const Option* option = find(name);
    if (option == nullptr) throw std::logic_error(fmt::format("no option {} was declared", name));
    return *option;
}

bool OptionSet::check(std::string_view name) const { return get(name).value == "true"; }

std::int64_t OptionSet::spin(std::string_view name) const {
    const auto number = base::parse_number<std::int64_t>(get(name).value);
    if (!number) throw std::logic_error(fmt::format("option {} is no number", name));
    return *number;
}

const std::string& OptionSet::text(std::string_view name) const { return get(name).value; }

}  // namespace tsumugi::think
