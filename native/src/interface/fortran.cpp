// For the Fortran module (native/fortran): handles come and go as Fortran's integers.
#include "ictus/harmonize.h"

extern "C" {

ICTUS_API int ictus_fortran_harmonize(MPI_Fint comm, int* flag) { return MPIX_Harmonize(MPI_Comm_f2c(comm), flag); }

ICTUS_API int ictus_fortran_set_info(MPI_Fint comm, MPI_Fint info) {
    return MPIX_Harmonize_set_info(MPI_Comm_f2c(comm), MPI_Info_f2c(info));
}

ICTUS_API int ictus_fortran_get_info(MPI_Fint comm, MPI_Fint* info) {
    MPI_Info made = MPI_INFO_NULL;
    const int code = MPIX_Harmonize_get_info(MPI_Comm_f2c(comm), &made);
    *info = MPI_Info_c2f(made);
    return code;
}

ICTUS_API int ictus_fortran_get_statistics(MPI_Fint comm, MPIX_Harmonize_statistics* statistics) {
    return MPIX_Harmonize_get_statistics(MPI_Comm_f2c(comm), statistics);
}

ICTUS_API double ictus_fortran_global_time(MPI_Fint comm) { return ictus_global_time(MPI_Comm_f2c(comm)); }

ICTUS_API double ictus_fortran_global_time_bound(MPI_Fint comm) { return ictus_global_time_bound(MPI_Comm_f2c(comm)); }

} // extern "C"
