// GL3: all ranks receive what the root alone is to keep.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct GatherAsAllgather {
    static ScratchDemand needs(const Arguments& a) {
        if (!a.is_root()) { // what it receives, as it sends it
            return {.first = {std::int64_t{a.count} * a.n_ranks, a.units}};
        }
        const bool moves = a.in_place;
        return {.first = {moves ? a.count : 0, a.units},
                .packed_bytes = moves ? packed_bytes(a.units, a.units, a.count) : 0};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        if (!a.is_root()) {
            return MPI_Allgather(a.own, a.count, a.units.type, scratch.first, a.count, a.units.type, a.comm);
        }
        const std::byte* own = a.own;
        if (a.in_place) { // MPI_Gather's root alone is called so, MPI_Allgather's ranks only together
            const Target copied{scratch.first, a.count, a.units};
            if (const int code = copy(copied, a.source(), scratch.packed, a.comm); code != MPI_SUCCESS) {
                return code;
            }
            own = scratch.first;
        }
        return MPI_Allgather(own, a.count, a.units.type, a.result, a.result_count, a.result_units.type, a.comm);
    }
};

} // namespace

extern constinit const Algorithm gather_as_allgather = {
    .name = "gather_as_allgather",
    .summary = "allgather, of which the root keeps the result",
    .stands_for = "gather",
    .guideline = "GL3",
    .needs = GatherAsAllgather::needs,
    .call = GatherAsAllgather::call,
};

} // namespace ictus::mockup
