! isofold for Fortran 2018: reductions with the same bits on every backend (docs/fortran.md).
! Generated from isofold.f90.in by generate.py. `use isofold` has all public names; all begin with isofold_.
!
! Functions take arrays of any rank, sections of any strides where they lie, scalars too. A whole array is reduced in
! array element order, the order of its memory, so the bits are those of C++ over the same memory. These arguments
! are optional everywhere:
!   mask     a logical array of the same shape, or a scalar: the elements to take, with the bits of pack(a, mask)
!   exact    .true.: exact_v1, the real value rounded once (docs/exact.md); else tree v1 (docs/tree.md)
!   reducer  a backend, a number of threads or a stream; else the backend is chosen by where the data lie
!   stat     0, or one of isofold_invalid_argument, ...; without it an error stops the program by `error stop`
!   errmsg   the sentence of the error; unchanged where there is none. On an error no result is to be used.
! With dim, from 1 to the rank (at most 7), that dimension is reduced, as by the intrinsic functions. Arrays without
! elements have the values of docs/folds.md, or the error isofold_empty_input where they have none. The guarantee is
! same_bits (docs/guarantees.md): no backend, number of threads, stride or address changes a bit.
module isofold
  use, intrinsic :: iso_c_binding, only: c_associated, c_bool, c_char, c_double, c_f_pointer, c_int32_t, c_int64_t, &
    c_int8_t, c_loc, c_null_char, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  private

  public :: isofold_sum, isofold_product, isofold_mean, isofold_minimum
  public :: isofold_maximum, isofold_norm1, isofold_norm2, isofold_absolute_maximum
  public :: isofold_variance, isofold_standard_deviation, isofold_log_sum_exp, isofold_count_nonzero
  public :: isofold_count_nan, isofold_minloc, isofold_maxloc, isofold_dot
  public :: isofold_squared_distance, isofold_count_in_range, isofold_moment_sums, isofold_reduce
  public :: isofold_fuse, isofold_exact, isofold_forest, isofold_reducer
  public :: isofold_moments, isofold_version

  ! Folds, for isofold_reduce and isofold_exact.
  integer, parameter, public :: isofold_fold_sum = 1
  integer, parameter, public :: isofold_fold_product = 2
  integer, parameter, public :: isofold_fold_minimum = 3
  integer, parameter, public :: isofold_fold_maximum = 4
  integer, parameter, public :: isofold_fold_argmin = 5
  integer, parameter, public :: isofold_fold_argmax = 6
  integer, parameter, public :: isofold_fold_argmin_last = 7
  integer, parameter, public :: isofold_fold_argmax_last = 8
  integer, parameter, public :: isofold_fold_minmax = 9
  integer, parameter, public :: isofold_fold_argminmax = 10
  integer, parameter, public :: isofold_fold_absolute_maximum = 11
  integer, parameter, public :: isofold_fold_norm1 = 12
  integer, parameter, public :: isofold_fold_norm2 = 13
  integer, parameter, public :: isofold_fold_dot = 14
  integer, parameter, public :: isofold_fold_squared_distance = 15
  integer, parameter, public :: isofold_fold_moments = 16
  integer, parameter, public :: isofold_fold_mean = 17
  integer, parameter, public :: isofold_fold_variance = 18
  integer, parameter, public :: isofold_fold_sample_variance = 19
  integer, parameter, public :: isofold_fold_log_sum_exp = 20
  integer, parameter, public :: isofold_fold_softmax_statistics = 21
  integer, parameter, public :: isofold_fold_count_nonzero = 22
  integer, parameter, public :: isofold_fold_count_nan = 23
  integer, parameter, public :: isofold_fold_count_in_range = 24
  integer, parameter, public :: isofold_fold_any = 25
  integer, parameter, public :: isofold_fold_all = 26
  integer, parameter, public :: isofold_fold_none = 27
  integer, parameter, public :: isofold_fold_bit_and = 28
  integer, parameter, public :: isofold_fold_bit_or = 29
  integer, parameter, public :: isofold_fold_bit_xor = 30
  integer, parameter, public :: isofold_fold_sum_with_bound = 31
  integer, parameter, public :: isofold_fold_mean_with_bound = 32
  integer, parameter, public :: isofold_fold_dot_with_bound = 33
  integer, parameter, public :: isofold_fold_weighted_sum = 34
  integer, parameter, public :: isofold_fold_argabsmax = 35
  integer, parameter, public :: isofold_fold_standard_deviation = 36
  integer, parameter, public :: isofold_fold_sample_standard_deviation = 37

  ! Values of stat.
  integer, parameter, public :: isofold_ok = 0
  integer, parameter, public :: isofold_invalid_argument = 1
  integer, parameter, public :: isofold_empty_input = 2
  integer, parameter, public :: isofold_unsupported = 3
  integer, parameter, public :: isofold_backend_unavailable = 4
  integer, parameter, public :: isofold_wrong_memory = 5
  integer, parameter, public :: isofold_misaligned = 6
  integer, parameter, public :: isofold_overlap = 7
  integer, parameter, public :: isofold_out_of_memory = 8
  integer, parameter, public :: isofold_capture = 9
  integer, parameter, public :: isofold_device_lost = 10
  integer, parameter, public :: isofold_device_failure = 11
  integer, parameter, public :: isofold_incomplete = 12
  integer, parameter, public :: isofold_mismatch = 13
  integer, parameter, public :: isofold_internal = 14
  integer, parameter, public :: isofold_out_of_range = 15

  ! Chooses where reductions run. Other calls of the same thread may use one; it cannot be assigned. Its end frees it.
  type :: isofold_reducer
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => create_reducer
    procedure :: destroy => destroy_reducer
    procedure :: backend => backend_of
    procedure, private :: refuse_assignment
    generic, public :: assignment(=) => refuse_assignment
    final :: finalize_reducer
  end type isofold_reducer

  ! The result of isofold_moment_sums: the number of elements, their mean, and the sum of the squared distances from it.
  type, bind(C) :: isofold_moments
    integer(c_int64_t) :: count = 0
    real(c_double) :: mean = 0
    real(c_double) :: m2 = 0
  end type isofold_moments

  ! A partial result of exact_v1. Partial results of any parts of the data are merged by adding their words, by
  ! co_sum(e%words), by MPI_Allreduce of MPI_INTEGER8 with MPI_SUM, or by merge; up to 2**30 at once.
  type :: isofold_exact
    integer(int64), allocatable :: words(:)
    integer(c_int32_t), private :: fold = 0
    integer(c_int32_t), private :: type = 0
    logical, private :: is_widened = .false.
  contains
    procedure :: add => add_elements
    procedure :: merge => merge_words
    procedure :: finish => finish_words
  end type isofold_exact

  ! A partial result of tree v1: which elements of one array have been added, in any order and by any process. It cannot
  ! be assigned, and its end frees it. What travels are its bytes.
  type :: isofold_forest
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => create_forest
    procedure :: destroy => destroy_forest
    procedure :: add => add_to_forest
    procedure :: merge => merge_forests
    procedure :: is_complete => forest_is_complete
    procedure :: finish => finish_forest
    procedure :: to_bytes => forest_to_bytes
    procedure :: from_bytes => forest_from_bytes
    procedure, private :: refuse_forest_assignment
    generic, public :: assignment(=) => refuse_forest_assignment
    final :: finalize_forest
  end type isofold_forest

  ! isofold_exact(fold, a [, b, mask, widen, reducer, stat, errmsg]): the partial result of these elements.
  interface isofold_exact
    procedure exact_of
  end interface isofold_exact

  ! isofold_sum(a [, mask, ...]), isofold_sum(a, dim [, mask, ...])
  ! The sum; of integers in 64 bits. No elements: 0.
  interface isofold_sum
    procedure sum_r4, sum_r4_b, sum_r4_1, sum_r4_2
    procedure sum_r4_3, sum_r4_4, sum_r4_5, sum_r4_6
    procedure sum_r4_7, sum_r8, sum_r8_b, sum_r8_1
    procedure sum_r8_2, sum_r8_3, sum_r8_4, sum_r8_5
    procedure sum_r8_6, sum_r8_7, sum_i4, sum_i4_b
    procedure sum_i4_1, sum_i4_2, sum_i4_3, sum_i4_4
    procedure sum_i4_5, sum_i4_6, sum_i4_7, sum_i8
    procedure sum_i8_b, sum_i8_1, sum_i8_2, sum_i8_3
    procedure sum_i8_4, sum_i8_5, sum_i8_6, sum_i8_7
    procedure sum_c4, sum_c4_b, sum_c4_1, sum_c4_2
    procedure sum_c4_3, sum_c4_4, sum_c4_5, sum_c4_6
    procedure sum_c4_7, sum_c8, sum_c8_b, sum_c8_1
    procedure sum_c8_2, sum_c8_3, sum_c8_4, sum_c8_5
    procedure sum_c8_6, sum_c8_7
  end interface isofold_sum

  ! isofold_product(a [, mask, ...])
  ! The product; of integers modulo 2**64. No elements: 1.
  interface isofold_product
    procedure product_r4, product_r4_b, product_r8, product_r8_b
    procedure product_i4, product_i4_b, product_i8, product_i8_b
    procedure product_c4, product_c4_b, product_c8, product_c8_b
  end interface isofold_product

  ! isofold_mean(a [, mask, ...]), isofold_mean(a, dim [, mask, ...])
  ! The mean, in real64; of integers with exact=.true. alone. No elements: an error, NaN along dim.
  interface isofold_mean
    procedure mean_r4, mean_r4_b, mean_r4_1, mean_r4_2
    procedure mean_r4_3, mean_r4_4, mean_r4_5, mean_r4_6
    procedure mean_r4_7, mean_r8, mean_r8_b, mean_r8_1
    procedure mean_r8_2, mean_r8_3, mean_r8_4, mean_r8_5
    procedure mean_r8_6, mean_r8_7, mean_i4, mean_i4_b
    procedure mean_i4_1, mean_i4_2, mean_i4_3, mean_i4_4
    procedure mean_i4_5, mean_i4_6, mean_i4_7, mean_i8
    procedure mean_i8_b, mean_i8_1, mean_i8_2, mean_i8_3
    procedure mean_i8_4, mean_i8_5, mean_i8_6, mean_i8_7
  end interface isofold_mean

  ! isofold_minimum(a [, mask, ...]), isofold_minimum(a, dim [, mask, ...])
  ! The smallest element; a NaN wins, -0 < +0. No elements: an error.
  interface isofold_minimum
    procedure minimum_r4, minimum_r4_b, minimum_r4_1, minimum_r4_2
    procedure minimum_r4_3, minimum_r4_4, minimum_r4_5, minimum_r4_6
    procedure minimum_r4_7, minimum_r8, minimum_r8_b, minimum_r8_1
    procedure minimum_r8_2, minimum_r8_3, minimum_r8_4, minimum_r8_5
    procedure minimum_r8_6, minimum_r8_7, minimum_i4, minimum_i4_b
    procedure minimum_i4_1, minimum_i4_2, minimum_i4_3, minimum_i4_4
    procedure minimum_i4_5, minimum_i4_6, minimum_i4_7, minimum_i8
    procedure minimum_i8_b, minimum_i8_1, minimum_i8_2, minimum_i8_3
    procedure minimum_i8_4, minimum_i8_5, minimum_i8_6, minimum_i8_7
  end interface isofold_minimum

  ! isofold_maximum(a [, mask, ...]), isofold_maximum(a, dim [, mask, ...])
  ! The largest element; a NaN wins, -0 < +0. No elements: an error.
  interface isofold_maximum
    procedure maximum_r4, maximum_r4_b, maximum_r4_1, maximum_r4_2
    procedure maximum_r4_3, maximum_r4_4, maximum_r4_5, maximum_r4_6
    procedure maximum_r4_7, maximum_r8, maximum_r8_b, maximum_r8_1
    procedure maximum_r8_2, maximum_r8_3, maximum_r8_4, maximum_r8_5
    procedure maximum_r8_6, maximum_r8_7, maximum_i4, maximum_i4_b
    procedure maximum_i4_1, maximum_i4_2, maximum_i4_3, maximum_i4_4
    procedure maximum_i4_5, maximum_i4_6, maximum_i4_7, maximum_i8
    procedure maximum_i8_b, maximum_i8_1, maximum_i8_2, maximum_i8_3
    procedure maximum_i8_4, maximum_i8_5, maximum_i8_6, maximum_i8_7
  end interface isofold_maximum

  ! isofold_norm1(a [, mask, ...]), isofold_norm1(a, dim [, mask, ...])
  ! The sum of the magnitudes. No elements: 0.
  interface isofold_norm1
    procedure norm1_r4, norm1_r4_b, norm1_r4_1, norm1_r4_2
    procedure norm1_r4_3, norm1_r4_4, norm1_r4_5, norm1_r4_6
    procedure norm1_r4_7, norm1_r8, norm1_r8_b, norm1_r8_1
    procedure norm1_r8_2, norm1_r8_3, norm1_r8_4, norm1_r8_5
    procedure norm1_r8_6, norm1_r8_7, norm1_c4, norm1_c4_b
    procedure norm1_c4_1, norm1_c4_2, norm1_c4_3, norm1_c4_4
    procedure norm1_c4_5, norm1_c4_6, norm1_c4_7, norm1_c8
    procedure norm1_c8_b, norm1_c8_1, norm1_c8_2, norm1_c8_3
    procedure norm1_c8_4, norm1_c8_5, norm1_c8_6, norm1_c8_7
  end interface isofold_norm1

  ! isofold_norm2(a [, mask, ...]), isofold_norm2(a, dim [, mask, ...])
  ! The Euclidean norm, without overflow on the way. No elements: 0.
  interface isofold_norm2
    procedure norm2_r4, norm2_r4_b, norm2_r4_1, norm2_r4_2
    procedure norm2_r4_3, norm2_r4_4, norm2_r4_5, norm2_r4_6
    procedure norm2_r4_7, norm2_r8, norm2_r8_b, norm2_r8_1
    procedure norm2_r8_2, norm2_r8_3, norm2_r8_4, norm2_r8_5
    procedure norm2_r8_6, norm2_r8_7, norm2_c4, norm2_c4_b
    procedure norm2_c4_1, norm2_c4_2, norm2_c4_3, norm2_c4_4
    procedure norm2_c4_5, norm2_c4_6, norm2_c4_7, norm2_c8
    procedure norm2_c8_b, norm2_c8_1, norm2_c8_2, norm2_c8_3
    procedure norm2_c8_4, norm2_c8_5, norm2_c8_6, norm2_c8_7
  end interface isofold_norm2

  ! isofold_absolute_maximum(a [, mask, ...])
  ! The largest magnitude. No elements: 0.
  interface isofold_absolute_maximum
    procedure absolute_maximum_r4, absolute_maximum_r4_b, absolute_maximum_r8, absolute_maximum_r8_b
    procedure absolute_maximum_c4, absolute_maximum_c4_b, absolute_maximum_c8, absolute_maximum_c8_b
  end interface isofold_absolute_maximum

  ! isofold_variance(a [, mask, sample, ...]), isofold_variance(a, dim [, mask, sample, ...])
  ! The variance, in real64, by n, or with sample=.true. by n - 1. No elements: an error, NaN along dim.
  interface isofold_variance
    procedure variance_r4, variance_r4_b, variance_r4_1, variance_r4_2
    procedure variance_r4_3, variance_r4_4, variance_r4_5, variance_r4_6
    procedure variance_r4_7, variance_r8, variance_r8_b, variance_r8_1
    procedure variance_r8_2, variance_r8_3, variance_r8_4, variance_r8_5
    procedure variance_r8_6, variance_r8_7
  end interface isofold_variance

  ! isofold_standard_deviation(a [, mask, sample, ...]), isofold_standard_deviation(a, dim [, mask, sample, ...])
  ! The square root of the variance. No elements: an error, NaN along dim.
  interface isofold_standard_deviation
    procedure standard_deviation_r4, standard_deviation_r4_b, standard_deviation_r4_1, standard_deviation_r4_2
    procedure standard_deviation_r4_3, standard_deviation_r4_4, standard_deviation_r4_5, standard_deviation_r4_6
    procedure standard_deviation_r4_7, standard_deviation_r8, standard_deviation_r8_b, standard_deviation_r8_1
    procedure standard_deviation_r8_2, standard_deviation_r8_3, standard_deviation_r8_4, standard_deviation_r8_5
    procedure standard_deviation_r8_6, standard_deviation_r8_7
  end interface isofold_standard_deviation

  ! isofold_log_sum_exp(a [, mask, ...])
  ! log(sum(exp(a))). No elements: -infinity.
  interface isofold_log_sum_exp
    procedure log_sum_exp_r4, log_sum_exp_r4_b, log_sum_exp_r8, log_sum_exp_r8_b
  end interface isofold_log_sum_exp

  ! isofold_count_nonzero(a [, mask, ...]), isofold_count_nonzero(a, dim [, mask, ...])
  ! The number of elements that are not 0.
  interface isofold_count_nonzero
    procedure count_nonzero_r4, count_nonzero_r4_b, count_nonzero_r4_1, count_nonzero_r4_2
    procedure count_nonzero_r4_3, count_nonzero_r4_4, count_nonzero_r4_5, count_nonzero_r4_6
    procedure count_nonzero_r4_7, count_nonzero_r8, count_nonzero_r8_b, count_nonzero_r8_1
    procedure count_nonzero_r8_2, count_nonzero_r8_3, count_nonzero_r8_4, count_nonzero_r8_5
    procedure count_nonzero_r8_6, count_nonzero_r8_7, count_nonzero_i4, count_nonzero_i4_b
    procedure count_nonzero_i4_1, count_nonzero_i4_2, count_nonzero_i4_3, count_nonzero_i4_4
    procedure count_nonzero_i4_5, count_nonzero_i4_6, count_nonzero_i4_7, count_nonzero_i8
    procedure count_nonzero_i8_b, count_nonzero_i8_1, count_nonzero_i8_2, count_nonzero_i8_3
    procedure count_nonzero_i8_4, count_nonzero_i8_5, count_nonzero_i8_6, count_nonzero_i8_7
  end interface isofold_count_nonzero

  ! isofold_count_nan(a [, mask, ...])
  ! The number of NaNs.
  interface isofold_count_nan
    procedure count_nan_r4, count_nan_r4_b, count_nan_r8, count_nan_r8_b
    procedure count_nan_i4, count_nan_i4_b, count_nan_i8, count_nan_i8_b
  end interface isofold_count_nan

  ! isofold_minloc(a [, mask, back, ...]), isofold_minloc(a, dim [, mask, back, ...])
  ! The indices, from 1, of the first smallest element (back=.true.: the last). No elements: an error, 0 along dim.
  interface isofold_minloc
    procedure minloc_r4, minloc_r4_b, minloc_r4_1, minloc_r4_2
    procedure minloc_r4_3, minloc_r4_4, minloc_r4_5, minloc_r4_6
    procedure minloc_r4_7, minloc_r8, minloc_r8_b, minloc_r8_1
    procedure minloc_r8_2, minloc_r8_3, minloc_r8_4, minloc_r8_5
    procedure minloc_r8_6, minloc_r8_7, minloc_i4, minloc_i4_b
    procedure minloc_i4_1, minloc_i4_2, minloc_i4_3, minloc_i4_4
    procedure minloc_i4_5, minloc_i4_6, minloc_i4_7, minloc_i8
    procedure minloc_i8_b, minloc_i8_1, minloc_i8_2, minloc_i8_3
    procedure minloc_i8_4, minloc_i8_5, minloc_i8_6, minloc_i8_7
  end interface isofold_minloc

  ! isofold_maxloc(a [, mask, back, ...]), isofold_maxloc(a, dim [, mask, back, ...])
  ! The indices, from 1, of the first largest element (back=.true.: the last). No elements: an error, 0 along dim.
  interface isofold_maxloc
    procedure maxloc_r4, maxloc_r4_b, maxloc_r4_1, maxloc_r4_2
    procedure maxloc_r4_3, maxloc_r4_4, maxloc_r4_5, maxloc_r4_6
    procedure maxloc_r4_7, maxloc_r8, maxloc_r8_b, maxloc_r8_1
    procedure maxloc_r8_2, maxloc_r8_3, maxloc_r8_4, maxloc_r8_5
    procedure maxloc_r8_6, maxloc_r8_7, maxloc_i4, maxloc_i4_b
    procedure maxloc_i4_1, maxloc_i4_2, maxloc_i4_3, maxloc_i4_4
    procedure maxloc_i4_5, maxloc_i4_6, maxloc_i4_7, maxloc_i8
    procedure maxloc_i8_b, maxloc_i8_1, maxloc_i8_2, maxloc_i8_3
    procedure maxloc_i8_4, maxloc_i8_5, maxloc_i8_6, maxloc_i8_7
  end interface isofold_maxloc

  ! isofold_dot(a, b [, mask, ...])
  ! The sum of a * b, of complex elements of conjg(a) * b. No elements: 0.
  interface isofold_dot
    procedure dot_r4, dot_r4_b, dot_r8, dot_r8_b
    procedure dot_c4, dot_c4_b, dot_c8, dot_c8_b
  end interface isofold_dot

  ! isofold_squared_distance(a, b [, mask, ...])
  ! The sum of the squares abs(a - b)**2. No elements: 0.
  interface isofold_squared_distance
    procedure squared_distance_r4, squared_distance_r4_b, squared_distance_r8, squared_distance_r8_b
    procedure squared_distance_c4, squared_distance_c4_b, squared_distance_c8, squared_distance_c8_b
  end interface isofold_squared_distance

  ! isofold_count_in_range(a, low, high [, mask, ...])
  ! The number of elements with low <= a <= high.
  interface isofold_count_in_range
    procedure count_in_range_r4, count_in_range_r4_b, count_in_range_r8, count_in_range_r8_b
    procedure count_in_range_i4, count_in_range_i4_b, count_in_range_i8, count_in_range_i8_b
  end interface isofold_count_in_range

  ! isofold_moment_sums(a [, mask, ...])
  ! Count, mean and sum of squared distances in one read. No elements: an error.
  interface isofold_moment_sums
    procedure moment_sums_r4, moment_sums_r4_b, moment_sums_r8, moment_sums_r8_b
  end interface isofold_moment_sums

  ! The functions of isofold_descriptor.c and of the C ABI.
  interface
    function c_has_text(first, second, third, fourth, fifth, sixth, seventh, eighth) &
        bind(C, name="isofold_fortran_has_text") result(has)
      import :: c_int32_t
      type(*), dimension(..), intent(in) :: first
      type(*), dimension(..), intent(in), optional :: second, third, fourth, fifth, sixth, seventh, eighth
      integer(c_int32_t) :: has
    end function c_has_text
    function c_message(text, length) bind(C, name="isofold_fortran_message") result(copied)
      import :: c_char, c_int32_t
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_int32_t), value :: length
      integer(c_int32_t) :: copied
    end function c_message
    function c_create(backend, threads, device, has_stream, stream, reducer) bind(C, name="isofold_fortran_create") &
        result(code)
      import :: c_char, c_int32_t, c_ptr
      character(kind=c_char), intent(in) :: backend(*)
      integer(c_int32_t), value :: threads, device, has_stream
      type(c_ptr), value :: stream
      type(c_ptr), intent(out) :: reducer
      integer(c_int32_t) :: code
    end function c_create
    subroutine c_destroy(reducer) bind(C, name="isofold_destroy")
      import :: c_ptr
      type(c_ptr), value :: reducer
    end subroutine c_destroy
    function c_backend(reducer) bind(C, name="isofold_reducer_backend") result(name)
      import :: c_ptr
      type(c_ptr), value :: reducer
      type(c_ptr) :: name
    end function c_backend
    function c_version() bind(C, name="isofold_version") result(version)
      import :: c_ptr
      type(c_ptr) :: version
    end function c_version
    function c_reduce(reducer, fold, flags, dim, dims, a, second, mask, parameters, outcome) &
        bind(C, name="isofold_fortran_reduce") result(code)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: reducer
      integer(c_int32_t), value :: fold, flags, dims
      integer(c_int32_t), intent(in) :: dim(*)
      type(*), dimension(..), intent(in) :: a
      type(*), dimension(..), intent(in), optional :: second, mask, parameters
      type(*), dimension(..), intent(inout) :: outcome
      integer(c_int32_t) :: code
    end function c_reduce
    function c_fuse(reducer, folds, count, flags, a, mask, first, second, third, fourth, fifth, sixth) &
        bind(C, name="isofold_fortran_fuse") result(code)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: reducer
      integer(c_int32_t), intent(in) :: folds(*)
      integer(c_int32_t), value :: count, flags
      type(*), dimension(..), intent(in) :: a
      type(*), dimension(..), intent(in), optional :: mask
      type(*), dimension(..), intent(inout) :: first
      type(*), dimension(..), intent(inout), optional :: second, third, fourth, fifth, sixth
      integer(c_int32_t) :: code
    end function c_fuse
    function c_exact_words(fold, widen, a, type) bind(C, name="isofold_fortran_exact_words") result(words)
      import :: c_int32_t
      integer(c_int32_t), value :: fold, widen
      type(*), dimension(..), intent(in) :: a
      integer(c_int32_t), intent(out) :: type
      integer(c_int32_t) :: words
    end function c_exact_words
    function c_exact_add(reducer, fold, widen, type, a, second, mask, words) bind(C, name="isofold_fortran_exact_add") &
        result(code)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: reducer
      integer(c_int32_t), value :: fold, widen, type
      type(*), dimension(..), intent(in) :: a
      type(*), dimension(..), intent(in), optional :: second, mask
      integer(c_int64_t), intent(inout) :: words(*)
      integer(c_int32_t) :: code
    end function c_exact_add
    function c_exact_merge(fold, type, words, other, sign) bind(C, name="isofold_fortran_exact_merge") result(code)
      import :: c_int32_t, c_int64_t
      integer(c_int32_t), value :: fold, type, sign
      integer(c_int64_t), intent(inout) :: words(*)
      integer(c_int64_t), intent(in) :: other(*)
      integer(c_int32_t) :: code
    end function c_exact_merge
    function c_exact_finish(fold, type, words, outcome) bind(C, name="isofold_fortran_exact_finish") result(code)
      import :: c_int32_t, c_int64_t
      integer(c_int32_t), value :: fold, type
      integer(c_int64_t), intent(in) :: words(*)
      type(*), dimension(..), intent(inout) :: outcome
      integer(c_int32_t) :: code
    end function c_exact_finish
    function c_forest_create(fold, mold, count, forest) bind(C, name="isofold_fortran_forest_create") result(code)
      import :: c_int32_t, c_int64_t, c_ptr
      integer(c_int32_t), value :: fold
      type(*), dimension(..), intent(in) :: mold
      integer(c_int64_t), value :: count
      type(c_ptr), intent(out) :: forest
      integer(c_int32_t) :: code
    end function c_forest_create
    subroutine c_forest_destroy(forest) bind(C, name="isofold_forest_destroy")
      import :: c_ptr
      type(c_ptr), value :: forest
    end subroutine c_forest_destroy
    function c_forest_add(forest, reducer, first, a) bind(C, name="isofold_fortran_forest_add") result(code)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: forest, reducer
      integer(c_int64_t), value :: first
      type(*), dimension(..), intent(in) :: a
      integer(c_int32_t) :: code
    end function c_forest_add
    function c_forest_merge(forest, other) bind(C, name="isofold_fortran_forest_merge") result(code)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: forest, other
      integer(c_int32_t) :: code
    end function c_forest_merge
    function c_forest_complete(forest) bind(C, name="isofold_forest_complete") result(is_complete)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: forest
      integer(c_int32_t) :: is_complete
    end function c_forest_complete
    function c_forest_finish(forest, outcome) bind(C, name="isofold_fortran_forest_finish") result(code)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: forest
      type(*), dimension(..), intent(inout) :: outcome
      integer(c_int32_t) :: code
    end function c_forest_finish
    function c_forest_bytes(forest, memory, bytes) bind(C, name="isofold_fortran_forest_bytes") result(code)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: forest, memory
      integer(c_int64_t), intent(inout) :: bytes
      integer(c_int32_t) :: code
    end function c_forest_bytes
    function c_forest_read(memory, bytes, forest) bind(C, name="isofold_fortran_forest_read") result(code)
      import :: c_int32_t, c_int64_t, c_int8_t, c_ptr
      integer(c_int8_t), intent(in) :: memory(*)
      integer(c_int64_t), value :: bytes
      type(c_ptr), intent(out) :: forest
      integer(c_int32_t) :: code
    end function c_forest_read
  end interface

