// GL11: rank 0 gathers all blocks and broadcasts them.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct AllgatherAsGatherAndBcast {
    static ScratchDemand needs(const Arguments&) { return {}; }

    static int call(const Arguments& a, const Scratch&) {
        // In place, MPI_Gather's root alone says so: the others send from where their block lies.
        const void* const sent = a.in_place && a.rank == 0 ? MPI_IN_PLACE : a.own;
        const int code =
            MPI_Gather(sent, a.count, a.units.type, a.result, a.result_count, a.result_units.type, 0, a.comm);
        return code == MPI_SUCCESS ? MPI_Bcast(a.result, a.result_count * a.n_ranks, a.result_units.type, 0, a.comm)
                                   : code;
    }
};

} // namespace

extern constinit const Algorithm allgather_as_gather_and_bcast = {
    .name = "allgather_as_gather_and_bcast",
    .summary = "gather at rank 0, then broadcast",
    .stands_for = "allgather",
    .guideline = "GL11",
    .needs = AllgatherAsGatherAndBcast::needs,
    .call = AllgatherAsGatherAndBcast::call,
};

} // namespace ictus::mockup
