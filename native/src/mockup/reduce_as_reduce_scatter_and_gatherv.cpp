// As GL14, for messages of any size: blocks of which the first ones are one unit larger, so that nothing is padded and
// nothing copied (case study 2 of Hunold, Carpen-Amarie, Luebbe and Traeff 2016). Each rank reduces one of them, and
// the root gathers them.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct ReduceAsReduceScatterAndGatherv {
    static int block(const Arguments& a, int rank) {
        return a.count / a.n_ranks + (rank < a.count % a.n_ranks ? 1 : 0);
    }
    static int first_of(const Arguments& a, int rank) {
        return a.count / a.n_ranks * rank + (rank < a.count % a.n_ranks ? rank : a.count % a.n_ranks);
    }
    /// The root's own block is reduced to where it belongs, unless its operand lies there.
    static bool is_direct(const Arguments& a) { return a.is_root() && !a.in_place; }

    static ScratchDemand needs(const Arguments& a) {
        return {.first = {is_direct(a) ? 0 : block(a, a.rank), a.units}, .n_ints = 2 * a.n_ranks};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        int* const counts = scratch.ints;
        int* const displacements = scratch.ints + a.n_ranks;
        for (int rank = 0; rank < a.n_ranks; ++rank) {
            counts[rank] = block(a, rank);
            displacements[rank] = first_of(a, rank);
        }
        std::byte* const part = is_direct(a) ? a.units.at(a.result, displacements[a.rank]) : scratch.first;
        const int code = MPI_Reduce_scatter(a.own, part, counts, a.units.type, a.op, a.comm);
        if (code != MPI_SUCCESS) {
            return code;
        }
        const void* const sent = is_direct(a) ? MPI_IN_PLACE : part;
        return MPI_Gatherv(sent, counts[a.rank], a.units.type, a.result, counts, displacements, a.units.type, a.root,
                           a.comm);
    }
};

} // namespace

extern constinit const Algorithm reduce_as_reduce_scatter_and_gatherv = {
    .name = "reduce_as_reduce_scatter_and_gatherv",
    .summary = "reduce_scatter of uneven blocks, then gatherv",
    .stands_for = "reduce",
    .guideline = "",
    .needs = ReduceAsReduceScatterAndGatherv::needs,
    .call = ReduceAsReduceScatterAndGatherv::call,
};

} // namespace ictus::mockup
