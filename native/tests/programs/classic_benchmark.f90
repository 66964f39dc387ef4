! A benchmark of somebody else, in the classic form, in Fortran: barrier, read the time, call, read the time. The same
! source by mpif.h, the module mpi or mpi_f08 (-DINCLUDED, -DMODULE, -DMODULE_F08). Each rank prints how often it was
! right, which is 10.
program classic_benchmark
#if defined(MODULE_F08)
  use mpi_f08
#elif defined(MODULE)
  use mpi
#endif
  implicit none
#if defined(INCLUDED)
  include 'mpif.h'
#endif
#if defined(MODULE_F08)
  type(MPI_Comm) :: comm
#else
  integer :: comm
#endif
  integer :: i, rank, ranks, given, ierror, right
  double precision :: begin, spent
  call MPI_Init_thread(MPI_THREAD_SINGLE, given, ierror)
  comm = MPI_COMM_WORLD
  call MPI_Comm_rank(comm, rank, ierror)
  call MPI_Comm_size(comm, ranks, ierror)
  right = 0
  spent = 0
  do i = 1, 10
    call MPI_Barrier(comm, ierror)
    begin = MPI_Wtime()
    given = 1
    call MPI_Allreduce(MPI_IN_PLACE, given, 1, MPI_INTEGER, MPI_SUM, comm, ierror)
    spent = spent + MPI_Wtime() - begin
    if (given == ranks) right = right + 1
  end do
  print '(a, i0, a, i0, a, es10.3)', 'rank ', rank, ' right ', right, ' mean ', spent / 10
  call MPI_Finalize(ierror)
end program classic_benchmark
