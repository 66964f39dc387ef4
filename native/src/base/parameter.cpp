#include "base/parameter.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <algorithm>

namespace ictus {
namespace {

using Type = Parameter::Type;

bool is_word_of(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (words.substr(0, end) == word) {
            return true;
        }
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

double number(const Parameter& parameter, std::string_view text, std::string_view what) {
    switch (parameter.type) {
    case Type::count:
    case Type::size: return static_cast<double>(parse_count(text, what));
    case Type::duration: return parse_duration(text, what);
    case Type::rate: return parse_rate(text, what);
    default: return parse_real(text, what);
    }
}

/// As `number`; where words are values too, the error names them.
double number_or_words(const Parameter& parameter, std::string_view text, const std::string& what) {
    try {
        return number(parameter, text, what);
    } catch (const Error& error) {
        if (parameter.choices.empty()) {
            throw;
        }
        throw usage_error(error.what() + std::string(", nor one of ") + std::string(parameter.choices));
    }
}

std::string known_parameters(const MemberInfo& info) {
    if (info.parameters.empty()) {
        return "it has none";
    }
    std::string text = "known are";
    for (const Parameter& parameter : info.parameters) {
        text += (text.size() == 9 ? " " : ", ") + std::string(parameter.name);
    }
    return text;
}

std::size_t position(const MemberInfo& info, std::string_view name) {
    std::size_t i = 0;
    while (i < info.parameters.size() && info.parameters[i].name != name) {
        ++i;
    }
    return i;
}

/// The parameters of type member whose chosen member knows `key`.
std::vector<std::size_t> takers(const MemberInfo& info, const std::vector<Spec>& chosen, std::string_view key) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
        const Parameter& parameter = info.parameters[i];
        if (parameter.type != Type::member) {
            continue;
        }
        const MemberInfo& nested = parameter.family().find(chosen[i].name);
        if (position(nested, key) < nested.parameters.size()) {
            found.push_back(i);
        }
    }
    return found;
}

bool takes_list(const MemberInfo& info) {
    return !info.parameters.empty() && info.parameters.front().type == Type::list;
}

/// The values of a list as arguments of a name of no meaning.
Spec default_of(const Parameter& parameter) {
    const std::string text(parameter.default_value);
    return parse_spec(parameter.type == Type::list ? "list(" + text + ")" : text);
}

/// Values of a list.
std::string example_of(const Parameter& list) {
    return list.default_value.empty() ? "..." : std::string(list.default_value);
}

/// Puts every argument at its parameter: by position, by name, or into the one nested member that knows the name.
std::vector<Spec> distribute(const FamilyInfo& family, const MemberInfo& info, const Spec& spec) {
    const std::string what = std::string(family.name) + " '" + std::string(info.name) + "'";
    std::vector<Spec> chosen;
    for (const Parameter& parameter : info.parameters) {
        chosen.push_back(default_of(parameter));
    }
    std::vector<bool> given(chosen.size(), false);
    std::vector<const Argument*> handed_on;
    bool named = false;
    for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
        const Argument& argument = spec.arguments[i];
        if (argument.key.empty() && named) {
            throw usage_error(what + ": positional arguments come before named ones");
        }
        named = named || !argument.key.empty();
        if (argument.key.empty() && takes_list(info)) {
            if (!given[0]) {
                chosen[0].arguments.clear();
            }
            given[0] = true;
            chosen[0].arguments.push_back(argument);
            continue;
        }
        const std::size_t at = argument.key.empty() ? i : position(info, argument.key);
        if (argument.key.empty() && at >= chosen.size()) {
            throw usage_error(what + ": too many arguments ('" + to_string(argument.value) + "'); " +
                              known_parameters(info));
        }
        if (at >= chosen.size()) {
            handed_on.push_back(&argument);
            continue;
        }
        if (info.parameters[at].type == Type::list) {
            throw usage_error(what + ": the values of '" + argument.key + "' are written without it: " +
                              std::string(info.name) + "(" + example_of(info.parameters[at]) + ")");
        }
        if (given[at]) {
            throw usage_error(what + ": parameter '" + std::string(info.parameters[at].name) + "' is given twice");
        }
        given[at] = true;
        chosen[at] = argument.value;
    }
    for (const Argument* argument : handed_on) {
        const auto found = takers(info, chosen, argument->key);
        if (found.empty()) {
            throw usage_error(what + ": unknown parameter '" + argument->key + "'; " + known_parameters(info));
        }
        if (found.size() > 1) {
            throw usage_error(what + ": parameter '" + argument->key +
                              "' belongs to several of its members; write it inside one of them");
        }
        Spec& taker = chosen[found[0]];
        if (!given[found[0]]) { // what the default says gives way
            std::erase_if(taker.arguments, [&](const Argument& other) { return other.key == argument->key; });
        }
        taker.arguments.push_back(*argument);
    }
    return chosen;
}

/// The values of a list of members in their full form.
Spec full_list(const Parameter& parameter, const Spec& values, const std::string& what) {
    Spec full{values.name, {}};
    for (const Argument& one : values.arguments) {
        full.arguments.push_back({"", bind(parameter.family(), one.value).spec()});
    }
    if (full.arguments.empty()) {
        throw usage_error(what + ": the list is empty; it takes one or more of family " +
                          std::string(parameter.family().name) + ", separated by commas");
    }
    return full;
}

} // namespace

