#include "measure/validation.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "mpi/handles.hpp"
#include "transport/control.hpp"
#include "workload/operation/nested.hpp"

#include <algorithm>

namespace ictus {
namespace {

/// What else tells the call from others, where it is not the usual.
std::string where(const CasePlan& plan, int root) {
    const std::string communicator = to_string(plan.communicator.spec());
    return (communicator == "world" ? "" : ", communicator " + communicator) +
           (plan.rotates_root && plan.operation->rooted ? ", root " + std::to_string(root) : "");
}

bool has_persistent(const CasePlan& plan) {
    return std::ranges::any_of(operation::leaves(plan.call), [](const Bound& one) {
        return operation::traits(one.info().name).form == Form::persistent;
    });
}

void validate_call(Transport& transport, const CasePlan& plan, int root, Operation& operation, std::uint64_t seed) {
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
                                " (case " + std::to_string(plan.id) + where(plan, root) + "): rank " +
                                std::to_string(rank) + ", " + mismatch->where + ": expected " + mismatch->expected +
                                ", found " + mismatch->found);
    }
    transport.library_barrier(); // never completes: the failing rank ends the launch
}

} // namespace

void validate_payload(Transport& transport, const CasePlan& plan, int root, Operation& operation, std::uint64_t seed) {
    validate_call(transport, plan, root, operation, seed);
    if (has_persistent(plan)) {
        validate_call(transport, plan, root, operation, SplitMix64::mix(seed));
    }
}

} // namespace ictus
