// From the command line or a plan file to settings. An unknown word is an error that lists the known ones.
#pragma once

#include "measure/options.hpp"
#include "measure/plan.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::tool {

/// The settings of a launch: one set for the launch, one a line of cases.
struct LaunchRequest {
    OptionValues launch{launch_options()};
    std::vector<OptionValues> cases;
    bool one_case_each = false; ///< from a plan: every line is exactly one case with its own id
};

/// What `--help` prints.
[[nodiscard]] std::string help_text();

/// Words behind the program's name: `--key value` or `--key=value`; a flag may stand alone. Throws a usage Error.
[[nodiscard]] LaunchRequest read_command_line(std::span<const std::string_view> words);

/// The same with one table of options and no cases. `where` begins the error message about an option.
[[nodiscard]] OptionValues read_options(std::span<const Option> options, std::span<const std::string_view> words,
                                        const std::string& where);

/// The text of a plan file. Throws a usage Error that names the line.
[[nodiscard]] LaunchRequest read_plan(std::string_view text, const std::string& file);

// From settings to the plan of a launch: binds names, combines lists, merges sizes that lead to the same case.

/// Throws usage Errors. `notes` receives what a user should know, such as merged sizes.
[[nodiscard]] LaunchPlan make_plan(const LaunchRequest& request, int n_ranks, std::vector<std::string>& notes);

} // namespace ictus::tool
