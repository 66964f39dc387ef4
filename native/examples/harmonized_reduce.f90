! The same as harmonized_reduce.c in Fortran 2008: how long MPI_Reduce takes, its samples started together by
! MPIX_Harmonize.
!     mpifort harmonized_reduce.f90 $(pkg-config --cflags --libs ictus-fortran) -o harmonized_reduce
!     mpiexec -n 2 ./harmonized_reduce
program harmonized_reduce
    use mpi_f08
    use ictus_harmonize
    implicit none
    integer, parameter :: wanted = 1000, most = 10000, batch = 16
    type(MPI_Comm) :: comm
    logical :: flags(batch)
    double precision :: times(batch), begin, total
    double precision :: in(1), out(1)
    integer :: i, rank, tried, valid

    call MPI_Init()
    comm = MPI_COMM_WORLD
    call MPI_Comm_rank(comm, rank)
    in = rank
    total = 0
    tried = 0
    valid = 0

    do i = 1, 20 ! some libraries change their algorithm after the first calls
        call MPIX_Harmonize(comm, flags(1))
        call MPI_Reduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm)
    end do
    do while (valid < wanted .and. tried < most)
        do i = 1, batch
            call MPIX_Harmonize(comm, flags(i)) ! all have come, and all go on now
            begin = MPI_Wtime()
            call MPI_Reduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm)
            times(i) = MPI_Wtime() - begin
        end do
        tried = tried + batch
        ! Whether a process was late, it alone knows; a reduction lasts as long as on its slowest process.
        call MPI_Allreduce(MPI_IN_PLACE, flags, batch, MPI_LOGICAL, MPI_LAND, comm)
        call MPI_Allreduce(MPI_IN_PLACE, times, batch, MPI_DOUBLE_PRECISION, MPI_MAX, comm)
        total = total + sum(times, mask=flags)
        valid = valid + count(flags)
    end do
    if (rank == 0 .and. valid > 0) then
        print '(a, f0.3, a, i0, a, i0)', 'MPI_Reduce of 8 bytes: mean ', 1d6 * total / valid, ' us over ', valid, &
            ' valid samples of ', tried
    else if (rank == 0) then
        print '(a, i0)', 'MPI_Reduce of 8 bytes: NA, no valid sample among ', tried
    end if
    call MPI_Finalize()
end program
