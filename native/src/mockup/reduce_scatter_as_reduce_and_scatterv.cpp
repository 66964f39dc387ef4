// GL17: rank 0 receives the whole reduction and scatters it in blocks of their own sizes.
#include "mockup/algorithm.hpp"

#include <numeric>

namespace ictus::mockup {
namespace {

struct ReduceScatterAsReduceAndScatterv {
    static ScratchDemand needs(const Arguments& a) {
        const bool holds_all = a.rank == 0;
        return {.first = {holds_all ? total_of_blocks(a) : 0, a.units}, .n_ints = holds_all ? a.n_ranks : 0};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        if (a.rank == 0) {
            std::exclusive_scan(a.counts, a.counts + a.n_ranks, scratch.ints, 0);
        }
        const int code = MPI_Reduce(a.own, scratch.first, total_of_blocks(a), a.units.type, a.op, 0, a.comm);
        return code == MPI_SUCCESS ? MPI_Scatterv(scratch.first, a.counts, scratch.ints, a.units.type, a.result,
                                                  a.result_count, a.units.type, 0, a.comm)
                                   : code;
    }
};

} // namespace

extern constinit const Algorithm reduce_scatter_as_reduce_and_scatterv = {
    .name = "reduce_scatter_as_reduce_and_scatterv",
    .summary = "reduce at rank 0, then scatterv",
    .stands_for = "reduce_scatter",
    .guideline = "GL17",
    .needs = ReduceScatterAsReduceAndScatterv::needs,
    .call = ReduceScatterAsReduceAndScatterv::call,
};

} // namespace ictus::mockup
