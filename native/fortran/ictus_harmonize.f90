! MPIX_Harmonize for Fortran 2008: a barrier that all processes leave at one instant. The C header ictus/harmonize.h and
! harmonize.md tell what each procedure does; here flags are logical and errors come in an optional `ierror`, as in
! module mpi_f08.
module ictus_harmonize
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
    use mpi_f08, only: MPI_Comm, MPI_Info
    implicit none
    private

    public :: MPIX_Harmonize, MPIX_Harmonize_set_info, MPIX_Harmonize_get_info, MPIX_Harmonize_get_statistics
    public :: ictus_global_time, ictus_global_time_bound

    !> What has happened on a communicator since it was first harmonized, as this process saw it. Times in seconds.
    type, bind(c), public :: MPIX_Harmonize_statistics
        integer(c_int64_t) :: calls = 0
        integer(c_int64_t) :: missed = 0           !< came to wait for the deadline when it was over
        integer(c_int64_t) :: overslept = 0        !< lost the core while waiting
        integer(c_int64_t) :: synchronisations = 0 !< of the clocks
        real(c_double) :: synchronising_s = 0
        real(c_double) :: slack_s = 0
        real(c_double) :: largest_slack_s = 0
    end type

    ! Handles travel as integers, which C turns into its own.
    interface
        integer(c_int) function harmonize(comm, flag) bind(c, name='ictus_fortran_harmonize')
            import :: c_int
            integer(c_int), value :: comm
            integer(c_int), intent(inout) :: flag
        end function
        integer(c_int) function set_info(comm, info) bind(c, name='ictus_fortran_set_info')
            import :: c_int
            integer(c_int), value :: comm, info
        end function
        integer(c_int) function get_info(comm, info) bind(c, name='ictus_fortran_get_info')
            import :: c_int
            integer(c_int), value :: comm
            integer(c_int), intent(out) :: info
        end function
        integer(c_int) function get_statistics(comm, statistics) bind(c, name='ictus_fortran_get_statistics')
            import :: c_int, MPIX_Harmonize_statistics
            integer(c_int), value :: comm
            type(MPIX_Harmonize_statistics), intent(out) :: statistics
        end function
        real(c_double) function global_time(comm) bind(c, name='ictus_fortran_global_time')
            import :: c_double, c_int
            integer(c_int), value :: comm
        end function
        real(c_double) function global_time_bound(comm) bind(c, name='ictus_fortran_global_time_bound')
            import :: c_double, c_int
            integer(c_int), value :: comm
        end function
    end interface

contains

    subroutine MPIX_Harmonize(comm, flag, ierror)
        type(MPI_Comm), intent(in) :: comm
        logical, intent(out) :: flag
        integer, optional, intent(out) :: ierror
        integer(c_int) :: met, code
        met = 0
        code = harmonize(comm%MPI_VAL, met)
        flag = met /= 0
        if (present(ierror)) ierror = code
    end subroutine

    subroutine MPIX_Harmonize_set_info(comm, info, ierror)
        type(MPI_Comm), intent(in) :: comm
        type(MPI_Info), intent(in) :: info
        integer, optional, intent(out) :: ierror
        integer(c_int) :: code
        code = set_info(comm%MPI_VAL, info%MPI_VAL)
        if (present(ierror)) ierror = code
    end subroutine

    subroutine MPIX_Harmonize_get_info(comm, info, ierror)
        type(MPI_Comm), intent(in) :: comm
        type(MPI_Info), intent(out) :: info
        integer, optional, intent(out) :: ierror
        integer(c_int) :: code
        code = get_info(comm%MPI_VAL, info%MPI_VAL)
        if (present(ierror)) ierror = code
    end subroutine

    subroutine MPIX_Harmonize_get_statistics(comm, statistics, ierror)
        type(MPI_Comm), intent(in) :: comm
        type(MPIX_Harmonize_statistics), intent(out) :: statistics
        integer, optional, intent(out) :: ierror
        integer(c_int) :: code
        code = get_statistics(comm%MPI_VAL, statistics)
        if (present(ierror)) ierror = code
    end subroutine

    real(c_double) function ictus_global_time(comm) result(seconds)
        type(MPI_Comm), intent(in) :: comm
        seconds = global_time(comm%MPI_VAL)
    end function

    real(c_double) function ictus_global_time_bound(comm) result(seconds)
        type(MPI_Comm), intent(in) :: comm
        seconds = global_time_bound(comm%MPI_VAL)
    end function

end module
