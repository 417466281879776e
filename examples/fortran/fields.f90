! A field with a layer of ghost cells: its interior, a mask, planes, and where the extremum is.
program fields
  use isofold
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: n = 16
  real(real64), allocatable :: t(:, :, :)
  logical, allocatable :: is_fluid(:, :, :)
  real(real64) :: heat, columns(n, n), profile(n)
  integer(int64) :: hottest(3)
  type(isofold_moments) :: moments
  integer :: i, j, k

  allocate (t(0:n + 1, 0:n + 1, 0:n + 1), is_fluid(n, n, n))
  do concurrent (i=0:n + 1, j=0:n + 1, k=0:n + 1)
    t(i, j, k) = 1 / real(1 + (i - 5)**2 + (j - 8)**2 + (k - 3)**2, real64)
  end do
  t(0, :, :) = 1000                       ! a ghost cell may hold anything
  do concurrent (i=1:n, j=1:n, k=1:n)
    is_fluid(i, j, k) = i /= 5            ! a wall
  end do

  heat = isofold_sum(t(1:n, 1:n, 1:n))    ! no copy is made of the section
  columns = isofold_sum(t(1:n, 1:n, 1:n), 3)
  call isofold_reduce(isofold_fold_mean, t(1:n, 1:n, 1:n), profile, dim=[1, 2])
  hottest = isofold_maxloc(t(1:n, 1:n, 1:n), is_fluid)
  moments = isofold_moment_sums(t(1:n, 1:n, 1:n), is_fluid)

  print "(a, f11.6, a, f11.6)", "heat ", heat, ", hottest column ", isofold_maximum(columns)
  print "(a, i0, a, f9.6)", "hottest plane ", isofold_maxloc(profile), ", its mean ", isofold_maximum(profile)
  print "(a, 3(1x, i0))", "hottest cell of the fluid", hottest
  print "(i0, a, f9.6)", moments%count, " cells of fluid, variance ", moments%m2 / real(moments%count, real64)
end program fields
