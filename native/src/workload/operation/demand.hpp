// Checks of a case against its operation, before anything is allocated for it.
#pragma once

#include "workload/operation/operation.hpp"

namespace ictus::operation {

/// Throws a usage Error that lists the allowed operations, unless MPI allows this one in place.
void require_in_place(const OperationMember& member);

/// Throws a usage Error that lists the allowed operators, unless the operation can reduce the datatype by this
/// operator. MPI's operators work on predefined datatypes, not on derived ones.
void require_operator(const OperationMember& member, const Datatype& datatype, const Operator& reduction,
                      bool is_derived);

// Those of calls on windows return `site`, so that they come before the window is made, which is collective.

/// Throws a usage Error for an operator of ours, which MPI's calls on windows do not take.
const CallSite& require_operator_of_mpi(const OperationMember& member, const CallSite& site);

/// Throws a usage Error for a derived datatype where a call of MPI works on one element of a predefined one.
const CallSite& require_single_elements(const OperationMember& member, const CallSite& site);

/// Throws a usage Error where the operation is bound to its buffers and a cache mode would move them through an area of
/// `area_bytes`.
void require_buffers_that_stay(const OperationMember& member, std::uint64_t area_bytes);

} // namespace ictus::operation
