// Validates a barrier, which delivers no data: a rank that the seed chooses enters late, and every rank that leaves
// sends it a message. A message that arrives before the late rank enters comes from a rank that did not wait. No clock
// is needed, and a correct barrier never fails. A wrong one passes only if no rank leaves while the late rank waits.
#pragma once

#include "workload/operation/operation.hpp"

namespace ictus::operation {

class Latecomer {
public:
    explicit Latecomer(const CallSite& site) : comm_(site.comm), rank_(site.rank), n_ranks_(site.n_ranks) {}

    /// Runs before the call. On the late rank it returns when all other ranks have had time to enter.
    void come(std::uint64_t seed);
    /// Runs after the call, on all ranks.
    [[nodiscard]] std::optional<Mismatch> leave(std::uint64_t seed) const;

private:
    [[nodiscard]] int late(std::uint64_t seed) const;

    MPI_Comm comm_;
    int rank_;
    int n_ranks_;
    std::optional<int> early_; ///< the rank that left before this rank entered
};

} // namespace ictus::operation
