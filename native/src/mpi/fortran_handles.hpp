// Handles as the integers that Fortran has for them. The standard ABI of MPI 5 names these functions otherwise, and has
// no name for the type of the integers: Fortran's compiler decides it.
#pragma once

#include <mpi.h>

#if defined(MPI_ABI_VERSION) && !defined(OPEN_MPI) && !defined(MPICH_VERSION)

using MPI_Fint = int;

#define MPI_Comm_c2f MPI_Comm_toint
#define MPI_Comm_f2c MPI_Comm_fromint
#define MPI_Info_c2f MPI_Info_toint
#define MPI_Info_f2c MPI_Info_fromint
#define MPI_Op_c2f MPI_Op_toint
#define MPI_Type_c2f MPI_Type_toint
#define PMPI_Comm_f2c PMPI_Comm_fromint
#define PMPI_Op_f2c PMPI_Op_fromint
#define PMPI_Request_c2f PMPI_Request_toint
#define PMPI_Request_f2c PMPI_Request_fromint
#define PMPI_Type_f2c PMPI_Type_fromint
#define PMPI_Win_f2c PMPI_Win_fromint

#endif
