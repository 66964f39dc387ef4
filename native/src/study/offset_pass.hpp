// One pass of the study of drift: rank 0's clock against those of all watched ranks, in turn. Down a tree, an offset
// from rank 0 would be a sum of others, measured at other times, and its bound no longer what one exchange proves. So a
// pass takes as long as there are ranks; of many, a share is watched. No MPI.
#pragma once

#include "offset/offset.hpp"

#include <optional>
#include <span>

namespace ictus {

/// Called by rank 0 and the watched ranks, of which rank 0 is none. What this rank measured; nothing on rank 0.
[[nodiscard]] std::optional<OffsetSample> measure_pass(Transport& transport, OffsetEstimator& estimator,
                                                       std::span<const int> watched);

} // namespace ictus
