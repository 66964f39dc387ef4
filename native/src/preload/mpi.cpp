// libictus-preload.so: MPI_Barrier of a program that was not made for it does what ICTUS_PROCSYNC says. These functions
// stand in front of the library's; its own are reached by their profiling names (docs/preload.md).
#include "preload/program.hpp"

using namespace ictus;

extern "C" {

int MPI_Init(int* argc, char*** argv) { return preload::begin(PMPI_Init(argc, argv)); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return preload::begin(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Barrier(MPI_Comm comm) { return preload::barrier(comm); }

int MPI_Finalize() {
    preload::end();
    return PMPI_Finalize();
}

} // extern "C"
