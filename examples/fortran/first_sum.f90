! The first sum: the same bits for every number of threads and on every backend.
program first_sum
  use isofold
  implicit none
  real, allocatable :: x(:)
  integer :: i
  allocate (x(3000001))
  do i = 1, size(x)
    x(i) = 1 / real(i)
  end do
  print "(a, f13.9)", "sum ", isofold_sum(x)
  print "(a, f13.9)", "exact ", isofold_sum(x, exact=.true.)
end program first_sum
