// How a barrier is validated, which delivers nothing that could be looked at: a rank that the seed names comes late,
// and whoever leaves tells it so. A message that is there while it has not yet come is from somebody who did not wait.
// No clock is needed, and a barrier that holds is never suspected; one that does not hold is missed only where nobody
// got round to leaving while the rank held back.
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
