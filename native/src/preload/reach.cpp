#include "preload/reach.hpp"

#include "mpi/check.hpp"
#include "mpi/reach.hpp"
#include "procsync/procsync.hpp"

namespace ictus::preload {
namespace {

bool has_ranks_for(MPI_Comm comm, const Settings& settings) {
    int size = 0;
    mpi::check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return fits(bind(procsync::family(), parse_spec(settings.procsync)), size);
}

} // namespace

bool is_within_reach(MPI_Comm comm, const Settings& settings) {
    return !mpi::is_between_groups(comm) && mpi::lies_in_world(comm) && has_ranks_for(comm, settings);
}

} // namespace ictus::preload
