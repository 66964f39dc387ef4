// GL7: all blocks go to all ranks, and each takes its own.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct ScatterAsBcast {
    static ScratchDemand needs(const Arguments& a) {
        if (a.is_root()) {
            return {.packed_bytes = a.in_place ? 0 : packed_bytes(a.result_units, a.units, a.count)};
        }
        return {.first = {std::int64_t{a.result_count} * a.n_ranks, a.result_units},
                .packed_bytes = packed_bytes(a.result_units, a.result_units, a.result_count)};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        if (!a.is_root()) {
            const Units& units = a.result_units;
            const int code = MPI_Bcast(scratch.first, a.result_count * a.n_ranks, units.type, a.root, a.comm);
            const Source own{units.at(scratch.first, a.rank * a.result_count), a.result_count, units};
            return code == MPI_SUCCESS ? copy({a.result, a.result_count, units}, own, scratch.packed, a.comm) : code;
        }
        // The root's buffer is only read: MPI_Bcast's parameter is for all ranks.
        const int code = MPI_Bcast(const_cast<std::byte*>(a.own), a.count * a.n_ranks, a.units.type, a.root, a.comm);
        const Source own{a.units.at(a.own, a.rank * a.count), a.count, a.units};
        return code == MPI_SUCCESS && !a.in_place
                   ? copy({a.result, a.result_count, a.result_units}, own, scratch.packed, a.comm)
                   : code;
    }
};

} // namespace

extern constinit const Algorithm scatter_as_bcast = {
    .name = "scatter_as_bcast",
    .summary = "broadcast of all blocks, of which each rank takes its own",
    .stands_for = "scatter",
    .guideline = "GL7",
    .needs = ScatterAsBcast::needs,
    .call = ScatterAsBcast::call,
};

} // namespace ictus::mockup
