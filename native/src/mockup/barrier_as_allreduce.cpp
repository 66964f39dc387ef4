// MPI_Barrier as a reduction of one byte to all ranks: no rank can know the result before all have entered (the
// further rows of the guidelines). With 0 bytes it would be no barrier: MPICH returns at once. MPI guarantees the
// result and not the waiting, so it replaces no barrier of a program.
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
