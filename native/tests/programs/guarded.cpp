// The guard of libraries that are loaded in front of a program, alone: says `accepted`, or ends as they do.
#include "interposition/preloading.hpp"

#include <cstdio>
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ictus::interposition::require_own_library("ictus-guarded");
    std::puts("accepted");
    return MPI_Finalize();
}
