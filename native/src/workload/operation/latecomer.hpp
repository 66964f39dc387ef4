// How a barrier, which delivers no data, is validated: a rank that the seed chooses enters late, and every rank that
// leaves sends it a message. A message that arrives before the late rank enters is from a rank that did not wait. No
// clock is needed, and a correct barrier never fails. A wrong one passes only if no rank left while the late rank held
// back.
#pragma once

#include "workload/operation/operation.hpp"

namespace ictus::operation {

class Latecomer {
public:
    explicit Latecomer(const CallSite& site) : comm_(site.comm), rank_(site.rank), n_ranks_(site.n_ranks) {}

    /// Before the call. Returns when the others may all have come; on the rank that is late after that.
    void come(std::uint64_t seed);
    /// After it, on all ranks.
    [[nodiscard]] std::optional<Mismatch> leave(std::uint64_t seed) const;

private:
    [[nodiscard]] int late(std::uint64_t seed) const;

    MPI_Comm comm_;
    int rank_;
    int n_ranks_;
    std::optional<int> early_; ///< who left before this rank came
};

} // namespace ictus::operation
