// GL12: rank 0 receives the reduction and broadcasts it.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct AllreduceAsReduceAndBcast {
    static ScratchDemand needs(const Arguments&) { return {}; }

    static int call(const Arguments& a, const Scratch&) {
        // In place, MPI_Reduce's root alone says so.
        const void* const sent = a.in_place && a.rank == 0 ? MPI_IN_PLACE : a.own;
        void* const result = a.rank == 0 ? a.result : nullptr;
        const int code = MPI_Reduce(sent, result, a.count, a.units.type, a.op, 0, a.comm);
        return code == MPI_SUCCESS ? MPI_Bcast(a.result, a.count, a.units.type, 0, a.comm) : code;
    }
};

} // namespace

extern constinit const Algorithm allreduce_as_reduce_and_bcast = {
    .name = "allreduce_as_reduce_and_bcast",
    .summary = "reduce at rank 0, then broadcast",
    .stands_for = "allreduce",
    .guideline = "GL12",
    .needs = AllreduceAsReduceAndBcast::needs,
    .call = AllreduceAsReduceAndBcast::call,
};

} // namespace ictus::mockup
