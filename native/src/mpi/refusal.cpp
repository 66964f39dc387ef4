#include "mpi/refusal.hpp"

#include "base/simulated.hpp"

#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <unistd.h>

namespace ictus::mpi {

void refuse(const char* who, const Error& error) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::fprintf(stderr, "%s: %s\n", who, error.what());
    }
    std::fflush(nullptr);
    if constexpr (is_simulated) { // all ranks are in this process
        _exit(error.exit_code());
    }
    PMPI_Finalize();
    // MPICH 5.0 takes leave of its launcher in a handler of exit(). A rank that ends without counts as crashed: the
    // launcher kills the others, and where one is still there it tells of signal 9 instead of our exit code.
    std::exit(error.exit_code());
}

} // namespace ictus::mpi
