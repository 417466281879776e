// The folds by name, as an enumeration and as tags for Reducer, and the type of each one's result.
// docs/folds.md defines what each computes, also over no elements, and its error bound.
#pragma once

#include <cstdint>
#include <type_traits>

#include <isofold/detail/anything.hpp>
#include <isofold/element.hpp>
#include <isofold/isofold.h>
#include <isofold/result.hpp>

namespace isofold {

// The folds, with their numbers in the C ABI (lists.h).
enum class Fold : std::int32_t {
#define ISOFOLD_ENUMERATE(name, number) name = number,
  ISOFOLD_FOLDS(ISOFOLD_ENUMERATE)
#undef ISOFOLD_ENUMERATE
};

// Tags that name a fold in a call: reduce(isofold::sum, array(x, n)).
template <Fold of>
struct FoldTag {
  static constexpr Fold fold = of;
  static constexpr bool is_exact = false;
};
#define ISOFOLD_TAG(name, number) inline constexpr FoldTag<Fold::name> name{};
ISOFOLD_FOLDS(ISOFOLD_TAG)
#undef ISOFOLD_TAG

// A fold by exact_v1 (docs/exact.md), as if the view were exact(x) for it alone:
// reduce(exact(isofold::sum), array(x, n)).
template <Fold of>
struct ExactTag {
  static constexpr Fold fold = of;
  static constexpr bool is_exact = true;
};
template <Fold fold>
[[nodiscard]] constexpr ExactTag<fold> exact(FoldTag<fold>) {
  return {};
}

template <class Tag>
inline constexpr bool is_fold_tag = false;
template <Fold fold>
inline constexpr bool is_fold_tag<FoldTag<fold>> = true;
template <Fold fold>
inline constexpr bool is_fold_tag<ExactTag<fold>> = true;

// Several folds for one call, 1 to 8, of either definition:
// reduce(fuse(exact(isofold::sum), isofold::minimum), array(x, n)).
template <class... Tags>
struct Fused {};
// Nobody makes it: a list in braces is no list of folds.
template <>
struct Fused<> {
  Fused() = delete;
  explicit Fused(int) = delete;
};
template <class... Tags,
          std::enable_if_t<(is_fold_tag<Tags> && ...) && sizeof...(Tags) >= 1, int> = 0>
[[nodiscard]] constexpr Fused<Tags...> fuse(Tags...) {
  static_assert(sizeof...(Tags) <= ISOFOLD_MOST_FUSED, "One call takes 1 to 8 folds.");
  return {};
}
ISOFOLD_REFUSE(
    fuse,
    "fuse(sum, mean, ...) takes 1 to 8 folds: isofold::sum, exact(isofold::sum) and their "
    "kin, which are not names in quotes, nor of the enumeration Fold, nor calls.",
    Fused<FoldTag<Fold::sum>>)

// Result types over elements that are computed in T: sums and products of integers are 64 bits
// wide, of T's signedness (wrapping); floating point and complex numbers keep their type; norms and
// distances of complex numbers are real; every other result has the type T.
template <class T>
using wide_integer_t =
    std::conditional_t<!std::is_integral_v<T>, T,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
template <Fold fold, class T>
struct Result {
  using type = T;
};
template <class T>
struct Result<Fold::sum, T> {
  using type = wide_integer_t<T>;
};
template <class T>
struct Result<Fold::product, T> {
  using type = wide_integer_t<T>;
};
#define ISOFOLD_RESULT(fold, ...) \
  template <class T>              \
  struct Result<Fold::fold, T> {  \
    using type = __VA_ARGS__;     \
  };
ISOFOLD_RESULT(absolute_maximum, real_t<T>)
ISOFOLD_RESULT(norm1, real_t<T>)
ISOFOLD_RESULT(norm2, real_t<T>)
ISOFOLD_RESULT(squared_distance, real_t<T>)
ISOFOLD_RESULT(argmin, Location<T>)
ISOFOLD_RESULT(argmax, Location<T>)
ISOFOLD_RESULT(argmin_last, Location<T>)
ISOFOLD_RESULT(argmax_last, Location<T>)
ISOFOLD_RESULT(minmax, Extent<T>)
ISOFOLD_RESULT(argminmax, Locations<T>)
ISOFOLD_RESULT(moments, Moments)
ISOFOLD_RESULT(mean, decltype(Moments::mean))
ISOFOLD_RESULT(variance, decltype(Moments::m2))
ISOFOLD_RESULT(sample_variance, decltype(Moments::m2))
ISOFOLD_RESULT(softmax_statistics, SoftmaxStatistics<T>)
ISOFOLD_RESULT(count_nonzero, std::int64_t)
ISOFOLD_RESULT(count_nan, std::int64_t)
ISOFOLD_RESULT(count_in_range, std::int64_t)
ISOFOLD_RESULT(any, bool)
ISOFOLD_RESULT(all, bool)
ISOFOLD_RESULT(none, bool)
ISOFOLD_RESULT(sum_with_bound, Bounded<T>)
ISOFOLD_RESULT(mean_with_bound, Bounded<T>)
ISOFOLD_RESULT(dot_with_bound, Bounded<T>)
ISOFOLD_RESULT(weighted_sum, WeightedSum<T>)
ISOFOLD_RESULT(argabsmax, Location<T>)
ISOFOLD_RESULT(standard_deviation, decltype(Moments::m2))
ISOFOLD_RESULT(sample_standard_deviation, decltype(Moments::m2))
#undef ISOFOLD_RESULT
// This tells whether a fold takes elements that are computed in T (docs/folds.md has the table): a
// type that is neither floating-point nor an integer is complex.
template <Fold fold, class T>
[[nodiscard]] constexpr bool takes() {
  constexpr bool is_real = std::is_floating_point_v<T>;
  constexpr bool is_integer = std::is_integral_v<T>;
  switch (fold) {
    case Fold::sum:
    case Fold::product: return true;
    case Fold::absolute_maximum:
    case Fold::norm1:
    case Fold::norm2:
    case Fold::dot:
    case Fold::squared_distance: return !is_integer;
    case Fold::argabsmax:
    case Fold::moments:
    case Fold::mean:
    case Fold::variance:
    case Fold::sample_variance:
    case Fold::standard_deviation:
    case Fold::sample_standard_deviation:
    case Fold::log_sum_exp:
    case Fold::softmax_statistics:
    case Fold::sum_with_bound:
    case Fold::mean_with_bound:
    case Fold::dot_with_bound:
    case Fold::weighted_sum: return is_real;
    case Fold::bit_and:
    case Fold::bit_or:
    case Fold::bit_xor: return is_integer;
    default: return is_real || is_integer;
  }
}
// The type of a fold's result over elements T; widened elements have that of the wider type.
template <Fold fold, class T>
using result_t = typename Result<fold, computed_t<T>>::type;

}  // namespace isofold
