// The options of ictus-bench, declared once: for the command line, for plan files, for help and for `describe`.
#pragma once

#include "base/defaults.hpp"
#include "base/parameter.hpp"
#include "clock/clock.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::tool {

struct Option {
    Parameter declaration;
    std::string_view alias = {}; ///< a second spelling on the command line
    bool is_list = false;        ///< several values, separated by commas; each combination is a case
};

/// Options of the whole launch: the `launch` line of a plan.
[[nodiscard]] std::span<const Option> launch_options();
/// Options of a case: its line in a plan; on the command line they hold for all cases.
[[nodiscard]] std::span<const Option> case_options();

/// Values from the user, by option name, in order. Other options have their defaults.
class OptionValues {
public:
    /// Checks name and value against `options`. `where` begins the error message. Throws a usage Error.
    void set(std::span<const Option> options, std::string_view name, std::string_view value, const std::string& where);

    [[nodiscard]] bool has(std::string_view name) const;
    /// The user's value, or the default.
    [[nodiscard]] std::string value(std::span<const Option> options, std::string_view name) const;

private:
    std::vector<std::pair<std::string, std::string>> given_;
};

/// Whether `name` is one of the options, by name or alias.
[[nodiscard]] const Option* find_option(std::span<const Option> options, std::string_view name);

/// The options as text for --help, ...
[[nodiscard]] std::string help_text();
/// ... and those of one table, a line each.
[[nodiscard]] std::string help_of(std::span<const Option> options);

namespace shared {

// Options that launches and studies of clocks have in common.

inline constexpr Option ranks = {{.name = "ranks",
                                  .type = Parameter::Type::count,
                                  .default_value = "0",
                                  .help = "number of ranks that there must be; 0: any number",
                                  .maximum = 1e7}};
inline constexpr Option clock = {{.name = "clock",
                                  .type = Parameter::Type::member,
                                  .default_value = defaults::clock,
                                  .help = "where a rank reads its local time",
                                  .family = &ictus::clock::family}};
inline constexpr Option clock_domain = {
    {.name = "clock-domain",
     .type = Parameter::Type::choice,
     .default_value = "auto",
     .help = "which ranks are taken to read one counter, which is then verified: those of a host if its clock is "
             "common to it (auto), those of a host in any case (host), or none (rank)",
     .choices = "auto host rank"}};

} // namespace shared

} // namespace ictus::tool
