// The table of cases of the emulated GPUs, in place of src/supported_cases.hpp: waves of 32 have
// all folds of elements of 4 bytes (complex: of 8), waves of 64 of 8 (and 16), and each has some of
// the others. A fold's kernels take a second or two to compile, and every test of theirs a minute.
#pragma once

#include "../../support/whole_table.hpp"

namespace isofold {

template <class T>
using FusableFolds = std::conditional_t<sizeof(T) * 8 == ISOFOLD_WAVE_WIDTH, AllFusableFolds<T>,
                                        FoldNames<core::Sum>>;

// Of floating-point elements each kind of kernel and of fold.
template <class T, class Visit>
bool visit_some(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return visit_checked(core::Sum<T>{}, visit);
    case ISOFOLD_FOLD_maximum: return visit_checked(core::Maximum<T>{}, visit);
    case ISOFOLD_FOLD_argmin: return visit_checked(core::ArgMin<T>{}, visit);
    case ISOFOLD_FOLD_argmax_last: return visit_checked(core::ArgMaxLast<T>{}, visit);
    case ISOFOLD_FOLD_count_nonzero: return visit_checked(core::CountNonzero<T>{}, visit);
    case ISOFOLD_FOLD_norm2: return visit_checked(core::Norm2<T>{}, visit);
    case ISOFOLD_FOLD_dot: return visit_checked(core::Dot<T>{}, visit);
    case ISOFOLD_FOLD_moments: return visit_checked(core::AllMoments<T>{}, visit);
    case ISOFOLD_FOLD_log_sum_exp: return visit_checked(core::LogSumExp<T>{}, visit);
    case ISOFOLD_FOLD_sum_with_bound: return visit_checked(core::SumWithBound<T>{}, visit);
    default: return false;
  }
}
// Of integers those whose states are wider, and those that locate.
template <class T, class Visit>
bool visit_few(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return visit_checked(core::Sum<T>{}, visit);
    case ISOFOLD_FOLD_argmin: return visit_checked(core::ArgMin<T>{}, visit);
    default: return false;
  }
}

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  switch (type) {
#if ISOFOLD_WAVE_WIDTH == 32
    case ISOFOLD_TYPE_f32: return visit_fold<float>(fold, visit);
    case ISOFOLD_TYPE_i32: return visit_fold<std::int32_t>(fold, visit);
    case ISOFOLD_TYPE_u32: return visit_fold<std::uint32_t>(fold, visit);
    case ISOFOLD_TYPE_c64: return visit_fold<isofold_c64>(fold, visit);
    case ISOFOLD_TYPE_f64: return visit_some<double>(fold, visit);
#elif ISOFOLD_WAVE_WIDTH == 64
    case ISOFOLD_TYPE_f64: return visit_fold<double>(fold, visit);
    case ISOFOLD_TYPE_i64: return visit_fold<std::int64_t>(fold, visit);
    case ISOFOLD_TYPE_u64: return visit_fold<std::uint64_t>(fold, visit);
    case ISOFOLD_TYPE_c128: return visit_fold<isofold_c128>(fold, visit);
    case ISOFOLD_TYPE_f32: return visit_some<float>(fold, visit);
    case ISOFOLD_TYPE_i32: return visit_few<std::int32_t>(fold, visit);
#else
#error "ISOFOLD_WAVE_WIDTH is 32 or 64: tests/simt/CMakeLists.txt says it of each source."
#endif
    default: return false;
  }
}

}  // namespace isofold
