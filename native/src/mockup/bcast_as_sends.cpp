// MPI_Bcast as the root's sends, rank after rank: the linear broadcast of "Accurately measuring collective operations
// at massive scale" (Hoefler, Schneider and Lumsdaine), whatever algorithm the library would choose. Its messages could
// meet those of a program in the same communicator, so it replaces no broadcast of one.
#include "mockup/algorithm.hpp"

namespace ictus::mockup {
namespace {

struct BcastAsSends {
    static ScratchDemand needs(const Arguments&) { return {}; }

    static int call(const Arguments& a, const Scratch&) {
        const MPI_Datatype type = a.result_units.type;
        if (!a.is_root()) {
            return MPI_Recv(a.result, a.result_count, type, a.root, message_tag, a.comm, MPI_STATUS_IGNORE);
        }
        for (int rank = 0; rank < a.n_ranks; ++rank) {
            if (rank == a.root) {
                continue;
            }
            if (const int code = MPI_Send(a.result, a.result_count, type, rank, message_tag, a.comm);
                code != MPI_SUCCESS) {
                return code;
            }
        }
        return MPI_SUCCESS;
    }
};

} // namespace

extern constinit const Algorithm bcast_as_sends = {
    .name = "bcast_as_sends",
    .summary = "the root sends to one rank after the other",
    .stands_for = "bcast",
    .guideline = "",
    .needs = BcastAsSends::needs,
    .call = BcastAsSends::call,
    .is_substitute = false,
};

} // namespace ictus::mockup
