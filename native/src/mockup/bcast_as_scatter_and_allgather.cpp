// GL10: the root scatters its message in p blocks, and all ranks gather them. In the buffers themselves where the
// message divides into blocks, else in memory with room for the padding of the last ones. All ranks must count alike:
// where their datatypes differ, in bytes.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct BcastAsScatterAndAllgather {
    static ScratchDemand needs(const Arguments& a) {
        const bool has_blocks = divides(a.result_count, a.n_ranks);
        return {.first = {has_blocks ? 0 : whole_blocks(a.result_count, a.n_ranks), a.result_units},
                .packed_bytes = has_blocks ? 0 : packed_bytes(a.result_units, a.result_units, a.result_count)};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        if (divides(a.result_count, a.n_ranks)) {
            return spread(a, a.result);
        }
        if (a.is_root()) {
            const Target padded{scratch.first, a.result_count, a.result_units};
            const Source message{a.result, a.result_count, a.result_units};
            if (const int code = copy(padded, message, scratch.packed, a.comm); code != MPI_SUCCESS) {
                return code;
            }
        }
        const int code = spread(a, scratch.first);
        return code == MPI_SUCCESS && !a.is_root()
                   ? copy({a.result, a.result_count, a.result_units}, {scratch.first, a.result_count, a.result_units},
                          scratch.packed, a.comm)
                   : code;
    }

    /// The root's whole blocks to all ranks.
    static int spread(const Arguments& a, std::byte* all) {
        const int block = padded_block(a.result_count, a.n_ranks);
        const MPI_Datatype type = a.result_units.type;
        const void* const sent = a.is_root() ? all : nullptr;
        void* const part = a.is_root() ? MPI_IN_PLACE : a.result_units.at(all, a.rank * block);
        const int code = MPI_Scatter(sent, block, type, part, block, type, a.root, a.comm);
        return code == MPI_SUCCESS ? MPI_Allgather(MPI_IN_PLACE, 0, type, all, block, type, a.comm) : code;
    }
};

} // namespace

extern constinit const Algorithm bcast_as_scatter_and_allgather = {
    .name = "bcast_as_scatter_and_allgather",
    .summary = "scatter of the message in p blocks, then allgather",
    .stands_for = "bcast",
    .guideline = "GL10",
    .needs = BcastAsScatterAndAllgather::needs,
    .call = BcastAsScatterAndAllgather::call,
    .is_padded = true,
};

} // namespace ictus::mockup
