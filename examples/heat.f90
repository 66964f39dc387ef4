! Heat that spreads over a plate: a grid of processes, each with a part of the plate and a halo of one cell, which they
! exchange in every step; the largest change and the sums of the plate's rows are reduced over all. A program in
! Fortran to try `ictus profile` and `ictus advise` on.
!
!     mpifort -O2 -g examples/heat.f90 -o heat
!     ictus advise -m mpich-debian -n 4 -- ./heat [STEPS] [CELLS]
!
! STEPS defaults to 2000; CELLS, along each side of a process' part, to 256.
program heat
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), allocatable :: plate(:, :), next(:, :), rows(:)
  real(dp) :: change, began
  integer :: n, rank, n_ranks, step, n_steps, grid(2), place(2), up, down, left, right, first
  type(MPI_Comm) :: world
  type(MPI_Datatype) :: row

  call MPI_Init()
  n_steps = number(1, 2000)
  n = number(2, 256)
  call MPI_Comm_size(MPI_COMM_WORLD, n_ranks)
  grid = 0
  call MPI_Dims_create(n_ranks, 2, grid)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, grid, [.false., .false.], .true., world)
  call MPI_Comm_rank(world, rank)
  call MPI_Cart_coords(world, rank, 2, place)
  call MPI_Cart_shift(world, 0, 1, up, down)
  call MPI_Cart_shift(world, 1, 1, left, right)
  call MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE_PRECISION, row)
  call MPI_Type_commit(row)

  allocate (plate(0:n + 1, 0:n + 1), next(0:n + 1, 0:n + 1), rows(n * grid(1)))
  plate = 0
  if (place(1) == 0) plate(0, :) = 1 ! the upper edge of the plate is hot
  next = plate
  began = MPI_Wtime()
  do step = 1, n_steps
    call exchange()
    next(1:n, 1:n) = 0.25_dp * (plate(0:n - 1, 1:n) + plate(2:n + 1, 1:n) + plate(1:n, 0:n - 1) + plate(1:n, 2:n + 1))
    change = maxval(abs(next(1:n, 1:n) - plate(1:n, 1:n)))
    plate(1:n, 1:n) = next(1:n, 1:n)
    call MPI_Allreduce(MPI_IN_PLACE, change, 1, MPI_DOUBLE_PRECISION, MPI_MAX, world)
    first = place(1) * n
    rows = 0
    rows(first + 1:first + n) = sum(plate(1:n, 1:n), dim=2)
    call MPI_Allreduce(MPI_IN_PLACE, rows, size(rows), MPI_DOUBLE_PRECISION, MPI_SUM, world)
  end do
  if (rank == 0) print '(i0, a, i0, a, f7.3, a, es10.3, a, es10.3)', n_steps, ' steps of ', n_ranks, ' processes in ', &
    MPI_Wtime() - began, ' s, last change ', change, ', heat ', sum(rows)
  call MPI_Type_free(row)
  call MPI_Comm_free(world)
  call MPI_Finalize()

contains

  !> A word of the command line as a number.
  integer function number(index, usual)
    integer, intent(in) :: index, usual
    character(len=20) :: word
    number = usual
    if (command_argument_count() < index) return
    call get_command_argument(index, word)
    read (word, *) number
  end function number

  !> A column lies in one piece, a row does not.
  subroutine exchange()
    integer, parameter :: to_left = 1, to_right = 2, to_up = 3, to_down = 4
    call MPI_Sendrecv(plate(1, 1), n, MPI_DOUBLE_PRECISION, left, to_left, &
                      plate(1, n + 1), n, MPI_DOUBLE_PRECISION, right, to_left, world, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(plate(1, n), n, MPI_DOUBLE_PRECISION, right, to_right, &
                      plate(1, 0), n, MPI_DOUBLE_PRECISION, left, to_right, world, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(plate(1, 1), 1, row, up, to_up, &
                      plate(n + 1, 1), 1, row, down, to_up, world, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(plate(n, 1), 1, row, down, to_down, &
                      plate(0, 1), 1, row, up, to_down, world, MPI_STATUS_IGNORE)
  end subroutine exchange

end program heat
