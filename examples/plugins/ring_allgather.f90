! An allgather along a ring, in Fortran: in p - 1 steps each rank passes on the block that came last. The state of an
! operation is a variable of this module, reached by its address.
!
!     ictus run --plugin examples/plugins/ring_allgather.f90 --op allgather,my_allgather
module ring_allgather
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  private

  ! The beginning of ictus_operation_site (ictus/operation.h), as far as Fortran needs it.
  type, bind(C) :: site_t
    integer(c_long_long) :: count
    type(c_ptr) :: values
    integer(c_int) :: root
    integer :: comm, datatype, op
  end type

  type, bind(C) :: operation_t
    type(c_ptr) :: name = c_null_ptr, summary = c_null_ptr, stands_for = c_null_ptr, parameters = c_null_ptr
    type(c_funptr) :: create = c_null_funptr, call = c_null_funptr, destroy = c_null_funptr
    type(c_funptr) :: allocate = c_null_funptr, release = c_null_funptr
    type(c_funptr) :: write = c_null_funptr, read = c_null_funptr
    integer(c_int) :: in_place = 0
  end type

  type :: ring_t
    integer :: comm, datatype, count, rank, n_ranks
    integer(kind=MPI_ADDRESS_KIND) :: block_bytes
  end type

  character(kind=c_char, len=*), parameter :: end_of_text = c_null_char
  character(kind=c_char, len=13), target :: name = 'my_allgather' // end_of_text
  character(kind=c_char, len=22), target :: summary = 'blocks along the ring' // end_of_text
  character(kind=c_char, len=10), target :: stands_for = 'allgather' // end_of_text
  type(operation_t), target :: operations(2) ! the last one has no name

contains

  function create(site, state) bind(C) result(code)
    type(site_t), intent(in) :: site
    type(c_ptr), intent(out) :: state
    integer(c_int) :: code
    type(ring_t), pointer :: own
    integer(kind=MPI_ADDRESS_KIND) :: lower_bound, extent
    integer :: error
    allocate (own)
    own%comm = site%comm
    own%datatype = site%datatype
    own%count = int(site%count)
    call MPI_Comm_rank(own%comm, own%rank, error)
    call MPI_Comm_size(own%comm, own%n_ranks, error)
    call MPI_Type_get_extent(own%datatype, lower_bound, extent, error)
    own%block_bytes = extent * own%count
    state = c_loc(own)
    code = error
  end function

  function gather_all(state, send, receive) bind(C) result(code)
    type(c_ptr), value :: state, send, receive
    integer(c_int) :: code
    type(ring_t), pointer :: own
    integer(c_int8_t), pointer :: from(:), all(:)
    integer(kind=MPI_ADDRESS_KIND) :: mine, theirs
    integer :: step, left, right, error
    call c_f_pointer(state, own)
    call c_f_pointer(send, from, [max(own%block_bytes, 1_MPI_ADDRESS_KIND)])
    call c_f_pointer(receive, all, [max(own%block_bytes * own%n_ranks, 1_MPI_ADDRESS_KIND)])
    left = modulo(own%rank - 1, own%n_ranks)
    right = modulo(own%rank + 1, own%n_ranks)
    mine = own%rank * own%block_bytes
    code = 0
    if (own%block_bytes == 0) return
    call MPI_Sendrecv(from(1), own%count, own%datatype, 0, 0, all(mine + 1), own%count, own%datatype, 0, 0, &
                      MPI_COMM_SELF, MPI_STATUS_IGNORE, error)
    do step = 1, own%n_ranks - 1
      mine = modulo(own%rank - step + 1, own%n_ranks) * own%block_bytes
      theirs = modulo(own%rank - step, own%n_ranks) * own%block_bytes
      call MPI_Sendrecv(all(mine + 1), own%count, own%datatype, right, 0, all(theirs + 1), own%count, own%datatype, &
                        left, 0, own%comm, MPI_STATUS_IGNORE, error)
    end do
    code = error
  end function

  function destroy(state) bind(C) result(code)
    type(c_ptr), value :: state
    integer(c_int) :: code
    type(ring_t), pointer :: own
    call c_f_pointer(state, own)
    deallocate (own)
    code = 0
  end function

  function ictus_operations(version) bind(C) result(first)
    integer(c_int), value :: version
    type(c_ptr) :: first
    first = c_null_ptr
    if (version /= 2) return
    operations(1)%name = c_loc(name)
    operations(1)%summary = c_loc(summary)
    operations(1)%stands_for = c_loc(stands_for)
    operations(1)%create = c_funloc(create)
    operations(1)%call = c_funloc(gather_all)
    operations(1)%destroy = c_funloc(destroy)
    first = c_loc(operations)
  end function

end module
