! The module isofold judged by the oracle's golden lines, by intrinsic functions, and by packed copies of sections:
! fortran_test FOLDER, which holds tests/golden; fortran_test --stop ends by an error.
module isofold_checks
  use isofold
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  integer :: failures = 0, checks = 0
  character(4096) :: argument

contains

  subroutine check(holds, text)
    logical, intent(in) :: holds
    character(*), intent(in) :: text
    checks = checks + 1
    if (holds) return
    failures = failures + 1
    if (failures < 50) print "(2a)", "FAILED: ", text
  end subroutine check

  pure function bits(x)
    real(real64), intent(in) :: x
    integer(int64) :: bits
    bits = transfer(x, bits)
  end function bits

  ! The data sets of docs/test_data.md: splitmix64 of the counter, modulo 2**64.
  pure function source(seed, i) result(s)
    integer(int64), intent(in) :: seed, i
    integer(int64) :: s
    s = seed + (i + 1) * (-7046029254386353131_int64)
    s = ieor(s, shiftr(s, 30)) * (-4658895280553007687_int64)
    s = ieor(s, shiftr(s, 27)) * (-7723592293110705685_int64)
    s = ieor(s, shiftr(s, 31))
  end function source

  subroutine uniform(seed, r4, r8, i4, i8)
    integer(int64), intent(in) :: seed
    real(real32), intent(out) :: r4(:)
    real(real64), intent(out) :: r8(:)
    integer(int32), intent(out) :: i4(:)
    integer(int64), intent(out) :: i8(:)
    integer :: i
    do i = 1, size(r8)
      i8(i) = source(seed, int(i - 1, int64))
      i4(i) = int(shifta(i8(i), 32), int32)
      r8(i) = scale(real(i8(i), real64), -63)
      r4(i) = scale(real(i4(i), real32), -31)
    end do
  end subroutine uniform

  ! Every line of a file over uniform elements of these types that has one number, real or complex, as its result; the
  ! elements in their order, and stored from back to front in a section that turns them round again.
  subroutine golden_lines(file)
    character(*), intent(in) :: file
    integer, parameter :: most = 5000
    character(40) :: word(8)
    character(400) :: line
    integer :: unit, code, fold, n
    integer(int64) :: seed, before
    before = checks
    open (newunit=unit, file=trim(argument) // "/" // file // ".txt", status="old", action="read")
    do
      read (unit, "(a)", iostat=code) line
      if (code /= 0) exit
      if (line(1:1) == "#") cycle
      read (line, *, iostat=code) word(1:7)
      if (code /= 0 .or. word(4) /= "uniform") cycle
      read (word(5), *, iostat=code) seed
      if (code /= 0) cycle
      read (word(6), *) n
      fold = fold_number(trim(word(2)))
      if (n > most .or. fold == 0 .or. all(word(7) /= ["f32 ", "f64 ", "i64 ", "i32 ", "c64 ", "c128"])) cycle
      call golden_line(trim(line), fold, trim(word(1)), trim(word(3)), trim(word(7)), seed, n)
    end do
    close (unit)
    call check(checks > before + 10, file // ": there are no golden lines")
  end subroutine golden_lines

  function fold_number(name) result(fold)
    character(*), intent(in) :: name
    integer :: fold
    select case (name)
    case ("sum"); fold = isofold_fold_sum
    case ("product"); fold = isofold_fold_product
    case ("minimum"); fold = isofold_fold_minimum
    case ("maximum"); fold = isofold_fold_maximum
    case ("norm1"); fold = isofold_fold_norm1
    case ("norm2"); fold = isofold_fold_norm2
    case ("absolute_maximum"); fold = isofold_fold_absolute_maximum
    case ("dot"); fold = isofold_fold_dot
    case ("squared_distance"); fold = isofold_fold_squared_distance
    case ("mean"); fold = isofold_fold_mean
    case ("variance"); fold = isofold_fold_variance
    case ("sample_variance"); fold = isofold_fold_sample_variance
    case ("standard_deviation"); fold = isofold_fold_standard_deviation
    case ("sample_standard_deviation"); fold = isofold_fold_sample_standard_deviation
    case ("log_sum_exp"); fold = isofold_fold_log_sum_exp
    case ("count_nonzero"); fold = isofold_fold_count_nonzero
    case default; fold = 0
    end select
  end function fold_number

  subroutine golden_line(line, fold, definition, type, outcome, seed, n)
    character(*), intent(in) :: line, definition, type, outcome
    integer, intent(in) :: fold, n
    integer(int64), intent(in) :: seed
    real(real32) :: r4(2 * n), s4(2 * n)
    real(real64) :: r8(2 * n), s8(2 * n)
    integer(int32) :: i4(2 * n), j4(2 * n)
    integer(int64) :: i8(2 * n), j8(2 * n)
    complex(real32) :: c4(n), d4(n)
    complex(real64) :: c8(n), d8(n)
    call uniform(seed, r4, r8, i4, i8)
    call uniform(seed + 1, s4, s8, j4, j8)
    c4 = cmplx(r4(1::2), r4(2::2), real32)
    d4 = cmplx(s4(1::2), s4(2::2), real32)
    c8 = cmplx(r8(1::2), r8(2::2), real64)
    d8 = cmplx(s8(1::2), s8(2::2), real64)
    select case (type)
    case ("f32"); call compare(line, fold, definition, outcome, r4(:n), s4(:n))
      r4(:n) = r4(n:1:-1); s4(:n) = s4(n:1:-1)
      call compare(line, fold, definition, outcome, r4(n:1:-1), s4(n:1:-1))
    case ("f64"); call compare(line, fold, definition, outcome, r8(:n), s8(:n))
      r8(:n) = r8(n:1:-1); s8(:n) = s8(n:1:-1)
      call compare(line, fold, definition, outcome, r8(n:1:-1), s8(n:1:-1))
    case ("i32"); call compare(line, fold, definition, outcome, i4(:n), j4(:n))
      i4(:n) = i4(n:1:-1)
      call compare(line, fold, definition, outcome, i4(n:1:-1), j4(n:1:-1))
    case ("i64"); call compare(line, fold, definition, outcome, i8(:n), j8(:n))
      i8(:n) = i8(n:1:-1)
      call compare(line, fold, definition, outcome, i8(n:1:-1), j8(n:1:-1))
    case ("c64"); call compare(line, fold, definition, outcome, c4, d4)
      c4 = c4(n:1:-1); d4 = d4(n:1:-1)
      call compare(line, fold, definition, outcome, c4(n:1:-1), d4(n:1:-1))
    case ("c128"); call compare(line, fold, definition, outcome, c8, d8)
      c8 = c8(n:1:-1); d8 = d8(n:1:-1)
      call compare(line, fold, definition, outcome, c8(n:1:-1), d8(n:1:-1))
    end select
  end subroutine golden_line

  ! Reduces a (and b) and compares the result's bits with the end of the line, hexadecimal.
  subroutine compare(line, fold, definition, outcome, a, b)
    character(*), intent(in) :: line, definition, outcome
    integer, intent(in) :: fold
    type(*), dimension(..), intent(in) :: a, b
    logical :: exact
    integer :: code
    real(real32) :: r4
    real(real64) :: r8
    complex(real32) :: c4
    complex(real64) :: c8
    integer(int32) :: i4
    integer(int64) :: i8
    character(60) :: found
    exact = definition == "exact_v1"
    found = ""
    code = 0
    select case (outcome)
    case ("f32"); call reduce(r4)
    case ("f64"); call reduce(r8)
    case ("i32"); call reduce(i4)
    case ("i64"); call reduce(i8)
    case ("c64"); call reduce(c4)
    case ("c128"); call reduce(c8)
    end select
    if (code == isofold_empty_input) return
    if (code == 0) then
      select case (outcome)
      case ("f32"); write (found, "('0x', z8.8)") r4
      case ("f64"); write (found, "('0x', z16.16)") r8
      case ("i32"); write (found, "('0x', z8.8)") i4
      case ("i64"); write (found, "('0x', z16.16)") i8
      case ("c64"); write (found, "('0x', z8.8, ',0x', z8.8)") real(c4), aimag(c4)
      case ("c128"); write (found, "('0x', z16.16, ',0x', z16.16)") real(c8), aimag(c8)
      end select
    end if
    call check(lower(trim(found)) == line(index(trim(line), " ", back=.true.) + 1:), line // " is not " // found)
  contains
    subroutine reduce(value)
      type(*), dimension(..), intent(inout) :: value
      if (fold == isofold_fold_dot .or. fold == isofold_fold_squared_distance) then
        call isofold_reduce(fold, a, value, b, exact=exact, stat=code, errmsg=found)
      else
        call isofold_reduce(fold, a, value, exact=exact, stat=code, errmsg=found)
      end if
    end subroutine reduce
  end subroutine compare

  pure function lower(text)
    character(*), intent(in) :: text
    character(len(text)) :: lower
    integer :: i
    lower = text
    do i = 1, len(text)
      if (text(i:i) >= "A" .and. text(i:i) <= "Z") lower(i:i) = achar(iachar(text(i:i)) + 32)
    end do
  end function lower

  ! Every generic name over a turned and thinned matrix, and under a mask, against the fold by its number over a packed
  ! copy.
  subroutine generic_names()
    real(real32) :: r4(24, 40), s4(24, 40)
    real(real64) :: r8(24, 40), s8(24, 40), one, two
    integer(int32) :: i4(24, 40), j4(24, 40)
    integer(int64) :: i8(24, 40), j8(24, 40), count
    complex(real32) :: c4(24, 40), z4
    complex(real64) :: c8(24, 40), z8
    real(real32) :: single
    logical :: mask(24, 40)
    type(isofold_moments) :: sums, packed
    call fill(3_int64, r4, r8, i4, i8, 960)
    call fill(4_int64, s4, s8, j4, j8, 960)
    c4 = cmplx(r4, s4, real32)
    c8 = cmplx(r8, s8, real64)
    mask = s8 > -0.3
    associate (m => mask(24:1:-3, ::7), x => r8(24:1:-3, ::7), f => r4(24:1:-3, ::7), k => i4(24:1:-3, ::7), &
               l => i8(24:1:-3, ::7))
      call isofold_reduce(isofold_fold_sum, pack(x, m), one)
      call check(bits(isofold_sum(x, m)) == bits(one), "sum, real64")
      call check(bits(isofold_sum(x, logical(m, c_bool))) == bits(one), "sum, real64, c_bool")
      call check(bits(isofold_sum(x, .true.)) == bits(isofold_sum(pack(x, .true.))), "sum, scalar mask")
      call check(isofold_sum(x, .false.) == 0, "sum, scalar mask that takes nothing")
      call isofold_reduce(isofold_fold_sum, pack(f, m), single)
      call check(isofold_sum(f, m) == single, "sum, real32")
      call isofold_reduce(isofold_fold_sum, pack(f, m), one, widen=.true.)
      call isofold_reduce(isofold_fold_sum, f, two, mask=m, widen=.true.)
      call check(bits(one) == bits(two) .and. one /= real(single, real64), "sum, widened")
      call check(isofold_sum(k, m) == sum(int(k, int64), m), "sum, int32")
      call check(isofold_sum(l, m) == sum(l, m), "sum, int64")
      call isofold_reduce(isofold_fold_sum, pack(c4(24:1:-3, ::7), m), z4)
      call check(isofold_sum(c4(24:1:-3, ::7), m) == z4, "sum, complex(real32)")
      call isofold_reduce(isofold_fold_sum, pack(c8(24:1:-3, ::7), m), z8)
      call check(isofold_sum(c8(24:1:-3, ::7), m) == z8, "sum, complex(real64)")
      call isofold_reduce(isofold_fold_product, pack(x, m), one)
      call check(bits(isofold_product(x, m)) == bits(one), "product")
      call check(isofold_product(k, m) == isofold_product(pack(k, m)), "product, int32")
      call check(isofold_minimum(x, m) == minval(x, m) .and. isofold_maximum(x, m) == maxval(x, m), "extrema, real64")
      call check(isofold_minimum(f, m) == minval(f, m) .and. isofold_maximum(f, m) == maxval(f, m), "extrema, real32")
      call check(isofold_minimum(k, m) == minval(k, m) .and. isofold_maximum(k, m) == maxval(k, m), "extrema, int32")
      call check(isofold_minimum(l, m) == minval(l, m) .and. isofold_maximum(l, m) == maxval(l, m), "extrema, int64")
      call isofold_reduce(isofold_fold_mean, pack(f, m), one)
      call check(bits(isofold_mean(f, m)) == bits(one), "mean, real32")
      call check(bits(isofold_mean(k, m, exact=.true.)) == bits(isofold_mean(pack(k, m), exact=.true.)), "mean, int32")
      call check(isofold_mean([1, 2, 6], exact=.true.) == 3, "mean of integers")
      call isofold_reduce(isofold_fold_norm1, pack(x, m), one)
      call check(bits(isofold_norm1(x, m)) == bits(one), "norm1")
      call isofold_reduce(isofold_fold_norm2, pack(c8(24:1:-3, ::7), m), one)
      call check(bits(isofold_norm2(c8(24:1:-3, ::7), m)) == bits(one), "norm2, complex(real64)")
      call check(isofold_absolute_maximum(x, m) == maxval(abs(x), m), "absolute_maximum")
      call isofold_reduce(isofold_fold_variance, pack(x, m), one)
      call check(bits(isofold_variance(x, m)) == bits(one), "variance")
      call isofold_reduce(isofold_fold_sample_variance, pack(x, m), two)
      call check(bits(isofold_variance(x, m, sample=.true.)) == bits(two) .and. one < two, "sample variance")
      call isofold_reduce(isofold_fold_standard_deviation, pack(x, m), one)
      call check(bits(isofold_standard_deviation(x, m)) == bits(one), "standard deviation")
      call isofold_reduce(isofold_fold_log_sum_exp, pack(x, m), one)
      call check(bits(isofold_log_sum_exp(x, m)) == bits(one), "log_sum_exp")
      call check(isofold_count_nonzero(merge(k, 0, k > 0)) == count_of(k > 0), "count_nonzero")
      call check(isofold_count_nan(x) == 0, "count_nan")
      call check(isofold_count_in_range(x, -0.25_real64, 0.5_real64, m) &
                 == count_of(m .and. x >= -0.25 .and. x <= 0.5), "count_in_range")
      call isofold_reduce(isofold_fold_dot, pack(x, m), one, pack(s8(::3, 40:1:-7), m))
      call check(bits(isofold_dot(x, s8(::3, 40:1:-7), m)) == bits(one), "dot")
      call isofold_reduce(isofold_fold_squared_distance, pack(x, m), one, pack(s8(::3, 40:1:-7), m))
      call check(bits(isofold_squared_distance(x, s8(::3, 40:1:-7), m)) == bits(one), "squared_distance")
      call isofold_reduce(isofold_fold_moments, pack(f, m), packed)
      sums = isofold_moment_sums(f, m)
      call check(sums%count == packed%count .and. bits(sums%mean) == bits(packed%mean) &
                 .and. bits(sums%m2) == bits(packed%m2), "moments")
      call isofold_reduce(isofold_fold_sum, pack(x, m), one, exact=.true.)
      call check(bits(isofold_sum(x, m, exact=.true.)) == bits(one), "exact sum")
      call check(bits(isofold_sum(x(8:1:-1, :), m(8:1:-1, :), exact=.true.)) == bits(one), "exact sum, other order")
    end associate
    call isofold_reduce(isofold_fold_sum, int([1, 2, 100], int8), count)
    call check(count == 103, "sum, int8")
    call isofold_reduce(isofold_fold_sum, int([1, 2, 300], int16), count)
    call check(count == 303, "sum, int16")
    call check(isofold_sum(2.5) == 2.5 .and. isofold_sum(2.5, .false.) == 0, "a scalar")
  end subroutine generic_names

  subroutine fill(seed, r4, r8, i4, i8, n)
    integer(int64), intent(in) :: seed
    integer, intent(in) :: n
    real(real32), intent(out) :: r4(n)
    real(real64), intent(out) :: r8(n)
    integer(int32), intent(out) :: i4(n)
    integer(int64), intent(out) :: i8(n)
    call uniform(seed, r4, r8, i4, i8)
  end subroutine fill

  pure function count_of(mask) result(n)
    logical, intent(in) :: mask(:, :)
    integer(int64) :: n
    n = count(mask, kind=int64)
  end function count_of

  ! Sections of arrays of rank 1 to 7 with negative strides: all of them, and along each dim, under a mask too.
  subroutine ranks()
    real(real64) :: all_of_them(2304)
    real(real32) :: r4(2304)
    integer(int32) :: i4(2304)
    integer(int64) :: i8(2304)
    real(real64), allocatable :: a1(:), a2(:, :), a3(:, :, :), a4(:, :, :, :), a5(:, :, :, :, :), &
      a6(:, :, :, :, :, :), a7(:, :, :, :, :, :, :)
    integer :: d
    call uniform(9_int64, r4, all_of_them, i4, i8)
    allocate (a1(2304), source=all_of_them)
    allocate (a2(64, 36), source=reshape(all_of_them, [64, 36]))
    allocate (a3(16, 12, 12), source=reshape(all_of_them, [16, 12, 12]))
    allocate (a4(8, 8, 6, 6), source=reshape(all_of_them, [8, 8, 6, 6]))
    allocate (a5(4, 4, 4, 6, 6), source=reshape(all_of_them, [4, 4, 4, 6, 6]))
    allocate (a6(4, 4, 4, 4, 3, 3), source=reshape(all_of_them, [4, 4, 4, 4, 3, 3]))
    allocate (a7(2, 2, 4, 4, 4, 3, 3), source=reshape(all_of_them, [2, 2, 4, 4, 4, 3, 3]))
    call whole("rank 1", isofold_sum(a1), isofold_sum(a1(2304:1:-2)), [a1(2304:1:-2)])
    call whole("rank 2", isofold_sum(a2), isofold_sum(a2(64:1:-3, ::2)), pack(a2(64:1:-3, ::2), .true.))
    call whole("rank 3", isofold_sum(a3), isofold_sum(a3(::3, 12:1:-1, 2:)), pack(a3(::3, 12:1:-1, 2:), .true.))
    call whole("rank 4", isofold_sum(a4), isofold_sum(a4(3:, 8:1:-1, :, 6:1:-4)), &
               pack(a4(3:, 8:1:-1, :, 6:1:-4), .true.))
    call whole("rank 5", isofold_sum(a5), isofold_sum(a5(4:1:-1, :, ::3, 6:1:-1, 2::2)), &
               pack(a5(4:1:-1, :, ::3, 6:1:-1, 2::2), .true.))
    call whole("rank 6", isofold_sum(a6), isofold_sum(a6(4:1:-2, :, 4:1:-1, ::3, :, 3:1:-1)), &
               pack(a6(4:1:-2, :, 4:1:-1, ::3, :, 3:1:-1), .true.))
    call whole("rank 7", isofold_sum(a7), isofold_sum(a7(2:1:-1, :, 4:1:-2, 4:1:-1, 2:, :, 3:1:-1)), &
               pack(a7(2:1:-1, :, 4:1:-2, 4:1:-1, 2:, :, 3:1:-1), .true.))
    call check(bits(isofold_sum(a1(2304:1:-2), 1)) == bits(isofold_sum(a1(2304:1:-2))), "rank 1 along its dim")
    do d = 1, 2
      call along(d, isofold_sum(a2(64:1:-3, ::2), d), a2(64:1:-3, ::2))
    end do
    do d = 1, 3
      call along(d, pack(isofold_maximum(a3(::3, 12:1:-1, 2:), d) - maxval(a3(::3, 12:1:-1, 2:), d), .true.), &
                 zeros=.true.)
      call along(d, pack(isofold_minimum(a3, d, a3 < 0.9) - minval(a3, d, a3 < 0.9), .true.), zeros=.true.)
      call along(d, pack(real(isofold_count_nonzero(merge(1, 0, a3 > 0), d) - count(a3 > 0, d), real64), .true.), &
                 zeros=.true.)
    end do
    do d = 1, 4
      call along(d, pack(isofold_minimum(a4, d) - minval(a4, d), .true.), zeros=.true.)
    end do
    do d = 1, 5
      call along(d, pack(isofold_minimum(a5, d) - minval(a5, d), .true.), zeros=.true.)
    end do
    do d = 1, 6
      call along(d, pack(isofold_minimum(a6, d) - minval(a6, d), .true.), zeros=.true.)
    end do
    do d = 1, 7
      call along(d, pack(isofold_maximum(a7(2:1:-1, :, :, 4:1:-1, :, :, :), d) &
                         - maxval(a7(2:1:-1, :, :, 4:1:-1, :, :, :), d), &
                         .true.), zeros=.true.)
    end do
    call several_dimensions(a3)
  contains
    subroutine whole(name, sum, sum_of_section, section)
      character(*), intent(in) :: name
      real(real64), intent(in) :: sum, sum_of_section, section(:)
      call check(bits(sum) == bits(isofold_sum(all_of_them)), name)
      call check(bits(sum_of_section) == bits(isofold_sum(section)), name // ", section")
    end subroutine whole
    subroutine along(d, found, matrix, zeros)
      integer, intent(in) :: d
      real(real64), intent(in) :: found(:)
      real(real64), intent(in), optional :: matrix(:, :)
      logical, intent(in), optional :: zeros
      integer :: i
      character(20) :: name
      write (name, "(a, i0)") "along dim ", d
      if (present(zeros)) call check(all(found == 0) .and. size(found) > 0, name)
      if (.not. present(matrix)) return
      do i = 1, size(found)
        if (d == 1) call check(bits(found(i)) == bits(isofold_sum([matrix(:, i)])), name)
        if (d == 2) call check(bits(found(i)) == bits(isofold_sum([matrix(i, :)])), name)
      end do
    end subroutine along
  end subroutine ranks

  subroutine several_dimensions(a)
    real(real64), intent(in) :: a(:, :, :)
    real(real64) :: means(size(a, 2)), extent(2), column(size(a, 1))
    integer :: j
    call isofold_reduce(isofold_fold_mean, a(size(a, 1):1:-1, :, ::2), means, dim=[3, 1], &
      mask=a(size(a, 1):1:-1, :, ::2) > 0)
    do j = 1, size(a, 2)
      call check(bits(means(j)) == bits(isofold_mean(pack(a(size(a, 1):1:-1, j, ::2), &
                                                                     a(size(a, 1):1:-1, j, ::2) > 0))), "dims 3 and 1")
    end do
    call isofold_reduce(isofold_fold_minmax, a, extent)
    call check(extent(1) == minval(a) .and. extent(2) == maxval(a), "minmax")
    column = a(:, 1, 1)
    call isofold_reduce(isofold_fold_sum, column, extent(1), skip_nan=.true.)
    call check(bits(extent(1)) == bits(isofold_sum(column)), "skip_nan of numbers")
  end subroutine several_dimensions

  ! Indices from 1, of numbers with many ties, as minloc and maxloc have them.
  subroutine locations()
    integer(int32) :: i4(5, 8, 6)
    integer(int64) :: i8(5, 8, 6)
    real(real32) :: r4(5, 8, 6)
    real(real64) :: r8(5, 8, 6)
    logical :: m(5, 8, 6)
    integer :: d, step
    do step = 1, 20
      call fill(int(step, int64), r4, r8, i4, i8, 240)
      m = btest(i8, 3)
      i4 = int(modulo(i8, 7_int64), int32)
      r8 = real(i4, real64)
      associate (x => r8(5:1:-2, :, 6:1:-1), k => i4(5:1:-2, :, 6:1:-1), n => m(5:1:-2, :, 6:1:-1))
        call check(all(isofold_maxloc(x) == maxloc(x)) .and. all(isofold_minloc(k) == minloc(k)), "locations")
        call check(all(isofold_maxloc(x, back=.true.) == maxloc(x, back=.true.)), "last location")
        call check(all(isofold_maxloc(x, n) == maxloc(x, n)) .and. all(isofold_minloc(k, n) == minloc(k, n)), &
                   "locations under a mask")
        call check(all(isofold_minloc(k, logical(n, c_bool), back=.true.) == last_true(k == minval(k, n) .and. n)), &
                   "last location under a mask")
        do d = 1, 3
          call check(all(isofold_maxloc(x, d) == maxloc(x, d)), "locations along dim")
          call check(all(isofold_minloc(k, d, n, back=.true.) == minloc(k, d, n, back=.true.)), &
                     "locations along dim under a mask")
        end do
      end associate
    end do
    call check(all(isofold_minloc(i4, 1, i4 > 100) == 0), "locations of nothing along dim")
    call check(all(isofold_minloc([3, 1, 2]) == [2]) .and. size(isofold_minloc(7)) == 0, "location in rank 1 and 0")
    r4 = 1
    r4(2, 3, 4) = 0
    r4(2, 3, 4) = r4(2, 3, 4) / r4(2, 3, 4)
    call check(all(isofold_maxloc(r4) == [2, 3, 4]), "a NaN comes first")
    call check(isofold_count_nan(r4) == 1, "a NaN is counted")
  end subroutine locations

  ! The last place that is true; gfortran 12's own minloc of mask and back finds places that the mask leaves out.
  pure function last_true(mask) result(place)
    logical, intent(in) :: mask(:, :, :)
    integer :: place(3), i, j, k
    place = 0
    do k = 1, size(mask, 3)
      do j = 1, size(mask, 2)
        do i = 1, size(mask, 1)
          if (mask(i, j, k)) place = [i, j, k]
        end do
      end do
    end do
  end function last_true

  subroutine component_arrays()
    type :: cell
      sequence
      real(real64) :: density
      real(real32) :: temperature(3)
      integer(int32) :: material
      complex(real64) :: amplitude
    end type cell
    type :: odd
      sequence
      complex(real64) :: z
      real(real64) :: w
    end type odd
    type(cell) :: cells(40)
    type(odd) :: odds(4)
    integer :: i, code
    complex(real64) :: z
    character(200) :: text
    do i = 1, 40
      cells(i)%density = 1 / real(i, real64)
      cells(i)%temperature = [1.0, 2.0, 3.0] / real(i)
      cells(i)%material = modulo(i, 5)
      cells(i)%amplitude = 0
    end do
    do i = 1, 4
      odds(i) = odd(cmplx(i, -i, real64), 0)
    end do
    call check(bits(isofold_sum(cells(40:1:-1)%density)) == bits(isofold_sum([cells(40:1:-1)%density])), "components")
    call check(isofold_sum(cells%temperature(2)) == isofold_sum([cells%temperature(2)]), "components that are arrays")
    call check(isofold_sum(cells%material) == sum(cells%material), "components, integers")
    ! gfortran copies these, whose steps are no multiple of their size; other compilers hand them on.
    z = isofold_sum(odds%z, stat=code, errmsg=text)
    call check(code == 0 .and. z == cmplx(10, -10, real64) .or. index(text, "24 bytes apart") > 0, "odd steps")
    call check(isofold_sum((odds%z)) == cmplx(10, -10, real64), "a copy of components")
  end subroutine component_arrays

  ! More dimensions than the library's 8, where neighbours are one in memory; else a sentence.
  subroutine many_dimensions()
    integer, allocatable :: a(:, :, :, :, :, :, :, :, :, :, :, :, :, :, :)
    integer :: code, i
    integer(int64) :: total
    character(200) :: text
    allocate (a(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2), &
              source=reshape([(i, i=1, 32768)], [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]))
    call check(isofold_sum(a) == 536887296_int64, "rank 15")
    total = isofold_sum(a(1::2, :, 1::2, :, 1::2, :, 1::2, :, 1::2, :, 1::2, :, 1::2, :, 1::2), stat=code, errmsg=text)
    call check(code == 0 .and. total > 0, text)
    total = isofold_sum(a(2:1:-1, :, 2:1:-1, :, 2:1:-1, :, 2:1:-1, :, 2:1:-1, :, 2:1:-1, :, 2:1:-1, :, 2:1:-1), &
                        stat=code, errmsg=text)
    call check(code == isofold_unsupported .and. index(text, "pass a copy") > 0, text)
  end subroutine many_dimensions

  subroutine empty_arrays()
    real(real64) :: a(3, 4), x
    integer :: code
    character(200) :: text
    a = 1
    call check(isofold_sum(a(:, 1:0)) == 0 .and. isofold_product(a(1:0, :)) == 1, "sum and product of nothing")
    call check(all(isofold_sum(a(:, 1:0), 2) == [0, 0, 0]) .and. size(isofold_sum(a(:, 1:0), 1)) == 0, "along dim")
    call check(size(isofold_minimum(a(:, 1:0), 1)) == 0 .and. all(isofold_minimum(a(1:0, :), 1) > huge(x)), "minima")
    call check(isofold_norm2(a(2:1, 2:1)) == 0 .and. isofold_count_nonzero(a(2:1, :)) == 0, "norm and count of nothing")
    x = isofold_maximum(a(:, 1:0), stat=code, errmsg=text)
    call check(code == isofold_empty_input .and. index(text, "no elements") > 0, text)
    x = isofold_mean(a, a > 2, stat=code)
    call check(code == isofold_empty_input .and. x == x, "a mask that takes nothing")
    code = size(isofold_minloc(a(:, 1:0), stat=code))
    call check(isofold_sum(a(1:0, 1), exact=.true.) == 0, "exact sum of nothing")
  end subroutine empty_arrays

  ! Partial results of parts in any order, merged as words, are the result of the whole.
  subroutine exact_words()
    real(real64) :: x(3000), y(3000), whole, merged
    real(real32) :: r4(3000), small
    integer(int32) :: i4(3000)
    integer(int64) :: i8(3000), total
    type(isofold_exact) :: part, other, nothing
    type(isofold_moments) :: sums
    integer :: code
    character(200) :: text
    character(8) :: name
    call uniform(1_int64, r4, x, i4, i8)
    x = scale(x, modulo(i4, 600) - 300)
    y = x(3000:1:-1)
    call isofold_reduce(isofold_fold_sum, x, whole, exact=.true.)
    part = isofold_exact(isofold_fold_sum, x(2999:1:-2))
    other = isofold_exact(isofold_fold_sum, x(1:0))
    call check(all(other%words == 0), "words of nothing are zeros")
    call other%add(x(2::2), mask=x(2::2) > 0)
    call other%add(x(2::2), mask=x(2::2) <= 0)
    call other%add(x, mask=x > huge(x))
    part%words = part%words + other%words
    call part%finish(merged)
    call check(bits(merged) == bits(whole), "words added as integers")
    call part%merge(other, subtract=.true.)
    call part%merge(other)
    call part%finish(merged)
    call check(bits(merged) == bits(whole), "words taken away and merged again")
    part = isofold_exact(isofold_fold_dot, x(:1000), y(:1000))
    call part%add(x(3000:1001:-1), y(3000:1001:-1))
    call part%finish(merged)
    call check(bits(merged) == bits(isofold_dot(x, y, exact=.true.)), "words of a dot product")
    part = isofold_exact(isofold_fold_sum, r4, widen=.true.)
    call part%finish(merged)
    call isofold_reduce(isofold_fold_sum, r4, whole, widen=.true., exact=.true.)
    call check(bits(merged) == bits(whole), "widened words")
    part = isofold_exact(isofold_fold_sum, i4)
    call part%finish(total)
    call check(total == sum(int(i4, int64)), "words of integers")
    part = isofold_exact(isofold_fold_moments, r4)
    call part%finish(sums)
    call check(sums%count == 3000, "words of moments")
    call part%finish(small, stat=code, errmsg=text)
    call check(code == isofold_invalid_argument .and. index(text, "isofold_moments") > 0, text)
    call part%add(x, stat=code, errmsg=text)
    call check(code == isofold_mismatch .and. index(text, "real(real32)") > 0, text)
    call part%merge(other, stat=code, errmsg=text)
    call check(code == isofold_mismatch, text)
    name = "kept"
    call part%add(["text"], stat=code, errmsg=name)
    call check(code == isofold_unsupported .and. name == "kept", "characters as elements")
    call nothing%finish(whole, stat=code, errmsg=text)
    call check(code == isofold_mismatch .and. index(text, "begin it") > 0, text)
    part = isofold_exact(isofold_fold_maximum, x, stat=code, errmsg=text)
    call check(code == isofold_unsupported .and. index(text, "maximum") > 0, text)
  end subroutine exact_words

  subroutine errors()
    real(real64) :: a(3, 4), x
    real(real32) :: single, row(4), wide(8)
    logical :: yes(2)
    integer :: code, i
    integer(int64) :: place(2)
    character(200) :: text
    character(12) :: short
    a = 1
    x = isofold_sum(a, reshape([(.true., i=1, 6)], [3, 2]), stat=code, errmsg=text)
    call expect("mask has extent 2 in dimension 2, but the array has 4.")
    x = isofold_sum(a, [.true.], stat=code, errmsg=text)
    call expect("mask has rank 1, but the array has rank 2.")
    row = real(isofold_sum(a, 3, stat=code, errmsg=text))
    call expect("dim is 3, but the array has rank 2.")
    call isofold_reduce(isofold_fold_sum, a, x, dim=[1, 1], stat=code, errmsg=text)
    call expect("dim has dimension 1 twice.")
    x = isofold_dot(a, a(1:2, :), stat=code, errmsg=text)
    call expect("The second array has extent 2 in dimension 1, but the array has 3.")
    call isofold_reduce(isofold_fold_dot, a, x, real(a), stat=code, errmsg=text)
    call expect("The two arrays are real(real64) and real(real32): they must be of one type.")
    call isofold_reduce(isofold_fold_sum, a, single, stat=code, errmsg=text)
    call expect("The result is real(real64), but the argument result is real(real32).")
    call isofold_reduce(isofold_fold_sum, real(a), row(1:3), dim=[1], stat=code, errmsg=text)
    call expect("There are 4 numbers to return, but the argument result has 3 elements.")
    call isofold_reduce(isofold_fold_sum, real(a), wide(::2), dim=[1], stat=code, errmsg=text)
    call expect("The argument result is not contiguous: pass a whole array, and copy it.", isofold_unsupported)
    call isofold_reduce(isofold_fold_argmin, a, place, dim=[1, 2], stat=code, errmsg=text)
    call expect("A location is one of the whole array, or along one dim, not along 2.", isofold_unsupported)
    call isofold_reduce(isofold_fold_count_in_range, a, place(1), parameters=[1.0, 2.0], stat=code, errmsg=text)
    call check(code == isofold_invalid_argument .and. index(text, "takes 2 of real(real64)") > 0, text)
    call isofold_reduce(isofold_fold_sum, yes, x, stat=code, errmsg=text)
    call check(code == isofold_unsupported .and. index(text, "isofold reduces real, integer and complex") == 1, text)
    call isofold_reduce(isofold_fold_variance, [1, 2], x, stat=code, errmsg=text)
    call check(code == isofold_unsupported .and. index(text, "(variance) is not defined for elements of") > 0, text)
    call isofold_reduce(999, a, x, stat=code, errmsg=text)
    call check(code == isofold_unsupported, text)
    x = isofold_sum(a, exact=.true., stat=code, errmsg=short)
    call check(code == 0 .and. x == 12, "no error")
    x = isofold_sum(a, [.true.], stat=code, errmsg=short)
    call check(short == "mask has ran", "a sentence that is cut")
  contains
    subroutine expect(sentence, expected)
      character(*), intent(in) :: sentence
      integer, intent(in), optional :: expected
      integer :: wanted
      wanted = isofold_invalid_argument
      if (present(expected)) wanted = expected
      call check(code == wanted .and. text == sentence, trim(text) // " is not " // sentence)
      text = ""
    end subroutine expect
  end subroutine errors

  subroutine reducers()
    type(isofold_reducer) :: reducer
    real(real64), allocatable :: x(:)
    real(real32), allocatable :: r4(:)
    integer(int32), allocatable :: i4(:)
    integer(int64), allocatable :: i8(:)
    integer :: code, threads
    character(200) :: text
    allocate (x(100000), r4(100000), i4(100000), i8(100000))
    call uniform(5_int64, r4, x, i4, i8)
    call reducer%create("reference")
    call check(bits(isofold_sum(x)) == bits(isofold_sum(x, reducer=reducer)), "reference")
    call check(reducer%backend() == "reference", "the backend's name")
    do threads = 1, 3
      call reducer%create(threads=threads)
      call check(bits(isofold_sum(x)) == bits(isofold_sum(x, reducer=reducer)), "threads")
    end do
    call reducer%create("abacus", stat=code, errmsg=text)
    call check(code == isofold_backend_unavailable .and. index(text, "abacus") > 0, text)
    call reducer%destroy()
    call check(bits(isofold_sum(x, reducer=reducer)) == bits(isofold_sum(x)), "a reducer of nothing")
    call check(index(isofold_version(), ".") > 0, "version")
  end subroutine reducers

  ! Fused folds have the bits that each has alone, locations and masks included.
  subroutine fused()
    real(real64), target :: x(40, 50)
    real(real32) :: r4(2000)
    integer(int32) :: i4(2000)
    integer(int64) :: i8(2000), place(2), only(2)
    real(real64) :: total, least, pair(2)
    logical :: mask(20, 25)
    logical(c_bool) :: is_any
    integer :: code
    character(200) :: text
    call uniform(6_int64, r4, pair_of(x), i4, i8)
    call isofold_fuse([isofold_fold_sum, isofold_fold_argmin, isofold_fold_minmax, isofold_fold_any], x, total, place, &
      pair, is_any)
    call check(bits(total) == bits(isofold_sum(x)), "fused sum")
    call check(all(place == isofold_minloc(x)) .and. all(place == minloc(x)), "fused location")
    call check(bits(pair(1)) == bits(minval(x)) .and. bits(pair(2)) == bits(maxval(x)) .and. is_any, "fused pair")
    mask = x(1:40:2, 50:1:-2) > 0
    call isofold_fuse([isofold_fold_minimum, isofold_fold_argmin], x(1:40:2, 50:1:-2), least, only, mask=mask)
    call check(bits(least) == bits(isofold_minimum(x(1:40:2, 50:1:-2), mask)), "fused section under a mask")
    call check(all(only == minloc(x(1:40:2, 50:1:-2), mask)), "location of a fused section under a mask")
    call isofold_fuse([isofold_fold_sum], x, total, exact=.true.)
    call check(bits(total) == bits(isofold_sum(x, exact=.true.)), "one exact fold")
    call isofold_fuse([isofold_fold_sum, isofold_fold_mean], x, total, stat=code, errmsg=text)
    call check(code == isofold_invalid_argument .and. index(text, "2 folds and 1 results") > 0, text)
    call isofold_fuse([isofold_fold_sum, isofold_fold_mean], r4, total, least, stat=code, errmsg=text)
    call check(code == isofold_invalid_argument .and. index(text, "real(real32)") > 0, text)
  contains
    function pair_of(field) result(flat)
      real(real64), intent(in), target, contiguous :: field(:, :)
      real(real64), pointer :: flat(:)
      flat(1:size(field)) => field
    end function pair_of
  end subroutine fused

  ! Parts in any order, through bytes, have the bits of the whole.
  subroutine forests()
    integer, parameter :: n = 5000
    type(isofold_forest) :: whole, part, empty
    real(real32) :: r4(n)
    real(real64) :: x(n), total
    integer(int32) :: i4(n)
    integer(int64) :: i8(n), place
    integer(int8), allocatable :: bytes(:)
    integer :: fold, code, cut
    character(200) :: text
    call uniform(9_int64, r4, x, i4, i8)
    do cut = 1, n, 977
      do fold = 1, 2
        call whole%create(merge(isofold_fold_sum, isofold_fold_argmax, fold == 1), x, int(n, int64))
        call part%create(merge(isofold_fold_sum, isofold_fold_argmax, fold == 1), x, int(n, int64))
        call whole%add(int(cut + 1, int64), x(cut + 1:))
        call check(.not. whole%is_complete(), "a part is not the whole")
        call part%add(1_int64, x(:cut))
        bytes = part%to_bytes()
        call part%from_bytes(bytes)
        call whole%merge(part)
        call check(whole%is_complete(), "both parts are the whole")
        if (fold == 1) call whole%finish(total)
        if (fold == 2) call whole%finish(place)
      end do
      call check(bits(total) == bits(isofold_sum(x)), "sum of two parts")
      call check(place == maxloc(x, 1), "location in two parts")
    end do
    call whole%merge(part, stat=code, errmsg=text)
    call check(code == isofold_overlap, text)
    call whole%create(isofold_fold_sum, x, int(n, int64))
    call whole%finish(total, stat=code, errmsg=text)
    call check(code == isofold_incomplete, text)
    call whole%finish(r4(1), stat=code, errmsg=text)
    call check(code == isofold_invalid_argument .and. index(text, "real(real64)") > 0, text)
    call whole%add(1_int64, r4, stat=code, errmsg=text)
    call check(code == isofold_mismatch .and. index(text, "real(real32)") > 0, text)
    call whole%add(1_int64, x(1:n:2), stat=code, errmsg=text)
    call check(code == isofold_unsupported .and. index(text, "pass a copy") > 0, text)
    call whole%add(1_int64, x, stat=code)
    call check(code == 0, "after errors the Forest takes what is right")
    call whole%finish(total)
    call check(bits(total) == bits(isofold_sum(x)), "the next call")
    bytes(size(bytes) / 2) = not(bytes(size(bytes) / 2))
    call part%from_bytes(bytes, stat=code, errmsg=text)
    call check(code == isofold_mismatch, text)
    call empty%add(1_int64, x, stat=code, errmsg=text)
    call check(code == isofold_invalid_argument .and. index(text, "was not created") > 0, text)
    call check(size(empty%to_bytes()) == 0, "bytes of nothing")
    call whole%create(isofold_fold_dot, x, 5_int64, stat=code, errmsg=text)
    call check(code == isofold_unsupported, text)
  end subroutine forests
end module isofold_checks

program fortran_test
  use isofold
  use isofold_checks
  implicit none
  call get_command_argument(1, argument)
  if (argument == "--stop") then
    print *, isofold_maximum([real ::])
    stop 0
  end if
  call golden_lines("sum")
  call golden_lines("product")
  call golden_lines("minimum")
  call golden_lines("maximum")
  call golden_lines("norm1")
  call golden_lines("norm2")
  call golden_lines("absolute_maximum")
  call golden_lines("dot")
  call golden_lines("squared_distance")
  call golden_lines("mean")
  call golden_lines("variance")
  call golden_lines("sample_standard_deviation")
  call golden_lines("log_sum_exp")
  call golden_lines("count_nonzero")
  call golden_lines("exact_v1")
  call generic_names()
  call ranks()
  call locations()
  call component_arrays()
  call many_dimensions()
  call empty_arrays()
  call exact_words()
  call fused()
  call forests()
  call errors()
  call reducers()
  print "(i0, a, i0, a)", checks, " checks, ", failures, " failures"
  if (failures > 0 .or. checks < 1000) error stop 1

end program fortran_test
