#include "base/option.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <algorithm>

namespace ictus {
namespace {

std::string known_names(std::span<const Option> options) {
    std::string names;
    for (const Option& option : options) {
        names += (names.empty() ? "" : ", ") + std::string(option.declaration.name);
    }
    return names;
}

void check_option(const Option& option, std::string_view value, const std::string& where) {
    const std::string what = where + " '" + std::string(option.declaration.name) + "'";
    if (!option.is_list || option.declaration.type == Parameter::Type::text) {
        return check_value(option.declaration, value, what);
    }
    for (const std::string& part : split_list(value)) {
        check_value(option.declaration, part, what);
    }
}

std::string title_of(std::string_view name) { return "option '" + std::string(name) + "'"; }

} // namespace

const Option* find_option(std::span<const Option> options, std::string_view name) {
    const auto found = std::ranges::find_if(options, [&](const Option& one) {
        return one.declaration.name == name || (!one.alias.empty() && one.alias == name);
    });
    return found == options.end() ? nullptr : &*found;
}

std::string help_of(std::span<const Option> options) {
    std::string text;
    for (const Option& option : options) {
        const Parameter& declaration = option.declaration;
        std::string line = "  --" + std::string(declaration.name) + (option.is_list ? " A,B,..." : "");
        line.resize(std::max<std::size_t>(line.size() + 1, 24), ' ');
        text += line + std::string(declaration.help);
        if (!declaration.default_value.empty()) {
            text += " (" + std::string(declaration.default_value) + ")";
        }
        text += '\n';
    }
    return text;
}

void OptionValues::set(std::string_view name, std::string_view value, const std::string& where) {
    const Option* option = find_option(options_, name);
    if (option == nullptr) {
        throw usage_error("unknown " + where + " '" + std::string(name) + "'; known are " + known_names(options_));
    }
    if (is_given(option->declaration.name)) {
        throw usage_error(where + " '" + std::string(name) + "' is given twice");
    }
    check_option(*option, value, where);
    given_.emplace_back(option->declaration.name, value);
}

bool OptionValues::is_given(std::string_view name) const {
    return std::ranges::any_of(given_, [&](const auto& one) { return one.first == name; });
}

const Option& OptionValues::find(std::string_view name) const {
    if (const Option* const option = find_option(options_, name)) {
        return *option;
    }
    throw measurement_error("the undeclared option '" + std::string(name) + "' was requested");
}

std::string OptionValues::text(std::string_view name) const {
    const Parameter& declaration = find(name).declaration;
    const auto given = std::ranges::find_if(given_, [&](const auto& one) { return one.first == declaration.name; });
    return given == given_.end() ? std::string(declaration.default_value) : given->second;
}

std::uint64_t OptionValues::count(std::string_view name) const { return parse_count(text(name), title_of(name)); }
double OptionValues::real(std::string_view name) const { return parse_real(text(name), title_of(name)); }
double OptionValues::duration(std::string_view name) const { return parse_duration(text(name), title_of(name)); }
std::vector<std::string> OptionValues::words(std::string_view name) const { return split_list(text(name)); }

Bound OptionValues::member(std::string_view name) const {
    return bind(find(name).declaration.family(), parse_spec(text(name)));
}

std::vector<Bound> OptionValues::members(std::string_view name) const {
    std::vector<Bound> all;
    for (const std::string& word : words(name)) {
        all.push_back(bind(find(name).declaration.family(), parse_spec(word)));
    }
    return all;
}

std::vector<double> OptionValues::durations(std::string_view name) const {
    std::vector<double> all;
    for (const std::string& word : words(name)) {
        all.push_back(parse_duration(word, title_of(name)));
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<std::pair<std::string, std::string>> OptionValues::all() const {
    std::vector<std::pair<std::string, std::string>> values;
    for (const Option& option : options_) {
        values.emplace_back(option.declaration.name, text(option.declaration.name));
    }
    return values;
}

} // namespace ictus
