// MPI_Reduce as the root's receives, rank after rank: the linear reduction of "MPI process synchronization in space and
// time" (Schuchart, Hunold and Bosilca), in which all ranks but the root are done once they have sent. Whatever
// algorithm the library would choose. Its messages could meet those of a program in the same communicator, so it
// replaces no reduction of one.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct ReduceAsReceives {
    static ScratchDemand needs(const Arguments& a) {
        if (!a.is_root()) {
            return {};
        }
        return {.first = {a.count, a.units},
                .second = {a.in_place ? a.count : 0, a.units},
                .packed_bytes = packed_bytes(a.units, a.units, a.count)};
    }

    /// MPI_Reduce_local puts its operand in front: from the last rank to the first, operators need not commute.
    static int call(const Arguments& a, const Scratch& scratch) {
        const MPI_Datatype type = a.units.type;
        if (!a.is_root()) {
            return MPI_Send(a.own, a.count, type, a.root, message_tag, a.comm);
        }
        const std::byte* own = a.own;
        int code = MPI_SUCCESS;
        if (a.in_place) { // the result grows where the operand lies
            code = copy({scratch.second, a.count, a.units}, a.source(), scratch.packed, a.comm);
            own = scratch.second;
        }
        const int last = a.n_ranks - 1;
        for (int rank = last; rank >= 0 && code == MPI_SUCCESS; --rank) {
            if (rank == last) {
                code = rank == a.root
                           ? copy({a.result, a.count, a.units}, {own, a.count, a.units}, scratch.packed, a.comm)
                           : receive(a.result, rank, a);
                continue;
            }
            if (rank != a.root) {
                code = receive(scratch.first, rank, a);
            }
            if (code == MPI_SUCCESS) {
                code = MPI_Reduce_local(rank == a.root ? own : scratch.first, a.result, a.count, type, a.op);
            }
        }
        return code;
    }

    static int receive(std::byte* to, int rank, const Arguments& a) {
        return MPI_Recv(to, a.count, a.units.type, rank, message_tag, a.comm, MPI_STATUS_IGNORE);
    }
};

} // namespace

extern constinit const Algorithm reduce_as_receives = {
    .name = "reduce_as_receives",
    .summary = "the root receives from one rank after the other",
    .stands_for = "reduce",
    .guideline = "",
    .needs = ReduceAsReceives::needs,
    .call = ReduceAsReceives::call,
    .is_substitute = false,
};

} // namespace ictus::mockup
