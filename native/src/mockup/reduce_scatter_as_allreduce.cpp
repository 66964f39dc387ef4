// GL9: all ranks receive the whole reduction, and each takes its block.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct ReduceScatterAsAllreduce {
    static ScratchDemand needs(const Arguments& a) {
        return {.first = {total_of_blocks(a), a.units}, .packed_bytes = packed_bytes(a.units, a.units, a.result_count)};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        const int code = MPI_Allreduce(a.own, scratch.first, total_of_blocks(a), a.units.type, a.op, a.comm);
        const Source own{a.units.at(scratch.first, first_of_own_block(a)), a.result_count, a.units};
        return code == MPI_SUCCESS ? copy({a.result, a.result_count, a.units}, own, scratch.packed, a.comm) : code;
    }
};

} // namespace

extern constinit const Algorithm reduce_scatter_as_allreduce = {
    .name = "reduce_scatter_as_allreduce",
    .summary = "allreduce, of which each rank takes its block",
    .stands_for = "reduce_scatter",
    .guideline = "GL9",
    .needs = ReduceScatterAsAllreduce::needs,
    .call = ReduceScatterAsAllreduce::call,
};

} // namespace ictus::mockup
