! An exact sum over images: the words of the partial results are integers, which co_sum adds in any order.
program exact_parts
  use isofold
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  real(real64) :: x(1000), total, whole
  type(isofold_exact) :: part
  integer :: i

  do i = 1, size(x)
    x(i) = (-1)**i * 2.0_real64**modulo(37 * i, 200) / real(i + this_image(), real64)
  end do
  part = isofold_exact(isofold_fold_sum, x(1:600))
  call part%add(x(601:1000))              ! more elements, whenever they are there
  call co_sum(part%words)                 ! up to 2**30 partial results at once
  call part%finish(total)                 ! the one rounding
  if (this_image() == 1) print "(a, es24.16)", "total ", total
  whole = isofold_sum(x, exact=.true.)
  if (num_images() == 1 .and. abs(total - whole) > 0) error stop "The bits differ."
end program exact_parts
