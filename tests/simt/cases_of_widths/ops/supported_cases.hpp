// The table of cases of the emulated GPUs, in place of src/ops/supported_cases.hpp. Waves of 32
// have all folds of floats, waves of 64 of doubles; each has those folds of the other types that
// have a kernel of their own. The table is short because a fold's kernels take long to compile, and
// their tests take long to run.
#pragma once

#include "../../../support/whole_table.hpp"

#if ISOFOLD_WAVE_WIDTH != 32 && ISOFOLD_WAVE_WIDTH != 64
#error "ISOFOLD_WAVE_WIDTH is 32 or 64: tests/simt/CMakeLists.txt says it of each source."
#endif

namespace isofold {

template <class T>
using FusableFolds = std::conditional_t<sizeof(T) * 8 == ISOFOLD_WAVE_WIDTH, AllFusableFolds<T>,
                                        FoldNames<core::Sum>>;
template <class T>
using FusablePairs = std::conditional_t<(sizeof(T) > 4) == (ISOFOLD_WAVE_WIDTH == 64),
                                        AllFusablePairs<T>, FoldNames<core::Sum>>;

#define ISOFOLD_VISIT(name, Fold) \
  case ISOFOLD_FOLD_##name: return visit_checked(core::Fold<T>{}, visit);

// Visits some folds of the floating-point type whose folds all stand at the other width.
template <class T, class Visit>
bool visit_some(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    ISOFOLD_VISIT(sum, Sum)
    ISOFOLD_VISIT(moments, AllMoments)
#if ISOFOLD_WAVE_WIDTH == 32
    ISOFOLD_VISIT(maximum, Maximum)
    ISOFOLD_VISIT(argmin, ArgMin)
#else
    ISOFOLD_VISIT(norm2, Norm2)
    ISOFOLD_VISIT(dot, Dot)
#endif
    default: return false;
  }
}
// Visits those folds of integers whose states are wider, and those that locate.
template <class T, class Visit>
bool visit_few(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    ISOFOLD_VISIT(sum, Sum)
    ISOFOLD_VISIT(argmin, ArgMin)
    default: return false;
  }
}
// Signed integers at 32, unsigned ones at 64.
template <class T, class Visit>
bool visit_integers(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    ISOFOLD_VISIT(product, Product)
    ISOFOLD_VISIT(minimum, Minimum)
    ISOFOLD_VISIT(argminmax, LocateBoth)
    ISOFOLD_VISIT(count_nonzero, CountNonzero)
    ISOFOLD_VISIT(bit_xor, BitXor)
    default: return visit_few<T>(fold, visit);
  }
}
// Visits each fold of complex elements at one width, and the sum at both.
template <class T, class Visit>
bool visit_some_complex(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    ISOFOLD_VISIT(sum, Sum)
#if ISOFOLD_WAVE_WIDTH == 32
    ISOFOLD_VISIT(product, Product)
    ISOFOLD_VISIT(norm2, ComplexNorm2)
    ISOFOLD_VISIT(dot, ComplexDot)
#else
    ISOFOLD_VISIT(absolute_maximum, ComplexAbsoluteMaximum)
    ISOFOLD_VISIT(norm1, ComplexNorm1)
    ISOFOLD_VISIT(squared_distance, ComplexSquaredDistance)
#endif
    default: return false;
  }
}
#undef ISOFOLD_VISIT

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  switch (type) {
#if ISOFOLD_WAVE_WIDTH == 32
    case ISOFOLD_TYPE_f32: return visit_fold<float>(fold, visit);
    case ISOFOLD_TYPE_f64: return visit_some<double>(fold, visit);
    case ISOFOLD_TYPE_i32: return visit_integers<std::int32_t>(fold, visit);
    case ISOFOLD_TYPE_u32: return visit_few<std::uint32_t>(fold, visit);
    case ISOFOLD_TYPE_c64: return visit_some_complex<isofold_c64>(fold, visit);
    case ISOFOLD_TYPE_c128:  // the one whose chunks come in bulk
      return fold == ISOFOLD_FOLD_norm2 && visit_checked(core::ComplexNorm2<isofold_c128>{}, visit);
#else
    case ISOFOLD_TYPE_f64: return visit_fold<double>(fold, visit);
    case ISOFOLD_TYPE_f32: return visit_some<float>(fold, visit);
    case ISOFOLD_TYPE_u64: return visit_integers<std::uint64_t>(fold, visit);
    case ISOFOLD_TYPE_i64: return visit_few<std::int64_t>(fold, visit);
    case ISOFOLD_TYPE_i32: return visit_few<std::int32_t>(fold, visit);
    case ISOFOLD_TYPE_c128: return visit_some_complex<isofold_c128>(fold, visit);
#endif
    default: return false;
  }
}

}  // namespace isofold
