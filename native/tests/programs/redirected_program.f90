! A Fortran program that knows nothing of Ictus: an allreduce in place and a gather, at each of three levels of MPI's
! Fortran (INCLUDED: mpif.h; MODULE: mpi; MODULE_F08: mpi_f08). Prints `right` where both are.
program redirected_program
#if defined(MODULE_F08)
  use mpi_f08
#elif defined(MODULE)
  use mpi
#endif
  implicit none
#if defined(INCLUDED)
  include 'mpif.h'
#endif
  integer :: ierror, rank, n, i, total(7)
  integer, allocatable :: gathered(:)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  total = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 7, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  allocate(gathered(n))
  gathered = 0
  call MPI_Gather(rank, 1, MPI_INTEGER, gathered, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  if (all(total == n * (n + 1) / 2) .and. (rank /= 0 .or. all(gathered == [(i, i = 0, n - 1)]))) print '(A)', 'right'
  call MPI_Finalize(ierror)
end program redirected_program
