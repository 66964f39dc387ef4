// GL13: each rank reduces one block of the message, and all ranks gather the blocks. In the buffers themselves where
// the message divides into blocks, else in memory with room for the padding of the last ones.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct AllreduceAsReduceScatterBlockAndAllgather {
    /// Without memory besides the buffers.
    static bool is_direct(const Arguments& a) { return divides(a.count, a.n_ranks) && !a.in_place; }

    static ScratchDemand needs(const Arguments& a) {
        const std::int64_t whole = whole_blocks(a.count, a.n_ranks);
        return {.first = {divides(a.count, a.n_ranks) ? 0 : whole, a.units},
                .second = {is_direct(a) ? 0 : whole, a.units},
                .packed_bytes = packed_bytes(a.units, a.units, a.count)};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        if (is_direct(a)) {
            return reduce_blocks(a, a.own, a.result);
        }
        const std::byte* operand = a.own;
        if (!divides(a.count, a.n_ranks)) {
            if (const int code = copy_padded(scratch.first, a, scratch); code != MPI_SUCCESS) {
                return code;
            }
            operand = scratch.first;
        }
        const int code = reduce_blocks(a, operand, scratch.second);
        return code == MPI_SUCCESS
                   ? copy({a.result, a.count, a.units}, {scratch.second, a.count, a.units}, scratch.packed, a.comm)
                   : code;
    }

    /// Whole blocks, from one buffer to another.
    static int reduce_blocks(const Arguments& a, const std::byte* operand, std::byte* result) {
        const int block = padded_block(a.count, a.n_ranks);
        std::byte* const part = a.units.at(result, a.rank * block);
        const int code = MPI_Reduce_scatter_block(operand, part, block, a.units.type, a.op, a.comm);
        return code == MPI_SUCCESS ? MPI_Allgather(MPI_IN_PLACE, 0, a.units.type, result, block, a.units.type, a.comm)
                                   : code;
    }
};

} // namespace

extern constinit const Algorithm allreduce_as_reduce_scatter_block_and_allgather = {
    .name = "allreduce_as_reduce_scatter_block_and_allgather",
    .summary = "reduce_scatter_block, then allgather",
    .stands_for = "allreduce",
    .guideline = "GL13",
    .needs = AllreduceAsReduceScatterBlockAndAllgather::needs,
    .call = AllreduceAsReduceScatterBlockAndAllgather::call,
    .is_padded = true,
};

} // namespace ictus::mockup
