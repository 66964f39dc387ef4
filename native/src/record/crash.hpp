// What ends a rank by a signal is said by the rank itself: on standard error, and in its error file. A launcher names
// the process whose end it learns of first, which may be one that it killed itself because of another one's crash.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <string>
#include <string_view>

namespace ictus::record {

struct FatalSignal {
    int number;
    std::string_view name;
    std::string_view meaning; ///< empty where a program asks for it itself
};
/// Signals that a process gets for what it did, and SIGTERM, by which launchers end it and which only a witness
/// reports. SIGKILL reaches no handler: of that only the launcher can tell.
inline constexpr std::array<FatalSignal, 6> fatal_signals{{{SIGSEGV, "SIGSEGV", "an invalid address"},
                                                           {SIGBUS, "SIGBUS", "an invalid address"},
                                                           {SIGFPE, "SIGFPE", "a division by zero"},
                                                           {SIGILL, "SIGILL", "an invalid instruction"},
                                                           {SIGABRT, "SIGABRT", ""},
                                                           {SIGTERM, "SIGTERM", ""}}};
/// `SIGSEGV, an invalid address`.
[[nodiscard]] std::string describe(const FatalSignal& one);

/// What is written in a crash, made beforehand: a signal handler may allocate nothing. The time is filled in then.
struct CrashReport {
    std::string line;        ///< for standard error
    std::string json;        ///< for the error file
    std::size_t time_at = 0; ///< where the time begins in `json`
};
using CrashReports = std::array<CrashReport, fatal_signals.size()>;

/// The report of this rank for `what` happened to it; `kind` as in error.RANK.json.
[[nodiscard]] CrashReport make_crash_report(std::string_view kind, const std::string& what);

/// Writes a report now: the rank ends without a signal.
void write_crash_report(CrashReport& report);

/// Reports crashes from now on, in `folder`; with an empty one on standard error alone. Called again once the rank is
/// known (-1: not yet). A handler of a sanitizer stays.
void report_crashes(const std::string& folder, int rank, const std::string& host);

/// Another failure of this rank has been reported: what MPI_Abort does to it is none.
void stop_crash_reports();

/// Asked first for the report of the signal `fatal_signals[which]`; nullptr where it has none. One at a time.
using CrashWitness = CrashReport* (*)(std::size_t which);
void set_crash_witness(CrashWitness witness);

} // namespace ictus::record
