// Who calls the operation of a case together, as this rank sees it: the communicator of its group, as a member of
// family `communicator` made the groups. A rank in no group takes no part, but in synchronisation and in the books.
#pragma once

#include "base/parameter.hpp"
#include "mpi/communicator.hpp"
#include "transport/place.hpp"

#include <span>

namespace ictus {

struct Party {
    mpi::Communicator comm; ///< none where the rank takes no part
    int group = 0;
    int rank = 0;      ///< in its group
    int size = 0;      ///< of every group
    int n_callers = 0; ///< ranks in all groups

    [[nodiscard]] bool takes_part() const { return comm.handle() != MPI_COMM_NULL; }
};

/// Collective over `world`, whose ranks are at `places`. Throws a usage Error, alike on all ranks, where the launch has
/// not the ranks for it.
[[nodiscard]] Party make_party(const Bound& communicator, MPI_Comm world, std::span<const Place> places);

} // namespace ictus
