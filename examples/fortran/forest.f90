! A Forest: parts of one array, added in any order and by anybody, have the bits of the whole. Its bytes are for a
! message or a restart file.
program forest
  use isofold
  use, intrinsic :: iso_fortran_env, only: int8, int64, real64
  implicit none
  integer(int64), parameter :: n = 100000
  real(real64) :: x(n), total, largest
  integer(int64) :: place(1)
  type(isofold_forest) :: mine, other
  integer(int8), allocatable :: message(:)
  integer(int64) :: i

  do i = 1, n
    x(i) = 1 / real(modulo(7919 * i, n) + 1, real64)
  end do
  call other%create(isofold_fold_sum, x, n)
  call other%add(60001_int64, x(60001:))            ! its first element is number 60001 of the array
  message = other%to_bytes()

  call mine%create(isofold_fold_sum, x, n)
  call mine%add(1_int64, x(:60000))
  call other%from_bytes(message)
  call mine%merge(other)
  call mine%finish(total)
  if (abs(total - isofold_sum(x)) > 0) error stop "The bits differ."

  ! Several folds of one array, which is read once.
  call isofold_fuse([isofold_fold_sum, isofold_fold_maximum, isofold_fold_argmax], x, total, largest, place)
  print "(a, f17.14, a, f4.1, a, i0)", "sum ", total, ", largest ", largest, " at ", place(1)
end program forest
