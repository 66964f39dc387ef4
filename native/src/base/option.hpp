// The options of a command, declared once: for the command line, for plan files, for help and for `describe`.
#pragma once

#include "base/parameter.hpp"

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus {

struct Option {
    Parameter declaration;
    std::string_view alias = {}; ///< a second spelling on the command line
    bool is_list = false;        ///< several values, separated by commas

    [[nodiscard]] constexpr Option list() const {
        Option many = *this;
        many.is_list = true;
        return many;
    }
    [[nodiscard]] constexpr Option spelled(std::string_view second) const {
        Option named = *this;
        named.alias = second;
        return named;
    }
    /// A number that may be one of these words, separated by blanks.
    [[nodiscard]] constexpr Option or_words(std::string_view words) const {
        Option wider = *this;
        wider.declaration.choices = words;
        return wider;
    }
    [[nodiscard]] constexpr Option or_auto() const {
        Option wider = *this;
        wider.declaration.allows_auto = true;
        return wider;
    }
};

namespace option {

/// Both ends are allowed.
struct Range {
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
};

constexpr Option number(Parameter::Type type, std::string_view name, std::string_view value, std::string_view help,
                        Range range) {
    return {{.name = name,
             .type = type,
             .default_value = value,
             .help = help,
             .minimum = range.minimum,
             .maximum = range.maximum}};
}
constexpr Option count(std::string_view name, std::string_view value, std::string_view help, Range range = {}) {
    return number(Parameter::Type::count, name, value, help, range);
}
constexpr Option real(std::string_view name, std::string_view value, std::string_view help, Range range = {}) {
    return number(Parameter::Type::real, name, value, help, range);
}
/// Seconds.
constexpr Option duration(std::string_view name, std::string_view value, std::string_view help, Range range = {}) {
    return number(Parameter::Type::duration, name, value, help, range);
}
/// A plain ratio.
constexpr Option rate(std::string_view name, std::string_view value, std::string_view help, Range range = {}) {
    return number(Parameter::Type::rate, name, value, help, range);
}
/// Bytes.
constexpr Option size(std::string_view name, std::string_view value, std::string_view help, Range range = {}) {
    return number(Parameter::Type::size, name, value, help, range);
}
constexpr Option text(std::string_view name, std::string_view value, std::string_view help) {
    return number(Parameter::Type::text, name, value, help, {});
}
constexpr Option flag(std::string_view name, std::string_view value, std::string_view help) {
    return number(Parameter::Type::flag, name, value, help, {});
}
/// One of `words`, separated by blanks.
constexpr Option choice(std::string_view name, std::string_view value, std::string_view help, std::string_view words) {
    return number(Parameter::Type::choice, name, value, help, {}).or_words(words);
}
constexpr Option member(std::string_view name, std::string_view value, std::string_view help,
                        const FamilyInfo& (*family)()) {
    Option one = number(Parameter::Type::member, name, value, help, {});
    one.declaration.family = family;
    return one;
}

} // namespace option

/// By name or alias; null where it is none of them.
[[nodiscard]] const Option* find_option(std::span<const Option> options, std::string_view name);

/// A line each, for --help.
[[nodiscard]] std::string help_of(std::span<const Option> options);

/// The values of a table of options, which outlives this object: the user's, and the defaults of all others. The typed
/// readings throw a usage Error, and a measurement Error for an option that is not declared.
class OptionValues {
public:
    explicit OptionValues(std::span<const Option> options) : options_(options) {}

    /// Checks name and value. `where` begins the error message. Throws a usage Error.
    void set(std::string_view name, std::string_view value, const std::string& where);

    [[nodiscard]] bool declares(std::string_view name) const { return find_option(options_, name) != nullptr; }
    [[nodiscard]] bool is_given(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::uint64_t count(std::string_view name) const;
    [[nodiscard]] double real(std::string_view name) const;
    [[nodiscard]] double duration(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const { return text(name) == "on"; }
    [[nodiscard]] Bound member(std::string_view name) const;
    /// The values of a list, as they were given.
    [[nodiscard]] std::vector<std::string> words(std::string_view name) const;
    [[nodiscard]] std::vector<Bound> members(std::string_view name) const;
    /// Ascending, without repeats.
    [[nodiscard]] std::vector<double> durations(std::string_view name) const;
    /// All of them, by name, for a record.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> all() const;

private:
    [[nodiscard]] const Option& find(std::string_view name) const;

    std::span<const Option> options_;
    std::vector<std::pair<std::string, std::string>> given_; ///< by the name that the table has for it
};

} // namespace ictus
