! A user's program in an fpm package that depends on isofold's.
program consumer
  use isofold
  implicit none
  real :: x(1000)
  integer :: i
  x = [(1 / real(i), i=1, size(x))]
  print "(a, f11.7, 1x, a)", "sum ", isofold_sum(x), isofold_version()
end program consumer
