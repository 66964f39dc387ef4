// The C interface of MPIX_Harmonize: checks arguments, and turns Errors into MPI's. The work is done in Harmonizer.
#include "ictus/harmonize.h"
#include "base/summary.hpp"

#include "interface/harmonized_communicator.hpp"
#include "interface/mpi_error.hpp"
#include "mpi/fortran_handles.hpp"
#include "mpi/handles.hpp"

#include <type_traits>

namespace {

using namespace ictus;

void require_output(const void* output, const char* caller, const char* name) {
    if (output == nullptr) {
        throw MpiError(MPI_ERR_ARG,
                       std::string(caller) + ": " + name + " is NULL; it must point to where the result is written");
    }
}

/// Defines a result, whatever goes wrong after this.
template <class T>
void clear(T* output, std::type_identity_t<T> nothing) {
    if (output != nullptr) {
        *output = nothing;
    }
}

/// The object attached to `comm`, made in the first call; only that call makes the expensive checks of `comm`.
HarmonizedCommunicator& harmonized(MPI_Comm comm, const char* caller) {
    require_communicator(comm, caller);
    HarmonizedCommunicator* there = HarmonizedCommunicator::find(comm);
    if (there != nullptr) {
        return *there;
    }
    require_intracommunicator(comm, caller);
    return HarmonizedCommunicator::of(comm);
}

/// A local reading; NaN where there is no clock.
template <class F>
double reading(MPI_Comm comm, F f) noexcept {
    try {
        require_communicator(comm, "");
        if (HarmonizedCommunicator* there = HarmonizedCommunicator::find(comm); there != nullptr) {
            return f(*there);
        }
    } catch (...) { // the answer is NaN
    }
    return undefined;
}

} // namespace

int MPIX_Harmonize(MPI_Comm comm, int* flag) {
    return as_mpi_call(comm, MPI_ERR_INFO_VALUE, [&] {
        clear(flag, 0);
        require_communicator(comm, "MPIX_Harmonize");
        require_output(flag, "MPIX_Harmonize", "flag");
        *flag = harmonized(comm, "MPIX_Harmonize").harmonizer().meet() ? 1 : 0;
    });
}

int MPIX_Harmonize_set_info(MPI_Comm comm, MPI_Info info) {
    return as_mpi_call(comm, MPI_ERR_INFO_VALUE, [&] {
        require_intracommunicator(comm, "MPIX_Harmonize_set_info");
        HarmonizedCommunicator::set(comm, info);
    });
}

int MPIX_Harmonize_get_info(MPI_Comm comm, MPI_Info* info) {
    return as_mpi_call(comm, MPI_ERR_INFO_VALUE, [&] {
        clear(info, MPI_INFO_NULL);
        require_communicator(comm, "MPIX_Harmonize_get_info");
        require_output(info, "MPIX_Harmonize_get_info", "info");
        const auto constants = harmonized(comm, "MPIX_Harmonize_get_info").constants().by_key();
        mpi::check(MPI_Info_create(info), "MPI_Info_create");
        for (const auto& [key, value] : constants) {
            mpi::check(MPI_Info_set(*info, key.c_str(), value.c_str()), "MPI_Info_set");
        }
    });
}

int MPIX_Harmonize_get_statistics(MPI_Comm comm, MPIX_Harmonize_statistics* statistics) {
    return as_mpi_call(comm, MPI_ERR_OTHER, [&] {
        clear(statistics, {});
        require_communicator(comm, "MPIX_Harmonize_get_statistics");
        require_output(statistics, "MPIX_Harmonize_get_statistics", "statistics");
        if (HarmonizedCommunicator* there = HarmonizedCommunicator::find(comm); there != nullptr) {
            const Harmonizer::Statistics& own = there->harmonizer().statistics();
            *statistics = {own.calls,           own.missed,  own.overslept,      own.synchronisations,
                           own.synchronising_s, own.slack_s, own.largest_slack_s};
        }
    });
}

double ictus_global_time(MPI_Comm comm) {
    return reading(comm, [](HarmonizedCommunicator& there) {
        Harmonizer& harmonizer = there.harmonizer();
        return harmonizer.statistics().synchronisations > 0 ? harmonizer.clock().now().s : undefined;
    });
}

double ictus_global_time_bound(MPI_Comm comm) {
    return reading(comm,
                   [](HarmonizedCommunicator& there) { return there.harmonizer().bound(there.transport().now()); });
}

// For the Fortran module (native/fortran): handles are Fortran's integers.
extern "C" {

ICTUS_API int ictus_fortran_harmonize(MPI_Fint comm, int* flag) { return MPIX_Harmonize(MPI_Comm_f2c(comm), flag); }

ICTUS_API int ictus_fortran_set_info(MPI_Fint comm, MPI_Fint info) {
    return MPIX_Harmonize_set_info(MPI_Comm_f2c(comm), MPI_Info_f2c(info));
}

ICTUS_API int ictus_fortran_get_info(MPI_Fint comm, MPI_Fint* info) {
    MPI_Info made = MPI_INFO_NULL;
    const int code = MPIX_Harmonize_get_info(MPI_Comm_f2c(comm), &made);
    *info = MPI_Info_c2f(made);
    return code;
}

ICTUS_API int ictus_fortran_get_statistics(MPI_Fint comm, MPIX_Harmonize_statistics* statistics) {
    return MPIX_Harmonize_get_statistics(MPI_Comm_f2c(comm), statistics);
}

ICTUS_API double ictus_fortran_global_time(MPI_Fint comm) { return ictus_global_time(MPI_Comm_f2c(comm)); }

ICTUS_API double ictus_fortran_global_time_bound(MPI_Fint comm) { return ictus_global_time_bound(MPI_Comm_f2c(comm)); }

} // extern "C"
