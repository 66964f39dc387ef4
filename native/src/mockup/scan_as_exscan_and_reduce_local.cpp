// GL16: each rank receives the reduction of the ranks before it and adds its own message, behind them: operators need
// not commute.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct ScanAsExscanAndReduceLocal {
    static ScratchDemand needs(const Arguments& a) {
        return {.first = {a.count, a.units}, .packed_bytes = packed_bytes(a.units, a.units, a.in_place ? 0 : a.count)};
    }

    static int call(const Arguments& a, const Scratch& scratch) {
        int code = MPI_Exscan(a.own, scratch.first, a.count, a.units.type, a.op, a.comm);
        if (code == MPI_SUCCESS && !a.in_place) {
            code = copy({a.result, a.count, a.units}, a.source(), scratch.packed, a.comm);
        }
        return code == MPI_SUCCESS && a.rank > 0
                   ? MPI_Reduce_local(scratch.first, a.result, a.count, a.units.type, a.op)
                   : code;
    }
};

} // namespace

extern constinit const Algorithm scan_as_exscan_and_reduce_local = {
    .name = "scan_as_exscan_and_reduce_local",
    .summary = "exscan, then reduce_local",
    .stands_for = "scan",
    .guideline = "GL16",
    .needs = ScanAsExscanAndReduceLocal::needs,
    .call = ScanAsExscanAndReduceLocal::call,
};

} // namespace ictus::mockup
