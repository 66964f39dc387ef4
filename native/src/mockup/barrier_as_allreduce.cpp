// MPI_Barrier as a reduction of one byte to all ranks: nobody can know the result before all have come (the further
// rows of the guidelines). Of no bytes it would be no barrier: MPICH returns from that at once. MPI promises the result
// and not the waiting, so that no program's barrier is replaced by it.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct BarrierAsAllreduce {
    static ScratchDemand needs(const Arguments&) { return {}; }
    static int call(const Arguments& a, const Scratch&) {
        const char own = 0;
        char all = 0;
        return MPI_Allreduce(&own, &all, 1, MPI_BYTE, MPI_BOR, a.comm);
    }
};

} // namespace

extern constinit const Algorithm barrier_as_allreduce = {
    .name = "barrier_as_allreduce",
    .summary = "allreduce of 1 byte",
    .stands_for = "barrier",
    .guideline = "",
    .needs = BarrierAsAllreduce::needs,
    .call = BarrierAsAllreduce::call,
    .is_substitute = false,
};

} // namespace ictus::mockup
