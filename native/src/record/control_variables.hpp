// The control variables (MPI_T) of the MPI library that runs: their values, and what they may be set to.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ictus::record {

/// Name and value of each control variable (MPI_T) that can be read, in the library's order. A name that occurs again
/// gets " (2)", " (3)". Empty where the library has no tool interface. Local to the calling rank; one rank is enough.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> read_control_variables();

/// cvars.json: {"format": 1, "cvars": {name: value text}}.
[[nodiscard]] std::string cvars_json();

/// The values that each control variable accepts, as far as the library says: {"format": 1, "choices": {name:
/// {description, items: [{value, name}]}}}. The items are those of its enumeration; some libraries use the description
/// alone.
[[nodiscard]] std::string cvar_choices_json();

} // namespace ictus::record
