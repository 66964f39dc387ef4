// GL14: each rank reduces one block of the message, and the root gathers the blocks. In the buffers themselves where
// the message divides into blocks, else in memory with room for the padding of the last ones.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct ReduceAsReduceScatterBlockAndGather {
    /// Without memory besides the buffers.
    static bool is_direct(const Arguments& a) { return a.is_root() && divides(a.count, a.n_ranks) && !a.in_place; }

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
        return code == MPI_SUCCESS && a.is_root()
                   ? copy({a.result, a.count, a.units}, {scratch.second, a.count, a.units}, scratch.packed, a.comm)
                   : code;
    }

    /// Whole blocks, from one buffer to another, which the root alone has in the end.
    static int reduce_blocks(const Arguments& a, const std::byte* operand, std::byte* result) {
        const int block = padded_block(a.count, a.n_ranks);
        std::byte* const part = a.units.at(result, a.rank * block);
        const int code = MPI_Reduce_scatter_block(operand, part, block, a.units.type, a.op, a.comm);
        if (code != MPI_SUCCESS) {
            return code;
        }
        const void* const sent = a.is_root() ? MPI_IN_PLACE : part;
        return MPI_Gather(sent, block, a.units.type, result, block, a.units.type, a.root, a.comm);
    }
};

} // namespace

extern constinit const Algorithm reduce_as_reduce_scatter_block_and_gather = {
    .name = "reduce_as_reduce_scatter_block_and_gather",
    .summary = "reduce_scatter_block, then gather",
    .stands_for = "reduce",
    .guideline = "GL14",
    .needs = ReduceAsReduceScatterBlockAndGather::needs,
    .call = ReduceAsReduceScatterBlockAndGather::call,
    .is_padded = true,
};

} // namespace ictus::mockup
