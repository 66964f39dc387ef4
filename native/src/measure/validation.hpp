// Does the library compute what it should? Asked of every case before it is timed: a wrong result has no latency.
#pragma once

#include "measure/plan.hpp"
#include "transport/transport.hpp"

namespace ictus {

/// Collective: one call with a random payload, checked on all ranks; of a persistent operation, which is made once for
/// all its starts, two with a payload each, because a library may keep what it found in the first. The lowest rank with
/// a wrong element throws a measurement Error that names operation, rank, element, expected, found; the others wait for
/// the end that it brings.
void validate_payload(Transport& transport, const CasePlan& plan, int root, Operation& operation, std::uint64_t seed);

} // namespace ictus
