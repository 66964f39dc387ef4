// GL8: all ranks receive what the root alone is to keep.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct ReduceAsAllreduce {
    static ScratchDemand needs(const Arguments& a) {
        const bool has_room = a.is_root() && !a.in_place;
        return {.first = {has_room ? 0 : a.count, a.units},
                .packed_bytes = a.in_place ? packed_bytes(a.units, a.units, a.count) : 0};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        if (!a.is_root()) {
            return MPI_Allreduce(a.own, scratch.first, a.count, a.units.type, a.op, a.comm);
        }
        const std::byte* own = a.own;
        if (a.in_place) { // MPI_Reduce's root alone is called so, MPI_Allreduce's ranks only together
            const Target copied{scratch.first, a.count, a.units};
            if (const int code = copy(copied, a.source(), scratch.packed, a.comm); code != MPI_SUCCESS) {
                return code;
            }
            own = scratch.first;
        }
        return MPI_Allreduce(own, a.result, a.count, a.units.type, a.op, a.comm);
    }
};

} // namespace

extern constinit const Algorithm reduce_as_allreduce = {
    .name = "reduce_as_allreduce",
    .summary = "allreduce, of which the root keeps the result",
    .stands_for = "reduce",
    .guideline = "GL8",
    .needs = ReduceAsAllreduce::needs,
    .call = ReduceAsAllreduce::call,
};

} // namespace ictus::mockup
