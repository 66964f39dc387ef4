#include "mpi/reach.hpp"

#include "base/simulated.hpp"
#include "mpi/check.hpp"

namespace ictus::mpi {

bool is_spawned() {
    if constexpr (is_simulated) { // SimGrid has no such function
        return false;
    }
    MPI_Comm parent = MPI_COMM_NULL;
    check(MPI_Comm_get_parent(&parent), "MPI_Comm_get_parent");
    return parent != MPI_COMM_NULL;
}

bool is_between_groups(MPI_Comm comm) {
    int yes = 0;
    check(MPI_Comm_test_inter(comm, &yes), "MPI_Comm_test_inter");
    return yes != 0;
}

/// Where one process sees another from outside its world, that one sees it so too.
bool lies_in_world(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    check(MPI_Comm_group(comm, &group), "MPI_Comm_group");
    check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    MPI_Group outside = MPI_GROUP_NULL;
    check(MPI_Group_difference(group, world, &outside), "MPI_Group_difference");
    int n_outside = 0;
    check(MPI_Group_size(outside, &n_outside), "MPI_Group_size");
    for (MPI_Group* const one : {&group, &world, &outside}) {
        if (*one != MPI_GROUP_EMPTY) {
            MPI_Group_free(one);
        }
    }
    return n_outside == 0;
}

} // namespace ictus::mpi
