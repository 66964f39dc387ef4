// GL5: every rank sends its block to each rank anew.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct AllgatherAsAlltoall {
    static ScratchDemand needs(const Arguments& a) {
        return {.first = {std::int64_t{a.count} * a.n_ranks, a.units},
                .packed_bytes = packed_bytes(a.units, a.units, a.count)};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        for (int block = 0; block < a.n_ranks; ++block) {
            const Target copied{a.units.at(scratch.first, block * a.count), a.count, a.units};
            if (const int code = copy(copied, a.source(), scratch.packed, a.comm); code != MPI_SUCCESS) {
                return code;
            }
        }
        return MPI_Alltoall(scratch.first, a.count, a.units.type, a.result, a.result_count, a.result_units.type,
                            a.comm);
    }
};

} // namespace

extern constinit const Algorithm allgather_as_alltoall = {
    .name = "allgather_as_alltoall",
    .summary = "alltoall with the same block for each rank",
    .stands_for = "allgather",
    .guideline = "GL5",
    .needs = AllgatherAsAlltoall::needs,
    .call = AllgatherAsAlltoall::call,
};

} // namespace ictus::mockup
