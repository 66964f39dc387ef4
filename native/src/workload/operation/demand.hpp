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

/// Throws a usage Error where the operation is bound to its buffers and a cache mode would move them through an area of
/// `area_bytes`.
void require_buffers_that_stay(const OperationMember& member, std::uint64_t area_bytes);

} // namespace ictus::operation
