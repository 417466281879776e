! The functions of isofold/mpi.h from Fortran, by the module that docs/scale_out.md has.
program fortran_test
  use, intrinsic :: iso_c_binding
  use isofold_mpi
  implicit none
  include 'mpif.h'
  integer :: error, rank, ranks, i, j
  real(c_double), target :: a(4, 5)
  real(c_double), target :: total
  type(c_ptr) :: team

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do j = 1, 5
    do i = 1, 4
      a(i, j) = 100.0d0 * rank + i + 10 * j
    end do
  end do
  if (isofold_team_create_f(MPI_COMM_WORLD, team) /= 0) stop 2
  ! The interior, without a layer of ghost cells: 2 by 3 cells from a(2, 2) on.
  if (isofold_team_reduce_box(team, c_null_ptr, ISOFOLD_SUM, ISOFOLD_EXACT_V1, ISOFOLD_F64, &
      c_loc(a(2, 2)), 2, [2_c_int64_t, 3_c_int64_t], [1_c_int64_t, 4_c_int64_t], c_loc(total)) /= 0) stop 3
  if (total /= 300.0d0 * ranks * (ranks - 1) + ranks * 195.0d0) stop 4
  call isofold_team_destroy(team)
  if (rank == 0) print '(a)', 'Fortran: right'
  call MPI_Finalize(error)
end program
