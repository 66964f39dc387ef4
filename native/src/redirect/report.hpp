// What came of the calls, for people and for scripts.
#pragma once

#include "redirect/account.hpp"
#include "redirect/settings.hpp"

namespace ictus::redirect {

struct RedirectReport {
    const RedirectSettings& settings;
    const Profile& profile;
    const Counts& counts; ///< of all processes; empty while the program runs
    int n_ranks;
    std::string library_version;
    double elapsed_s; ///< from MPI_Init to MPI_Finalize; NaN while the program runs
};

/// redirect.json (docs/redirect.md).
[[nodiscard]] std::string as_json(const RedirectReport& report);

/// Lines for standard error.
[[nodiscard]] std::vector<std::string> as_lines(const RedirectReport& report);

} // namespace ictus::redirect
