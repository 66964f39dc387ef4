// What came of the barriers, for people and for scripts.
#pragma once

#include "preload/account.hpp"

namespace ictus::preload {

struct Report {
    const Settings& settings;
    const Account& account;
    int n_ranks;
    std::string library_version;
    std::string log_clock; ///< description of the log's clock; empty: exits are not logged
    double elapsed_s;      ///< from MPI_Init to MPI_Finalize; NaN while the program runs
};

/// preload.json (docs/preload.md).
[[nodiscard]] std::string as_json(const Report& report);

/// Lines for standard error.
[[nodiscard]] std::vector<std::string> as_lines(const Report& report);

} // namespace ictus::preload
