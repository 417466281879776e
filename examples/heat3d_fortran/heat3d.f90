! heat3d in Fortran: two hot balls spread through a cold cube whose conductivity grows with the temperature. It takes
! its sum, minimum, maximum and profile from isofold, over sections of a field with ghost cells, and its log is that of
! the C++ one (examples/heat3d), byte for byte, for any number of threads.
module heat3d_parts
  use isofold
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, output_unit, real64
  implicit none

  integer, parameter :: fine = 0, wrong_physics = 1, bad_usage = 2, no_backend = 3, failed = 4

  type :: settings
    integer :: size = 64
    integer :: steps = 200
    integer :: profile = 20
    integer :: threads = 0
    character(:), allocatable :: backend, log
  end type settings

contains

  subroutine finish(code, sentence)
    integer, intent(in) :: code
    character(*), intent(in) :: sentence
    write (error_unit, "(2a)") "heat3d: ", trim(sentence)
    if (code == bad_usage) write (error_unit, "(a)") &
      "heat3d [--size N] [--steps N] [--profile N] [--threads N] [--backend NAME] [--log FILE]"
    stop code, quiet=.true.
  end subroutine finish

  subroutine read_arguments(chosen)
    type(settings), intent(out) :: chosen
    character(4096) :: option, value
    integer :: a
    chosen%backend = ""
    chosen%log = ""
    do a = 1, command_argument_count(), 2
      call get_command_argument(a, option)
      if (a == command_argument_count()) call finish(bad_usage, trim(option) // " needs a value.")
      call get_command_argument(a + 1, value)
      select case (option)
      case ("--size"); chosen%size = number(option, value, 4, 1024)
      case ("--steps"); chosen%steps = number(option, value, 0, 1000000)
      case ("--profile"); chosen%profile = number(option, value, 0, 1000000)
      case ("--threads"); chosen%threads = number(option, value, 0, 1024)
      case ("--backend"); chosen%backend = trim(value)
      case ("--log"); chosen%log = trim(value)
      case default; call finish(bad_usage, trim(option) // " is no option of heat3d.")
      end select
    end do
  end subroutine read_arguments

  function number(option, text, least, most) result(value)
    character(*), intent(in) :: option, text
    integer, intent(in) :: least, most
    integer :: value, code
    character(80) :: range
    value = least - 1
    if (verify(trim(text), "0123456789") == 0) read (text, *, iostat=code) value
    if (value >= least .and. value <= most) return
    write (range, "(a, i0, a, i0, a)") ": a whole number from ", least, " to ", most, " goes here."
    call finish(bad_usage, trim(option) // " " // trim(text) // range)
  end function number

  ! Two hot balls in a cold medium; x runs along the last index, z along the first.
  subroutine ignite(t, n)
    integer, intent(in) :: n
    real(real64), intent(inout) :: t(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64) :: h, x, y, z
    integer :: i, j, k
    h = 1 / real(n, real64)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          x = (real(k, real64) - 0.5_real64) * h
          y = (real(j, real64) - 0.5_real64) * h
          z = (real(i, real64) - 0.5_real64) * h
          t(i, j, k) = 0.01_real64
          if (inside(0.75_real64, 0.11_real64)) t(i, j, k) = 0.8_real64
          if (inside(0.36_real64, 0.2_real64)) t(i, j, k) = 1
        end do
      end do
    end do
  contains
    pure function inside(centre, radius)
      real(real64), intent(in) :: centre, radius
      logical :: inside
      real(real64) :: dx, dy, dz
      dx = x - centre
      dy = y - centre
      dz = z - 0.5_real64
      inside = (dx * dx + dy * dy) + dz * dz < radius * radius
    end function inside
  end subroutine ignite

  ! Insulated walls: a ghost cell has its neighbour's temperature, so no heat flows between them.
  subroutine fill_ghost_cells(t, n)
    integer, intent(in) :: n
    real(real64), intent(inout) :: t(0:n + 1, 0:n + 1, 0:n + 1)
    t(0, 1:n, 1:n) = t(1, 1:n, 1:n)
    t(n + 1, 1:n, 1:n) = t(n, 1:n, 1:n)
    t(1:n, 0, 1:n) = t(1:n, 1, 1:n)
    t(1:n, n + 1, 1:n) = t(1:n, n, 1:n)
    t(1:n, 1:n, 0) = t(1:n, 1:n, 1)
    t(1:n, 1:n, n + 1) = t(1:n, 1:n, n)
  end subroutine fill_ghost_cells

  ! One explicit step of dT/dt = laplacian(T**3 / 3), each cell by a fixed expression of old ones.
  subroutine advance(old, new, n, dt)
    integer, intent(in) :: n
    real(real64), intent(in) :: old(0:n + 1, 0:n + 1, 0:n + 1), dt
    real(real64), intent(inout) :: new(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64) :: factor, h, neighbours
    integer :: i, j, k
    h = 1 / real(n, real64)
    factor = dt / (h * h)
    !$omp parallel do collapse(2) schedule(static) private(i, neighbours)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          neighbours = ((potential(old(i - 1, j, k)) + potential(old(i + 1, j, k))) &
                        + (potential(old(i, j - 1, k)) + potential(old(i, j + 1, k)))) &
                       + (potential(old(i, j, k - 1)) + potential(old(i, j, k + 1)))
          new(i, j, k) = old(i, j, k) + factor * (neighbours - 6 * potential(old(i, j, k)))
        end do
      end do
    end do
  end subroutine advance

  pure function potential(t)
    real(real64), intent(in) :: t
    real(real64) :: potential
    potential = ((t * t) * t) / 3
  end function potential

  ! A number as C's "%-12.6e" and its bits.
  function with_bits(x) result(text)
    real(real64), intent(in) :: x
    character(32) :: text
    character(12) :: value
    character(16) :: bits
    write (value, "(es12.6e2)") x
    value(9:9) = "e"
    write (bits, "(z16.16)") x
    text = value // " 0x" // lower(bits)
  end function with_bits

  pure function lower(text)
    character(*), intent(in) :: text
    character(len(text)) :: lower
    integer :: i
    lower = text
    do i = 1, len(text)
      if (text(i:i) >= "A" .and. text(i:i) <= "F") lower(i:i) = achar(iachar(text(i:i)) + 32)
    end do
  end function lower

  ! A number of 1e-4 to 1e17 as C's "%.17g": 17 digits without the zeros at their end.
  function with_digits(x) result(text)
    real(real64), intent(in) :: x
    character(:), allocatable :: text
    character(24) :: scientific
    character(17) :: figures
    integer :: exponent, last
    write (scientific, "(es24.16e3)") x
    figures = scientific(2:2) // scientific(4:19)
    read (scientific(21:24), *) exponent
    if (exponent < 0) then
      text = "0." // repeat("0", -exponent - 1) // figures
    else
      text = figures(:exponent + 1) // "." // figures(exponent + 2:)
    end if
    last = verify(text, "0", back=.true.)
    text = text(:merge(last - 1, last, text(last:last) == "."))
  end function with_digits

  ! The slice through the middle, hotter cells darker.
  subroutine draw(t, n)
    integer, intent(in) :: n
    real(real64), intent(in) :: t(0:n + 1, 0:n + 1, 0:n + 1)
    character(10), parameter :: shades = " .:-=+*#%@"
    character(64) :: line
    integer :: width, x, y, shade
    real(real64) :: value
    width = min(n, 64)
    do y = 0, width / 2 - 1
      line = ""
      do x = 0, width - 1
        value = t(n / 2, 1 + y * n / (width / 2), 1 + x * n / width)
        shade = 10
        if (value < 0.999_real64) shade = 1 + int(value * 10)
        line(x + 1:x + 1) = shades(shade:shade)
      end do
      write (output_unit, "(a)") line(:width)
    end do
  end subroutine draw

  subroutine check(code, sentence)
    integer, intent(in) :: code
    character(*), intent(in) :: sentence
    if (code == 0) return
    ! A device does not see this program's memory.
    if (any(code == [isofold_backend_unavailable, isofold_unsupported, isofold_wrong_memory])) then
      call finish(no_backend, sentence)
    end if
    call finish(failed, sentence)
  end subroutine check

  subroutine simulate(chosen)
    !$ use omp_lib, only: omp_set_num_threads
    type(settings), intent(in) :: chosen
    real(real64), allocatable :: t(:, :, :), next(:, :, :), profile(:)
    real(real64) :: time, heat, heat_at_start, coldest, highest, hottest, h, dt
    type(isofold_reducer) :: reducer
    character(400) :: sentence
    integer :: n, step, unit, i, code

    !$ if (chosen%threads > 0) call omp_set_num_threads(chosen%threads)
    n = chosen%size
    h = 1 / real(n, real64)
    call reducer%create(chosen%backend, threads=chosen%threads, stat=code, errmsg=sentence)
    call check(code, sentence)
    allocate (t(0:n + 1, 0:n + 1, 0:n + 1), next(0:n + 1, 0:n + 1, 0:n + 1), profile(n), source=0.0_real64)
    unit = output_unit
    if (chosen%log /= "") then
      open (newunit=unit, file=chosen%log, action="write", status="replace", iostat=code, iomsg=sentence)
      if (code /= 0) call finish(failed, "The log " // chosen%log // " cannot be written: " // sentence)
    end if
    write (unit, "(a)") "# step, then value and bits of: time, sum, minimum, maximum", &
      "# step, profile, then the mean of each plane along x, with digits for all its bits"

    call ignite(t, n)
    time = 0
    hottest = 1
    heat_at_start = 0
    do step = 0, chosen%steps
      ! The interior is a section within the field: nothing is copied.
      heat = isofold_sum(t(1:n, 1:n, 1:n), reducer=reducer, stat=code, errmsg=sentence)
      call check(code, sentence)
      coldest = isofold_minimum(t(1:n, 1:n, 1:n), reducer=reducer)
      highest = isofold_maximum(t(1:n, 1:n, 1:n), reducer=reducer)
      if (step > 0 .and. chosen%profile > 0) then
        if (modulo(step, chosen%profile) == 0) then
          call isofold_reduce(isofold_fold_mean, t(1:n, 1:n, 1:n), profile, dim=[1, 2], reducer=reducer, stat=code, &
            errmsg=sentence)
          call check(code, sentence)
          write (unit, "(i6, a)", advance="no") step, "  profile"
          do i = 1, n
            write (unit, "(2a)", advance="no") " ", with_digits(profile(i))
          end do
          write (unit, "(a)") ""
        end if
      end if
      write (unit, "(i6, 8a)") step, "  ", trim(with_bits(time)), "  ", trim(with_bits(heat)), "  ", &
        trim(with_bits(coldest)), "  ", trim(with_bits(highest))

      ! Heat is conserved up to rounding, and no extremum may grow.
      if (step == 0) heat_at_start = heat
      if (.not. (abs(heat / heat_at_start - 1) < 1e-12_real64 .and. highest <= hottest)) then
        call finish(wrong_physics, "Heat was lost or made, or the maximum grew.")
      end if
      hottest = highest
      if (step == chosen%steps) exit

      dt = 0.9_real64 * h * h / (6 * highest * highest)
      call fill_ghost_cells(t, n)
      call advance(t, next, n, dt)
      call swap(t, next)
      time = time + dt
    end do
    if (unit /= output_unit) close (unit)
    print "(a, i0, a, i0, 3a, es10.3, a, es8.1)", "heat3d: ", step, " steps of ", n, "^3 cells on ", reducer%backend(), &
      ", time ", time, ", heat drift ", heat / heat_at_start - 1
    call draw(t, n)
  end subroutine simulate

  subroutine swap(a, b)
    real(real64), allocatable, intent(inout) :: a(:, :, :), b(:, :, :)
    real(real64), allocatable :: other(:, :, :)
    call move_alloc(a, other)
    call move_alloc(b, a)
    call move_alloc(other, b)
  end subroutine swap
end module heat3d_parts

program heat3d
  use heat3d_parts
  implicit none
  type(settings) :: chosen
  call read_arguments(chosen)
  call simulate(chosen)
  stop fine, quiet=.true.
end program heat3d
