! An exact sum over MPI ranks: the same bits for any number of them.
program exact_mpi
  use isofold
  use mpi
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: n = 100000
  real(real64), allocatable :: x(:)
  real(real64) :: total
  type(isofold_exact) :: part
  integer :: rank, ranks, first, last, i, code

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  first = 1 + n / ranks * rank
  last = merge(n, n / ranks * (rank + 1), rank == ranks - 1)
  allocate (x(first:last))
  do i = first, last
    x(i) = (-1)**i / real(i, real64)
  end do

  part = isofold_exact(isofold_fold_sum, x)
  call MPI_Allreduce(MPI_IN_PLACE, part%words, size(part%words), MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, code)
  call part%finish(total)
  if (rank == 0) print "(a, f20.16, a, z16)", "total ", total, " 0x", total
  call MPI_Finalize(code)
end program exact_mpi