contains

  ! Reduces a by any fold of docs/folds.md, all of it or the dimensions in dim. outcome has the type and the number of
  ! the results: real results of reals, integer(int64) of integers, components one behind the other (minmax: two a
  ! row), isofold_moments, logical(c_bool) of any, all, none; for locations (argmin and its kin) integer(int64), from
  ! 1: the index in each dimension of all of a, or the index along one dim, 0 where there is no element. It must be
  ! contiguous. b is the second array of dot and its kin, parameters are [low, high] of count_in_range, widen takes
  ! real32 as real64, and skip_nan leaves out NaNs, with the bits of the rest packed.
  subroutine isofold_reduce(fold, a, outcome, b, dim, mask, parameters, exact, widen, skip_nan, reducer, stat, errmsg)
    integer, intent(in) :: fold
    type(*), dimension(..), intent(in) :: a
    type(*), dimension(..), intent(inout) :: outcome
    type(*), dimension(..), intent(in), optional :: b, mask, parameters
    integer, intent(in), optional :: dim(:)
    logical, intent(in), optional :: exact, widen, skip_nan
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: dims(15), count
    if (is_text(stat, a, outcome, b, mask, parameters)) return
    count = 0
    dims = 0
    if (present(dim)) then
      if (size(dim) > 15 .or. size(dim) < 1) then
        call report(isofold_invalid_argument, stat, errmsg, "dim has no dimension, or more than 15.")
        return
      end if
      count = int(size(dim), c_int32_t)
      dims(:count) = int(dim, c_int32_t)
    end if
    call report(c_reduce(handle_of(reducer), int(fold, c_int32_t), &
      flag(exact, 1) + flag(skip_nan, 2) + flag(widen, 4), dims, count, a, b, mask, parameters, outcome), stat, errmsg)
  end subroutine isofold_reduce

  ! Reduces all of a by 1 to 6 folds of one array in one call, which reads it once; outcomes are those of
  ! isofold_reduce, in the order of the folds.
  subroutine isofold_fuse(folds, a, first, second, third, fourth, fifth, sixth, mask, exact, widen, skip_nan, reducer, &
      stat, errmsg)
    integer, intent(in) :: folds(:)
    type(*), dimension(..), intent(in) :: a
    type(*), dimension(..), intent(inout) :: first
    type(*), dimension(..), intent(inout), optional :: second, third, fourth, fifth, sixth
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact, widen, skip_nan
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_text(stat, a, mask, first, second, third, fourth, fifth, sixth)) return
    call report(c_fuse(handle_of(reducer), int(folds, c_int32_t), int(size(folds), c_int32_t), &
      flag(exact, 1) + flag(skip_nan, 2) + flag(widen, 4), a, mask, first, second, third, fourth, fifth, sixth), stat, &
      errmsg)
  end subroutine isofold_fuse

  ! Frees what self was, and makes it an empty partial result of an array of count elements of the type of mold.
  subroutine create_forest(self, fold, mold, count, stat, errmsg)
    class(isofold_forest), intent(inout) :: self
    integer, intent(in) :: fold
    type(*), dimension(..), intent(in) :: mold
    integer(int64), intent(in) :: count
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_text(stat, mold)) return
    call self%destroy()
    call report(c_forest_create(int(fold, c_int32_t), mold, count, self%handle), stat, errmsg)
  end subroutine create_forest

  subroutine destroy_forest(self)
    class(isofold_forest), intent(inout) :: self
    if (c_associated(self%handle)) call c_forest_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine destroy_forest

  impure elemental subroutine finalize_forest(self)
    type(isofold_forest), intent(inout) :: self
    call self%destroy()
  end subroutine finalize_forest

  subroutine refuse_forest_assignment(self, other)
    class(isofold_forest), intent(inout) :: self
    class(isofold_forest), intent(in) :: other
    if (c_associated(self%handle, other%handle)) return
    error stop "isofold: A Forest cannot be assigned, for it has one owner: use to_bytes and from_bytes."
  end subroutine refuse_forest_assignment

  ! Adds a, whose first element is number first of the array, from 1. a is contiguous.
  subroutine add_to_forest(self, first, a, reducer, stat, errmsg)
    class(isofold_forest), intent(inout) :: self
    integer(int64), intent(in) :: first
    type(*), dimension(..), intent(in) :: a
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_text(stat, a)) return
    if (is_missing(self, stat, errmsg)) return
    call report(c_forest_add(self%handle, handle_of(reducer), first, a), stat, errmsg)
  end subroutine add_to_forest

  ! Adds what other has; on an error self is as it was.
  subroutine merge_forests(self, other, stat, errmsg)
    class(isofold_forest), intent(inout) :: self
    class(isofold_forest), intent(in) :: other
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_missing(self, stat, errmsg)) return
    if (is_missing(other, stat, errmsg)) return
    call report(c_forest_merge(self%handle, other%handle), stat, errmsg)
  end subroutine merge_forests

  function forest_is_complete(self) result(is_complete)
    class(isofold_forest), intent(in) :: self
    logical :: is_complete
    is_complete = .false.
    if (c_associated(self%handle)) is_complete = c_forest_complete(self%handle) /= 0
  end function forest_is_complete

  ! Writes the result, with the bits of the array reduced at once; outcome has its type, as in isofold_reduce, and of a
  ! location it is one integer(int64).
  subroutine finish_forest(self, outcome, stat, errmsg)
    class(isofold_forest), intent(in) :: self
    type(*), dimension(..), intent(inout) :: outcome
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_text(stat, outcome)) return
    if (is_missing(self, stat, errmsg)) return
    call report(c_forest_finish(self%handle, outcome), stat, errmsg)
  end subroutine finish_forest

  ! The bytes of self, for a message or a restart file; none of a Forest that was not created.
  function forest_to_bytes(self) result(bytes)
    class(isofold_forest), intent(in) :: self
    integer(c_int8_t), allocatable, target :: bytes(:)
    integer(c_int64_t) :: length
    length = 0
    if (c_associated(self%handle)) then
      call report(c_forest_bytes(self%handle, c_null_ptr, length))
    end if
    allocate (bytes(length))
    if (length > 0) call report(c_forest_bytes(self%handle, c_loc(bytes), length))
  end function forest_to_bytes

  ! Frees what self was, and makes it the Forest of these bytes.
  subroutine forest_from_bytes(self, bytes, stat, errmsg)
    class(isofold_forest), intent(inout) :: self
    integer(c_int8_t), intent(in) :: bytes(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%destroy()
    call report(c_forest_read(bytes, size(bytes, kind=c_int64_t), self%handle), stat, errmsg)
  end subroutine forest_from_bytes

  function is_missing(forest, stat, errmsg)
    class(isofold_forest), intent(in) :: forest
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    logical :: is_missing
    is_missing = .not. c_associated(forest%handle)
    if (is_missing) call report(isofold_invalid_argument, stat, errmsg, "The Forest was not created: call create first.")
  end function is_missing

  ! The version of the library, "1.0.0".
  function isofold_version() result(text)
    character(:), allocatable :: text
    text = text_at(c_version())
  end function isofold_version

  ! Frees what self was, and makes it a reducer of a named backend ("openmp", "reference", "cuda", ...), with at most so
  ! many CPU threads (0: as many as there are), on a device (-1: the data's, or the current one) and its stream.
  subroutine create_reducer(self, backend, threads, device, stream, stat, errmsg)
    class(isofold_reducer), intent(inout) :: self
    character(*), intent(in), optional :: backend
    integer, intent(in), optional :: threads, device
    type(c_ptr), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: name
    integer(c_int32_t) :: thread_count, number
    call self%destroy()
    name = ""
    thread_count = 0
    number = -1
    if (present(backend)) name = trim(backend)
    if (present(threads)) thread_count = int(threads, c_int32_t)
    if (present(device)) number = int(device, c_int32_t)
    if (present(stream)) then
      call report(c_create(name // c_null_char, thread_count, number, 1_c_int32_t, stream, self%handle), stat, errmsg)
    else
      call report(c_create(name // c_null_char, thread_count, number, 0_c_int32_t, c_null_ptr, self%handle), stat, &
        errmsg)
    end if
  end subroutine create_reducer

  ! Waits for the reducer's own work and frees it; later calls with it choose the backend by where the data lie.
  subroutine destroy_reducer(self)
    class(isofold_reducer), intent(inout) :: self
    if (c_associated(self%handle)) call c_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine destroy_reducer

  impure elemental subroutine finalize_reducer(self)
    type(isofold_reducer), intent(inout) :: self
    call self%destroy()
  end subroutine finalize_reducer

  subroutine refuse_assignment(self, other)
    class(isofold_reducer), intent(inout) :: self
    class(isofold_reducer), intent(in) :: other
    if (c_associated(self%handle, other%handle)) return
    error stop "isofold: A reducer cannot be assigned, for it has one owner: create another one."
  end subroutine refuse_assignment

  ! The backend that answered the last call, or the named one; "" before the first.
  function backend_of(self) result(text)
    class(isofold_reducer), intent(in) :: self
    character(:), allocatable :: text
    text = ""
    if (c_associated(self%handle)) text = text_at(c_backend(self%handle))
  end function backend_of

  ! The partial result of the elements of a (and b), none of which are needed: a(1:0) begins an empty one.
  function exact_of(fold, a, b, mask, widen, reducer, stat, errmsg) result(partial)
    integer, intent(in) :: fold
    type(*), dimension(..), intent(in) :: a
    type(*), dimension(..), intent(in), optional :: b, mask
    logical, intent(in), optional :: widen
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(isofold_exact) :: partial
    integer(c_int32_t) :: words
    if (is_text(stat, a, b, mask)) return
    partial%fold = int(fold, c_int32_t)
    partial%is_widened = flag(widen, 1) /= 0
    words = c_exact_words(partial%fold, flag(widen, 1), a, partial%type)
    if (words < 0) then
      call report(-words, stat, errmsg)
      return
    end if
    allocate (partial%words(words))
    partial%words = 0
    call partial%add(a, b, mask, reducer, stat, errmsg)
  end function exact_of

  ! Adds the elements of a (and b), which are of the type of the first ones.
  subroutine add_elements(self, a, b, mask, reducer, stat, errmsg)
    class(isofold_exact), intent(inout) :: self
    type(*), dimension(..), intent(in) :: a
    type(*), dimension(..), intent(in), optional :: b, mask
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_text(stat, a, b, mask)) return
    if (.not. allocated(self%words)) then
      call report(isofold_mismatch, stat, errmsg, &
        "The partial result has no words: begin it by isofold_exact(fold, a).")
      return
    end if
    call report(c_exact_add(handle_of(reducer), self%fold, flag(self%is_widened, 1), self%type, a, b, mask, &
      self%words), stat, errmsg)
  end subroutine add_elements

  ! Adds another partial result of the same fold and type, or takes it away again (subtract=.true.).
  subroutine merge_words(self, other, subtract, stat, errmsg)
    class(isofold_exact), intent(inout) :: self
    class(isofold_exact), intent(in) :: other
    logical, intent(in), optional :: subtract
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (.not. (allocated(self%words) .and. allocated(other%words)) .or. self%fold /= other%fold &
        .or. self%type /= other%type) then
      call report(isofold_mismatch, stat, errmsg, "The partial results are not of one fold and type.")
      return
    end if
    call report(c_exact_merge(self%fold, self%type, self%words, other%words, 1_c_int32_t - 2 * flag(subtract, 1)), &
      stat, errmsg)
  end subroutine merge_words

  ! Writes the result, rounded once; outcome has its type, as in isofold_reduce. The words stay what they are.
  subroutine finish_words(self, outcome, stat, errmsg)
    class(isofold_exact), intent(in) :: self
    type(*), dimension(..), intent(inout) :: outcome
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_text(stat, outcome)) return
    if (.not. allocated(self%words)) then
      call report(isofold_mismatch, stat, errmsg, &
        "The partial result has no words: begin it by isofold_exact(fold, a).")
      return
    end if
    call report(c_exact_finish(self%fold, self%type, self%words, outcome), stat, errmsg)
  end subroutine finish_words

  ! Refuses arguments of type character, for which gfortran passes a length that the procedure takes for that of errmsg
  ! (type(*) has none): errmsg cannot be written.
  function is_text(stat, first, second, third, fourth, fifth, sixth, seventh, eighth)
    integer, intent(out), optional :: stat
    type(*), dimension(..), intent(in) :: first
    type(*), dimension(..), intent(in), optional :: second, third, fourth, fifth, sixth, seventh, eighth
    logical :: is_text
    is_text = c_has_text(first, second, third, fourth, fifth, sixth, seventh, eighth) /= 0
    if (is_text) call report(isofold_unsupported, stat, sentence="An argument is of type character; isofold takes numbers.")
  end function is_text

  ! Hands an error to the caller, or stops. The sentence is the C side's unless one is given.
  subroutine report(code, stat, errmsg, sentence)
    integer, intent(in) :: code
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(*), intent(in), optional :: sentence
    character(kind=c_char, len=512) :: buffer
    integer :: length
    if (present(stat)) stat = code
    if (code == 0) return
    if (present(sentence)) then
      buffer = sentence
      length = len(sentence)
    else
      length = int(c_message(buffer, 512_c_int32_t))
    end if
    if (present(errmsg)) errmsg = buffer(:length)
    if (.not. present(stat)) error stop "isofold: " // buffer(:length)
  end subroutine report

  pure function flag(value, bit) result(bits)
    logical, intent(in), optional :: value
    integer, intent(in) :: bit
    integer(c_int32_t) :: bits
    bits = 0
    if (present(value)) bits = merge(int(bit, c_int32_t), 0_c_int32_t, value)
  end function flag

  pure function is_true(value)
    logical, intent(in), optional :: value
    logical :: is_true
    is_true = flag(value, 1) /= 0
  end function is_true

  function handle_of(reducer) result(handle)
    type(isofold_reducer), intent(in), optional :: reducer
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(reducer)) handle = reducer%handle
  end function handle_of

  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: bytes(:)
    integer :: length
    call c_f_pointer(address, bytes, [512])
    length = 0
    do while (bytes(length + 1) /= c_null_char)
      length = length + 1
    end do
    allocate (character(length) :: text)
    do length = 1, len(text)
      text(length:length) = bytes(length)
    end do
  end function text_at

  function sum_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4

  function sum_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4_b

  function sum_r4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4_1

  function sum_r4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4_2

  function sum_r4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4_3

  function sum_r4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4_4

  function sum_r4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4_5

  function sum_r4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4_6

  function sum_r4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r4_7

  function sum_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8

  function sum_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8_b

  function sum_r8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8_1

  function sum_r8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8_2

  function sum_r8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8_3

  function sum_r8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8_4

  function sum_r8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8_5

  function sum_r8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8_6

  function sum_r8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_r8_7

  function sum_i4(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4

  function sum_i4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4_b

  function sum_i4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4_1

  function sum_i4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4_2

  function sum_i4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4_3

  function sum_i4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4_4

  function sum_i4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4_5

  function sum_i4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4_6

  function sum_i4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i4_7

  function sum_i8(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8

  function sum_i8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8_b

  function sum_i8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8_1

  function sum_i8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8_2

  function sum_i8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8_3

  function sum_i8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8_4

  function sum_i8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8_5

  function sum_i8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8_6

  function sum_i8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_i8_7

  function sum_c4(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4

  function sum_c4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4_b

  function sum_c4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4_1

  function sum_c4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4_2

  function sum_c4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4_3

  function sum_c4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4_4

  function sum_c4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4_5

  function sum_c4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4_6

  function sum_c4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c4_7

  function sum_c8(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8

  function sum_c8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8_b

  function sum_c8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8_1

  function sum_c8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8_2

  function sum_c8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8_3

  function sum_c8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8_4

  function sum_c8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8_5

  function sum_c8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8_6

  function sum_c8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_sum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function sum_c8_7

  function product_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_r4

  function product_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_r4_b

  function product_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_r8

  function product_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_r8_b

  function product_i4(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_i4

  function product_i4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_i4_b

  function product_i8(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_i8

  function product_i8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_i8_b

  function product_c4(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_c4

  function product_c4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_c4_b

  function product_c8(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_c8

  function product_c8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_product, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function product_c8_b

  function mean_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4

  function mean_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4_b

  function mean_r4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4_1

  function mean_r4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4_2

  function mean_r4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4_3

  function mean_r4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4_4

  function mean_r4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4_5

  function mean_r4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4_6

  function mean_r4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r4_7

  function mean_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8

  function mean_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8_b

  function mean_r8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8_1

  function mean_r8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8_2

  function mean_r8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8_3

  function mean_r8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8_4

  function mean_r8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8_5

  function mean_r8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8_6

  function mean_r8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_r8_7

  function mean_i4(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4

  function mean_i4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4_b

  function mean_i4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4_1

  function mean_i4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4_2

  function mean_i4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4_3

  function mean_i4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4_4

  function mean_i4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4_5

  function mean_i4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4_6

  function mean_i4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i4_7

  function mean_i8(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8

  function mean_i8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8_b

  function mean_i8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8_1

  function mean_i8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8_2

  function mean_i8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8_3

  function mean_i8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8_4

  function mean_i8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8_5

  function mean_i8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8_6

  function mean_i8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_mean, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function mean_i8_7

  function minimum_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4

  function minimum_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4_b

  function minimum_r4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4_1

  function minimum_r4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4_2

  function minimum_r4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4_3

  function minimum_r4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4_4

  function minimum_r4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4_5

  function minimum_r4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4_6

  function minimum_r4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r4_7

  function minimum_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8

  function minimum_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8_b

  function minimum_r8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8_1

  function minimum_r8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8_2

  function minimum_r8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8_3

  function minimum_r8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8_4

  function minimum_r8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8_5

  function minimum_r8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8_6

  function minimum_r8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_r8_7

  function minimum_i4(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4

  function minimum_i4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4_b

  function minimum_i4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4_1

  function minimum_i4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4_2

  function minimum_i4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4_3

  function minimum_i4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4_4

  function minimum_i4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4_5

  function minimum_i4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4_6

  function minimum_i4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i4_7

  function minimum_i8(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8

  function minimum_i8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8_b

  function minimum_i8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8_1

  function minimum_i8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8_2

  function minimum_i8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8_3

  function minimum_i8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8_4

  function minimum_i8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8_5

  function minimum_i8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8_6

  function minimum_i8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_minimum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minimum_i8_7

  function maximum_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4

  function maximum_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4_b

  function maximum_r4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4_1

  function maximum_r4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4_2

  function maximum_r4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4_3

  function maximum_r4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4_4

  function maximum_r4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4_5

  function maximum_r4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4_6

  function maximum_r4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r4_7

  function maximum_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8

  function maximum_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8_b

  function maximum_r8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8_1

  function maximum_r8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8_2

  function maximum_r8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8_3

  function maximum_r8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8_4

  function maximum_r8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8_5

  function maximum_r8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8_6

  function maximum_r8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_r8_7

  function maximum_i4(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4

  function maximum_i4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4_b

  function maximum_i4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4_1

  function maximum_i4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4_2

  function maximum_i4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4_3

  function maximum_i4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4_4

  function maximum_i4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4_5

  function maximum_i4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4_6

  function maximum_i4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i4_7

  function maximum_i8(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8

  function maximum_i8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8_b

  function maximum_i8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8_1

  function maximum_i8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8_2

  function maximum_i8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8_3

  function maximum_i8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8_4

  function maximum_i8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8_5

  function maximum_i8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8_6

  function maximum_i8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_maximum, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maximum_i8_7

  function norm1_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4

  function norm1_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4_b

  function norm1_r4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4_1

  function norm1_r4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4_2

  function norm1_r4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4_3

  function norm1_r4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4_4

  function norm1_r4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4_5

  function norm1_r4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4_6

  function norm1_r4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r4_7

  function norm1_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8

  function norm1_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8_b

  function norm1_r8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8_1

  function norm1_r8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8_2

  function norm1_r8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8_3

  function norm1_r8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8_4

  function norm1_r8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8_5

  function norm1_r8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8_6

  function norm1_r8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_r8_7

  function norm1_c4(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4

  function norm1_c4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4_b

  function norm1_c4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4_1

  function norm1_c4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4_2

  function norm1_c4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4_3

  function norm1_c4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4_4

  function norm1_c4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4_5

  function norm1_c4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4_6

  function norm1_c4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c4_7

  function norm1_c8(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8

  function norm1_c8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8_b

  function norm1_c8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8_1

  function norm1_c8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8_2

  function norm1_c8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8_3

  function norm1_c8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8_4

  function norm1_c8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8_5

  function norm1_c8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8_6

  function norm1_c8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_norm1, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm1_c8_7

  function norm2_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4

  function norm2_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4_b

  function norm2_r4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4_1

  function norm2_r4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4_2

  function norm2_r4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4_3

  function norm2_r4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4_4

  function norm2_r4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4_5

  function norm2_r4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4_6

  function norm2_r4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r4_7

  function norm2_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8

  function norm2_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8_b

  function norm2_r8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8_1

  function norm2_r8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8_2

  function norm2_r8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8_3

  function norm2_r8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8_4

  function norm2_r8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8_5

  function norm2_r8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8_6

  function norm2_r8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_r8_7

  function norm2_c4(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4

  function norm2_c4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4_b

  function norm2_c4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4_1

  function norm2_c4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4_2

  function norm2_c4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4_3

  function norm2_c4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4_4

  function norm2_c4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4_5

  function norm2_c4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4_6

  function norm2_c4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c4_7

  function norm2_c8(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8

  function norm2_c8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8_b

  function norm2_c8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8_1

  function norm2_c8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8_2

  function norm2_c8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8_3

  function norm2_c8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8_4

  function norm2_c8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8_5

  function norm2_c8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8_6

  function norm2_c8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_norm2, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function norm2_c8_7

  function absolute_maximum_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_absolute_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function absolute_maximum_r4

  function absolute_maximum_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_absolute_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function absolute_maximum_r4_b

  function absolute_maximum_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_absolute_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function absolute_maximum_r8

  function absolute_maximum_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_absolute_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function absolute_maximum_r8_b

  function absolute_maximum_c4(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_absolute_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function absolute_maximum_c4

  function absolute_maximum_c4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_absolute_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function absolute_maximum_c4_b

  function absolute_maximum_c8(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_absolute_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function absolute_maximum_c8

  function absolute_maximum_c8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_absolute_maximum, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function absolute_maximum_c8_b

  function variance_r4(a, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4

  function variance_r4_b(a, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4_b

  function variance_r4_1(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4_1

  function variance_r4_2(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4_2

  function variance_r4_3(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4_3

  function variance_r4_4(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4_4

  function variance_r4_5(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4_5

  function variance_r4_6(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4_6

  function variance_r4_7(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r4_7

  function variance_r8(a, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8

  function variance_r8_b(a, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8_b

  function variance_r8_1(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8_1

  function variance_r8_2(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8_2

  function variance_r8_3(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8_3

  function variance_r8_4(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8_4

  function variance_r8_5(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8_5

  function variance_r8_6(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8_6

  function variance_r8_7(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_variance, isofold_fold_variance, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function variance_r8_7

  function standard_deviation_r4(a, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4

  function standard_deviation_r4_b(a, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4_b

  function standard_deviation_r4_1(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4_1

  function standard_deviation_r4_2(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4_2

  function standard_deviation_r4_3(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4_3

  function standard_deviation_r4_4(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4_4

  function standard_deviation_r4_5(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4_5

  function standard_deviation_r4_6(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4_6

  function standard_deviation_r4_7(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r4_7

  function standard_deviation_r8(a, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8

  function standard_deviation_r8_b(a, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8_b

  function standard_deviation_r8_1(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8_1

  function standard_deviation_r8_2(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8_2

  function standard_deviation_r8_3(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8_3

  function standard_deviation_r8_4(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8_4

  function standard_deviation_r8_5(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8_5

  function standard_deviation_r8_6(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8_6

  function standard_deviation_r8_7(a, dim, mask, sample, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: sample
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_sample_standard_deviation, isofold_fold_standard_deviation, is_true(sample)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function standard_deviation_r8_7

  function log_sum_exp_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_log_sum_exp, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function log_sum_exp_r4

  function log_sum_exp_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_log_sum_exp, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function log_sum_exp_r4_b

  function log_sum_exp_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_log_sum_exp, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function log_sum_exp_r8

  function log_sum_exp_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_log_sum_exp, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function log_sum_exp_r8_b

  function count_nonzero_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4

  function count_nonzero_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4_b

  function count_nonzero_r4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4_1

  function count_nonzero_r4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4_2

  function count_nonzero_r4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4_3

  function count_nonzero_r4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4_4

  function count_nonzero_r4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4_5

  function count_nonzero_r4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4_6

  function count_nonzero_r4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r4_7

  function count_nonzero_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8

  function count_nonzero_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8_b

  function count_nonzero_r8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8_1

  function count_nonzero_r8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8_2

  function count_nonzero_r8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8_3

  function count_nonzero_r8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8_4

  function count_nonzero_r8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8_5

  function count_nonzero_r8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8_6

  function count_nonzero_r8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_r8_7

  function count_nonzero_i4(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4

  function count_nonzero_i4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4_b

  function count_nonzero_i4_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4_1

  function count_nonzero_i4_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4_2

  function count_nonzero_i4_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4_3

  function count_nonzero_i4_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4_4

  function count_nonzero_i4_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4_5

  function count_nonzero_i4_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4_6

  function count_nonzero_i4_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i4_7

  function count_nonzero_i8(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8

  function count_nonzero_i8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8_b

  function count_nonzero_i8_1(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8_1

  function count_nonzero_i8_2(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8_2

  function count_nonzero_i8_3(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8_3

  function count_nonzero_i8_4(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8_4

  function count_nonzero_i8_5(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8_5

  function count_nonzero_i8_6(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8_6

  function count_nonzero_i8_7(a, dim, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(isofold_fold_count_nonzero, &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nonzero_i8_7

  function count_nan_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nan, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nan_r4

  function count_nan_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nan, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nan_r4_b

  function count_nan_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nan, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nan_r8

  function count_nan_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nan, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nan_r8_b

  function count_nan_i4(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nan, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nan_i4

  function count_nan_i4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nan, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nan_i4_b

  function count_nan_i8(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nan, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nan_i8

  function count_nan_i8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_nan, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_nan_i8_b

  function minloc_r4(a, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4

  function minloc_r4_b(a, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4_b

  function minloc_r4_1(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4_1

  function minloc_r4_2(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4_2

  function minloc_r4_3(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4_3

  function minloc_r4_4(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4_4

  function minloc_r4_5(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4_5

  function minloc_r4_6(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4_6

  function minloc_r4_7(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r4_7

  function minloc_r8(a, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8

  function minloc_r8_b(a, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8_b

  function minloc_r8_1(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8_1

  function minloc_r8_2(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8_2

  function minloc_r8_3(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8_3

  function minloc_r8_4(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8_4

  function minloc_r8_5(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8_5

  function minloc_r8_6(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8_6

  function minloc_r8_7(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_r8_7

  function minloc_i4(a, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4

  function minloc_i4_b(a, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4_b

  function minloc_i4_1(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4_1

  function minloc_i4_2(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4_2

  function minloc_i4_3(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4_3

  function minloc_i4_4(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4_4

  function minloc_i4_5(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4_5

  function minloc_i4_6(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4_6

  function minloc_i4_7(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i4_7

  function minloc_i8(a, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8

  function minloc_i8_b(a, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8_b

  function minloc_i8_1(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8_1

  function minloc_i8_2(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8_2

  function minloc_i8_3(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8_3

  function minloc_i8_4(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8_4

  function minloc_i8_5(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8_5

  function minloc_i8_6(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8_6

  function minloc_i8_7(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmin_last, isofold_fold_argmin, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function minloc_i8_7

  function maxloc_r4(a, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4

  function maxloc_r4_b(a, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4_b

  function maxloc_r4_1(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4_1

  function maxloc_r4_2(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4_2

  function maxloc_r4_3(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4_3

  function maxloc_r4_4(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4_4

  function maxloc_r4_5(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4_5

  function maxloc_r4_6(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4_6

  function maxloc_r4_7(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r4_7

  function maxloc_r8(a, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8

  function maxloc_r8_b(a, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8_b

  function maxloc_r8_1(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8_1

  function maxloc_r8_2(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8_2

  function maxloc_r8_3(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8_3

  function maxloc_r8_4(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8_4

  function maxloc_r8_5(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8_5

  function maxloc_r8_6(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8_6

  function maxloc_r8_7(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_r8_7

  function maxloc_i4(a, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4

  function maxloc_i4_b(a, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4_b

  function maxloc_i4_1(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4_1

  function maxloc_i4_2(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4_2

  function maxloc_i4_3(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4_3

  function maxloc_i4_4(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4_4

  function maxloc_i4_5(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4_5

  function maxloc_i4_6(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4_6

  function maxloc_i4_7(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i4_7

  function maxloc_i8(a, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8

  function maxloc_i8_b(a, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: value(:)
    allocate (value(rank(a)), source=0_int64)
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8_b

  function maxloc_i8_1(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8_1

  function maxloc_i8_2(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8_2

  function maxloc_i8_3(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8_3

  function maxloc_i8_4(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8_4

  function maxloc_i8_5(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8_5

  function maxloc_i8_6(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8_6

  function maxloc_i8_7(a, dim, mask, back, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(:, :, :, :, :, :, :)
    integer, intent(in) :: dim
    type(*), dimension(..), intent(in), optional :: mask
    logical, intent(in), optional :: back
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value( &
      merge(size(a, 1, int64), size(a, 2, int64), dim > 1), &
      merge(size(a, 2, int64), size(a, 3, int64), dim > 2), &
      merge(size(a, 3, int64), size(a, 4, int64), dim > 3), &
      merge(size(a, 4, int64), size(a, 5, int64), dim > 4), &
      merge(size(a, 5, int64), size(a, 6, int64), dim > 5), &
      merge(size(a, 6, int64), size(a, 7, int64), dim > 6))
    value = 0
    call isofold_reduce(merge(isofold_fold_argmax_last, isofold_fold_argmax, is_true(back)), &
      a, value, dim=[dim], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function maxloc_i8_7

  function dot_r4(a, b, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..), b(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_dot, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function dot_r4

  function dot_r4_b(a, b, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..), b(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_dot, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function dot_r4_b

  function dot_r8(a, b, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..), b(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_dot, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function dot_r8

  function dot_r8_b(a, b, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..), b(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_dot, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function dot_r8_b

  function dot_c4(a, b, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..), b(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_dot, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function dot_c4

  function dot_c4_b(a, b, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..), b(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_dot, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function dot_c4_b

  function dot_c8(a, b, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..), b(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_dot, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function dot_c8

  function dot_c8_b(a, b, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..), b(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_dot, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function dot_c8_b

  function squared_distance_r4(a, b, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..), b(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_squared_distance, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function squared_distance_r4

  function squared_distance_r4_b(a, b, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..), b(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_squared_distance, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function squared_distance_r4_b

  function squared_distance_r8(a, b, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..), b(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_squared_distance, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function squared_distance_r8

  function squared_distance_r8_b(a, b, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..), b(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_squared_distance, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function squared_distance_r8_b

  function squared_distance_c4(a, b, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..), b(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_squared_distance, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function squared_distance_c4

  function squared_distance_c4_b(a, b, mask, exact, reducer, stat, errmsg) result(value)
    complex(real32), intent(in) :: a(..), b(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real32) :: value
    value = 0
    call isofold_reduce(isofold_fold_squared_distance, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function squared_distance_c4_b

  function squared_distance_c8(a, b, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..), b(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_squared_distance, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function squared_distance_c8

  function squared_distance_c8_b(a, b, mask, exact, reducer, stat, errmsg) result(value)
    complex(real64), intent(in) :: a(..), b(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(real64) :: value
    value = 0
    call isofold_reduce(isofold_fold_squared_distance, &
      a, value, b=b, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function squared_distance_c8_b

  function count_in_range_r4(a, low, high, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..), low, high
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_in_range, &
      a, value, parameters=[low, high], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_in_range_r4

  function count_in_range_r4_b(a, low, high, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..), low, high
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_in_range, &
      a, value, parameters=[low, high], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_in_range_r4_b

  function count_in_range_r8(a, low, high, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..), low, high
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_in_range, &
      a, value, parameters=[low, high], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_in_range_r8

  function count_in_range_r8_b(a, low, high, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..), low, high
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_in_range, &
      a, value, parameters=[low, high], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_in_range_r8_b

  function count_in_range_i4(a, low, high, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..), low, high
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_in_range, &
      a, value, parameters=[low, high], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_in_range_i4

  function count_in_range_i4_b(a, low, high, mask, exact, reducer, stat, errmsg) result(value)
    integer(int32), intent(in) :: a(..), low, high
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_in_range, &
      a, value, parameters=[low, high], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_in_range_i4_b

  function count_in_range_i8(a, low, high, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..), low, high
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_in_range, &
      a, value, parameters=[low, high], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_in_range_i8

  function count_in_range_i8_b(a, low, high, mask, exact, reducer, stat, errmsg) result(value)
    integer(int64), intent(in) :: a(..), low, high
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: value
    value = 0
    call isofold_reduce(isofold_fold_count_in_range, &
      a, value, parameters=[low, high], mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function count_in_range_i8_b

  function moment_sums_r4(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(isofold_moments) :: value
    value = isofold_moments()
    call isofold_reduce(isofold_fold_moments, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function moment_sums_r4

  function moment_sums_r4_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real32), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(isofold_moments) :: value
    value = isofold_moments()
    call isofold_reduce(isofold_fold_moments, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function moment_sums_r4_b

  function moment_sums_r8(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical, intent(in), optional :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(isofold_moments) :: value
    value = isofold_moments()
    call isofold_reduce(isofold_fold_moments, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function moment_sums_r8

  function moment_sums_r8_b(a, mask, exact, reducer, stat, errmsg) result(value)
    real(real64), intent(in) :: a(..)
    logical(c_bool), intent(in) :: mask(..)
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(isofold_moments) :: value
    value = isofold_moments()
    call isofold_reduce(isofold_fold_moments, &
      a, value, mask=mask, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function moment_sums_r8_b

end module isofold
