// GL15: rank 0 receives the whole reduction and scatters it.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct ReduceScatterBlockAsReduceAndScatter {
    static ScratchDemand needs(const Arguments& a) {
        return {.first = {a.rank == 0 ? std::int64_t{a.count} * a.n_ranks : 0, a.units}};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        const int code = MPI_Reduce(a.own, scratch.first, a.count * a.n_ranks, a.units.type, a.op, 0, a.comm);
        return code == MPI_SUCCESS
                   ? MPI_Scatter(scratch.first, a.count, a.units.type, a.result, a.count, a.units.type, 0, a.comm)
                   : code;
    }
};

} // namespace

extern constinit const Algorithm reduce_scatter_block_as_reduce_and_scatter = {
    .name = "reduce_scatter_block_as_reduce_and_scatter",
    .summary = "reduce at rank 0, then scatter",
    .stands_for = "reduce_scatter_block",
    .guideline = "GL15",
    .needs = ReduceScatterBlockAsReduceAndScatter::needs,
    .call = ReduceScatterBlockAsReduceAndScatter::call,
};

} // namespace ictus::mockup
