#include "base/error.hpp"
#include "machine/host.hpp"
#include "record/crash.hpp"
#include "record/file.hpp"
#include "tool/commands.hpp"

#include <cstdio>

namespace ictus::tool {
namespace {

void leave_error(const mpi::Session& session, const std::string& folder, const Error& error) {
    record::stop_crash_reports();
    if (!folder.empty()) {
        record::write_error_file(folder, session.rank(), machine::read_host(machine::SystemTree()).name, error.kind(),
                                 error.what());
    }
}

[[noreturn]] void fail(const mpi::Session& session, const std::string& folder, const Error& error) {
    leave_error(session, folder, error);
    session.abort(error);
}

record::CrashReport& report_of_hang() {
    static record::CrashReport report;
    return report;
}

/// What a rank says from now on where it is ended, and not by a crash: all that is left of it is MPI_Finalize.
void announce_finalize() {
    report_of_hang() =
        record::make_crash_report("ended", "had not returned from MPI_Finalize when the launch was ended");
    record::set_crash_witness(
        [](std::size_t which) { return record::fatal_signals[which].number == SIGTERM ? &report_of_hang() : nullptr; });
}

} // namespace

int run_to_end(const mpi::Session& session, const std::string& folder, const std::function<void()>& body) {
    try {
        body();
        announce_finalize();
        return 0;
    } catch (const PlanError& error) {
        if (session.rank() == 0) {
            std::fprintf(stderr, "ictus-bench: %s\n", error.what());
            leave_error(session, folder, error);
        }
        return error.exit_code();
    } catch (const Error& error) {
        fail(session, folder, error);
    } catch (const std::exception& error) {
        fail(session, folder, measurement_error(error.what()));
    }
}

} // namespace ictus::tool