std::string_view to_string(Type type) {
    switch (type) {
    case Type::count: return "count";
    case Type::real: return "real";
    case Type::duration: return "duration";
    case Type::rate: return "rate";
    case Type::size: return "size";
    case Type::flag: return "flag";
    case Type::choice: return "choice";
    case Type::member: return "member";
    case Type::text: return "text";
    case Type::list: return "list";
    }
    return "unknown";
}

const MemberInfo& FamilyInfo::find(std::string_view member) const {
    std::string known;
    for (const MemberInfo* info : members) {
        if (info->name == member) {
            return *info;
        }
        known += (known.empty() ? "" : ", ") + std::string(info->name);
    }
    throw usage_error("unknown " + std::string(name) + " '" + std::string(member) + "'; known are " + known);
}

void check_value(const Parameter& parameter, std::string_view text, const std::string& what) {
    if (parameter.allows_auto && text == "auto") {
        return;
    }
    switch (parameter.type) {
    case Type::text:
    case Type::list: return;
    case Type::member: (void)bind(parameter.family(), parse_spec(text)); return;
    case Type::flag:
        if (text != "on" && text != "off") {
            throw usage_error(what + ": '" + std::string(text) + "' is not on or off");
        }
        return;
    case Type::choice:
        if (!is_word_of(parameter.choices, text)) {
            throw usage_error(what + ": '" + std::string(text) + "' is not one of " + std::string(parameter.choices));
        }
        return;
    default: break;
    }
    if (is_word_of(parameter.choices, text)) {
        return;
    }
    const double value = number_or_words(parameter, text, what);
    if (value < parameter.minimum) {
        throw usage_error(what + ": " + std::string(text) + " is below the least value " +
                          format_real(parameter.minimum));
    }
    if (value > parameter.maximum) {
        throw usage_error(what + ": " + std::string(text) + " is above the greatest value " +
                          format_real(parameter.maximum));
    }
}

Bound bind(const FamilyInfo& family, const Spec& spec) {
    const MemberInfo& info = family.find(spec.name);
    const std::vector<Spec> chosen = distribute(family, info, spec);
    Bound bound;
    bound.info_ = &info;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Parameter& parameter = info.parameters[i];
        const std::string what = std::string(family.name) + " '" + std::string(info.name) + "', parameter '" +
                                 std::string(parameter.name) + "'";
        if (parameter.type == Type::member) {
            bound.nested_.push_back(bind(parameter.family(), chosen[i]));
            bound.texts_.emplace_back();
            continue;
        }
        if (parameter.type == Type::list) {
            bound.nested_.emplace_back();
            bound.texts_.push_back(
                to_string(parameter.family == nullptr ? chosen[i] : full_list(parameter, chosen[i], what)));
            continue;
        }
        if (!chosen[i].arguments.empty()) {
            throw usage_error(what + ": '" + to_string(chosen[i]) + "' takes no arguments");
        }
        check_value(parameter, chosen[i].name, what);
        bound.nested_.emplace_back();
        bound.texts_.push_back(chosen[i].name);
    }
    return bound;
}

std::size_t Bound::index(std::string_view parameter) const {
    const std::size_t at = position(*info_, parameter);
    if (at == info_->parameters.size()) {
        throw measurement_error("'" + std::string(info_->name) + "' was asked for its undeclared parameter '" +
                                std::string(parameter) + "'");
    }
    return at;
}

std::uint64_t Bound::count(std::string_view parameter) const { return parse_count(text(parameter), parameter); }
double Bound::real(std::string_view parameter) const {
    return number(info_->parameters[index(parameter)], text(parameter), parameter);
}
bool Bound::flag(std::string_view parameter) const { return text(parameter) == "on"; }
bool Bound::is_auto(std::string_view parameter) const { return text(parameter) == "auto"; }
bool Bound::is_word(std::string_view parameter) const {
    return is_word_of(info_->parameters[index(parameter)].choices, text(parameter));
}
const std::string& Bound::text(std::string_view parameter) const { return texts_[index(parameter)]; }
const Bound& Bound::member(std::string_view parameter) const { return nested_[index(parameter)]; }

std::vector<Spec> Bound::list(std::string_view parameter) const {
    std::vector<Spec> values;
    for (Argument& one : parse_spec(text(parameter)).arguments) {
        values.push_back(std::move(one.value));
    }
    return values;
}

Spec Bound::spec() const {
    Spec full{std::string(info_->name), {}};
    for (std::size_t i = 0; i < info_->parameters.size(); ++i) {
        const Parameter& parameter = info_->parameters[i];
        if (parameter.type == Type::list) {
            for (Spec& value : list(parameter.name)) {
                full.arguments.push_back({"", std::move(value)});
            }
            continue;
        }
        full.arguments.push_back(
            {std::string(parameter.name), parameter.type == Type::member ? nested_[i].spec() : Spec{texts_[i], {}}});
    }
    return full;
}

} // namespace ictus
