// The settings of libictus-redirect, and the report of the calls.
#pragma once

#include "interposition/imported_functions.hpp"
#include "redirect/account.hpp"

#include <cstdint>
#include <string>

namespace ictus::redirect {

/// The environment variables of libictus-redirect.
struct RedirectSettings {
    std::string profile;           ///< file
    std::string plugins;           ///< files that a profile may name, separated by colons
    std::string report;            ///< file; empty: lines on standard error
    std::uint64_t limit_bytes = 0; ///< volume of the largest call that is rerouted: bounds the memory
    std::uint64_t n_ranks = 0;     ///< that were requested; 0: not known
};

/// From the environment. Throws a usage Error that names variable, value and what is allowed.
[[nodiscard]] RedirectSettings read_settings();

/// The report of the calls, for people and for scripts.
struct RedirectReport {
    const RedirectSettings& settings;
    const Profile& profile;
    const CallCounts& counts; ///< of all processes; empty while the program runs
    int n_ranks;
    std::string library_version;
    double elapsed_s; ///< from MPI_Init to MPI_Finalize; NaN while the program runs
    std::vector<interposition::ImportedFunctions> not_covered{}; ///< imported_calls() of rank 0 at the end
};

/// What the objects of this process import that moves data or waits, of the one list (interposition/functions.hpp), and
/// is none of the functions that can be rerouted.
[[nodiscard]] std::vector<interposition::ImportedFunctions> imported_calls();

/// redirect.json (redirect.md).
[[nodiscard]] std::string as_json(const RedirectReport& report);

/// Lines for standard error.
[[nodiscard]] std::vector<std::string> as_lines(const RedirectReport& report);

} // namespace ictus::redirect
