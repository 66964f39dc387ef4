// Checks of a case against its operation, before anything is made for it.
#pragma once

#include "workload/operation/operation.hpp"

namespace ictus::operation {

/// Throws a usage Error, with a list of those that can, unless MPI lets the operation be called in place.
void require_in_place(const OperationMember& member);

/// Throws a usage Error, with a list of the operators that can, unless the operation can reduce the datatype by the
/// operator. MPI's own know its own datatypes only, no derived ones.
void require_operator(const OperationMember& member, const Datatype& datatype, const Operator& reduction,
                      bool is_derived);

/// Throws a usage Error where the operation is bound to its buffers and a cache mode would move them through
/// `area_bytes`.
void require_buffers_that_stay(const OperationMember& member, std::uint64_t area_bytes);

} // namespace ictus::operation
