#include "measure/validation.hpp"

#include "core/error.hpp"
#include "mpi/check.hpp"
#include "transport/control.hpp"

namespace ictus {

void validate_payload(Transport& transport, const CasePlan& plan, Operation& operation, std::uint64_t seed) {
    operation.fill(seed);
    mpi::check(operation.call(), std::string(plan.operation->mpi_name).c_str());
    const std::optional<Mismatch> mismatch = operation.check(seed);
    const int rank = transport.rank();
    const double first = -control::largest(transport, mismatch ? -rank : -transport.size());
    if (first >= transport.size()) {
        return;
    }
    if (static_cast<int>(first) == rank) {
        throw measurement_error("wrong result of " + std::string(plan.operation->mpi_name) + " with " +
                                std::to_string(plan.size_bytes) + " bytes of " + std::string(plan.datatype->mpi_name) +
                                " (case " + std::to_string(plan.id) + "): rank " + std::to_string(rank) + ", " +
                                mismatch->where + ": expected " + mismatch->expected + ", found " + mismatch->found);
    }
    transport.library_barrier(); // never completes: the failing rank ends the launch
}

} // namespace ictus
