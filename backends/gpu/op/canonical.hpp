// The map from the library's cases to the folds that kernels are made for: cases that compute the
// same states share the kernels of one fold, and an argument tells them apart. A list of folds
// computes such states once (fused_ops.hpp).
#pragma once

#include <cmath>

#include <backends/gpu/op/family.hpp>
#include <backends/gpu/op/integers.hpp>
#include <isofold/detail/gpu/bulk_stage.hpp>
#include <isofold/detail/gpu/stage.hpp>
#include <ops/supported_cases.hpp>

namespace isofold::gpu {

// KernelFold<Fold>::of(fold): most folds have kernels of their own.
template <class Fold>
struct KernelFold {
  static Fold of(const Fold& fold) { return fold; }
};

// T as the elements that kernels read: integers as signed ones.
template <class T, bool is_integer = std::is_integral_v<T>>
struct KernelElementOf {
  using type = T;
};
template <class T>
struct KernelElementOf<T, true> {
  using type = std::make_signed_t<T>;
};
template <class T>
using KernelElement = typename KernelElementOf<T>::type;

// Integers: one fold for both signs, and for both ends of their order (op/integers.hpp).
template <>
struct KernelFold<core::Sum<std::int64_t>> {
  static auto of(const core::Sum<std::int64_t>&) { return core::Sum<std::uint64_t>{}; }
};
template <>
struct KernelFold<core::Product<std::int64_t>> {
  static auto of(const core::Product<std::int64_t>&) { return core::Product<std::uint64_t>{}; }
};
template <class Wide>
Extended<Wide> extended(bool by_sign) {
  return {{}, by_sign ? ~0U : 0U};
}
template <>
struct KernelFold<core::Sum<std::int32_t>> {
  static auto of(const core::Sum<std::int32_t>&) {
    return extended<core::Sum<std::uint64_t>>(true);
  }
};
template <>
struct KernelFold<core::Sum<std::uint32_t>> {
  static auto of(const core::Sum<std::uint32_t>&) {
    return extended<core::Sum<std::uint64_t>>(false);
  }
};
template <>
struct KernelFold<core::Product<std::int32_t>> {
  static auto of(const core::Product<std::int32_t>&) {
    return extended<core::Product<std::uint64_t>>(true);
  }
};
template <>
struct KernelFold<core::Product<std::uint32_t>> {
  static auto of(const core::Product<std::uint32_t>&) {
    return extended<core::Product<std::uint64_t>>(false);
  }
};
template <class T, core::BitOperation operation>
struct KernelFold<core::Bitwise<T, operation>> {
  static auto of(const core::Bitwise<T, operation>&) {
    using Source = KernelElement<T>;
    return TurnedBits<Source>{{},
                              operation == core::BitOperation::and_ ? Source{-1} : Source{0},
                              operation == core::BitOperation::xor_ ? Source{-1} : Source{0}};
  }
};
template <class T, core::Toward toward>
struct KernelFold<core::Extremum<T, toward>> {
  static auto of(const core::Extremum<T, toward>& fold) {
    if constexpr (core::is_floating<T>) {
      return fold;
    } else {
      return TurnedExtremum<KernelElement<T>>{{}, turned_for<T>(toward)};
    }
  }
};
template <class T>
struct KernelFold<core::MinimumMaximum<T>> {
  static auto of(const core::MinimumMaximum<T>& fold) {
    if constexpr (core::is_floating<T>) {
      return fold;
    } else {
      return TurnedEnds<KernelElement<T>>{{}, turned_for<T>(core::Toward::lowest)};
    }
  }
};
template <class T>
struct KernelFold<core::LocateBoth<T>> {
  static auto of(const core::LocateBoth<T>& fold) {
    if constexpr (core::is_floating<T>) {
      return fold;
    } else {
      using Source = KernelElement<T>;
      using Unsigned = std::make_unsigned_t<T>;
      return Family<TurnedPlaces<Source>, core::LocateBoth<Source>, core::LocateBoth<Unsigned>>(
          TurnedPlaces<Source>(turned_for<T>(core::Toward::lowest)), std::is_unsigned_v<T> ? 1 : 0);
    }
  }
};

// Counts the elements from low to high, or all others (a NaN is one of these). Integers count from
// low on, as unsigned ones do, so low is not above high.
template <class T>
struct RangePass {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = core::signed_t<V>;
  static constexpr bool has_identity = true;
  T low;
  T high;
  bool others;

  template <class V>
  ISOFOLD_ARITHMETIC core::signed_t<V> lift(V x, core::signed_t<V>) const {
    if constexpr (core::is_floating<T>) {
      return core::one_where<V>(((low <= x) & (x <= high)) != others);
    } else {
      const auto from_low = [&](T y) {
        return static_cast<std::make_unsigned_t<T>>(y) - static_cast<std::make_unsigned_t<T>>(low);
      };
      return core::one_where<V>((from_low(x) <= from_low(high)) != others);
    }
  }
  template <class V>
  ISOFOLD_ARITHMETIC core::signed_t<V> accumulate(core::signed_t<V> s, V x,
                                                  core::signed_t<V> i) const {
    return s + lift(x, i);
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return a + b;
  }
  template <class V>
  ISOFOLD_ARITHMETIC core::signed_t<V> lane_identity() const {
    return 0;
  }
};

template <class T>
struct CountRange : core::CountInRange<T> {
  bool others = false;
  ISOFOLD_HOST_DEVICE RangePass<T> first() const { return {this->low, this->high, others}; }
  friend bool operator==(const CountRange& a, const CountRange& b) {
    return a.low == b.low && a.high == b.high && a.others == b.others;
  }
};

template <class T>
auto count_range(T low, T high, bool others, core::Answer answer) {
  using Source = KernelElement<T>;
  const bool is_none = std::is_integral_v<T> && high < low;
  CountRange<Source> range;
  range.low = static_cast<Source>(is_none ? core::lowest<T>() : low);
  range.high = static_cast<Source>(is_none ? core::highest<T>() : high);
  range.others = others != is_none;
  return Family<CountRange<Source>, core::CountNonzero<Source>, core::Any<Source>,
                core::All<Source>, core::None<Source>>(range, static_cast<int>(answer));
}

template <class Fold>
inline constexpr bool is_count = false;
template <class T, class... Members>
inline constexpr bool is_count<Family<CountRange<T>, Members...>> = true;

template <class T, core::Answer answer>
struct KernelFold<core::Count<T, core::Match::nonzero, answer>> {
  static auto of(const core::Count<T, core::Match::nonzero, answer>&) {
    return count_range(T{0}, T{0}, true, answer);
  }
};
template <class T>
struct KernelFold<core::CountNan<T>> {
  static auto of(const core::CountNan<T>&) {
    return count_range(core::lowest<T>(), core::highest<T>(), true, core::Answer::count);
  }
};
template <class T>
struct KernelFold<core::CountInRange<T>> {
  static auto of(const core::CountInRange<T>& fold) {
    return count_range(fold.low, fold.high, false, core::Answer::count);
  }
};

// The upper halves of doubles' magnitudes: the largest half has the largest magnitude's exponent.
struct UpperMagnitude {
  using element_type = double;
  using value_type = double;
  template <class V>
  using lane = std::uint32_t;
  static constexpr bool has_identity = true;

  // (nvcc kept some elements of lists twice, and spilled, with a mask instead of fabs().)
  ISOFOLD_ARITHMETIC std::uint32_t lift(double x, std::int64_t) const {
    return static_cast<std::uint32_t>(core::bit_cast<std::uint64_t>(std::fabs(x)) >> 32);
  }
  ISOFOLD_ARITHMETIC std::uint32_t accumulate(std::uint32_t s, double x, std::int64_t i) const {
    return combine(s, lift(x, i));
  }
  ISOFOLD_ARITHMETIC std::uint32_t combine(std::uint32_t a, std::uint32_t b) const {
    return a > b ? a : b;
  }
  template <class V>
  ISOFOLD_ARITHMETIC std::uint32_t lane_identity() const {
    return 0;
  }
};

// The norm by these: a half magnitude takes far fewer instructions than a whole one
// (docs/decisions/016). The squares tell whether all elements are zero, or one is infinite or a
// NaN.
template <class T>
struct Norm2ByHalves : core::Norm2<T> {
  static_assert(std::is_same_v<T, double>, "Its upper half holds the exponent of a double.");
  using Norm = core::Norm2<T>;
  using Norm::chunk;
  ISOFOLD_HOST_DEVICE UpperMagnitude first() const { return {}; }
  ISOFOLD_HOST_DEVICE auto second(std::uint32_t upper, int count) const {
    return Norm::second(magnitude(upper), count);
  }
  ISOFOLD_HOST_DEVICE core::NormState chunk(std::uint32_t upper, double squares, int count) const {
    const bool are_usual = squares != 0 && squares - squares == 0;
    return Norm::chunk(are_usual ? magnitude(upper) : squares, squares, count);
  }

 private:
  // A magnitude that is not zero.
  ISOFOLD_HOST_DEVICE static double magnitude(std::uint32_t upper) {
    return core::bit_cast<double>(std::uint64_t{upper} << 32 | 1);
  }
};
template <>
struct KernelFold<core::Norm2<double>> {
  static Norm2ByHalves<double> of(const core::Norm2<double>&) { return {}; }
};

// Keys as core::Keys makes them; an argument says which end of their order is wanted. T is a
// floating-point or a signed type, `turned` the bits that a key's are exchanged with.
template <class T>
struct KeyPass {
  using element_type = T;
  using value_type = T;
  using Key = core::signed_t<T>;
  template <class V>
  using lane = core::Indexed<core::signed_t<V>>;
  static constexpr bool has_identity = true;
  Key turned;
  bool last;

  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lift(V x, core::signed_t<V> i) const {
    Key key = core::Keys<T, core::Toward::lowest>::ordered(x) ^ turned;
    if constexpr (core::is_floating<T>) {
      key = x != x ? core::lowest_value<Key> : key;
    }
    return {key, last ? ~i : i};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> accumulate(lane<V> s, V x, core::signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return core::Keys<T, core::Toward::lowest>::smaller(a, b);
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lane_identity() const {
    return {core::highest_value<Key>, core::highest_value<Key>};
  }
};

template <class T>
struct LocateKeys : core::ArgMin<T> {
  typename KeyPass<T>::Key turned = 0;
  bool last = false;
  ISOFOLD_HOST_DEVICE KeyPass<T> first() const { return {turned, last}; }
  ISOFOLD_HOST_DEVICE core::LocationState chunk(core::LaneOf<KeyPass<T>> lane, std::int64_t begin,
                                                int) const {
    return core::in_row(lane, begin, last);
  }
  friend bool operator==(const LocateKeys& a, const LocateKeys& b) {
    return a.turned == b.turned && a.last == b.last;
  }
};

template <class T, core::Toward toward, bool last>
struct KernelFold<core::Locate<T, toward, last>> {
  static auto of(const core::Locate<T, toward, last>&) {
    using Source = KernelElement<T>;
    using Key = typename KeyPass<Source>::Key;
    constexpr bool highest = toward == core::Toward::highest;
    LocateKeys<Source> keys;
    keys.turned =
        (std::is_unsigned_v<T> ? core::lowest_value<Key> : 0) ^ (highest ? Key{-1} : Key{0});
    keys.last = last;
    constexpr int number = (highest ? 1 : 0) + (last ? 2 : 0);
    if constexpr (core::is_floating<T>) {
      return Family<LocateKeys<T>, core::ArgMin<T>, core::ArgMax<T>, core::ArgMinLast<T>,
                    core::ArgMaxLast<T>>(keys, number);
    } else {
      using Unsigned = std::make_unsigned_t<T>;
      return Family<LocateKeys<Source>, core::ArgMin<Source>, core::ArgMax<Source>,
                    core::ArgMinLast<Source>, core::ArgMaxLast<Source>, core::ArgMin<Unsigned>,
                    core::ArgMax<Unsigned>, core::ArgMinLast<Unsigned>, core::ArgMaxLast<Unsigned>>(
          keys, number + (std::is_unsigned_v<T> ? 4 : 0));
    }
  }
};

template <class T>
using MomentsFamily =
    Family<core::MomentsBase<T>, core::AllMoments<T>, core::Mean<T>, core::Variance<T>,
           core::SampleVariance<T>, core::StandardDeviation<T>, core::SampleStandardDeviation<T>>;
template <class T>
struct KernelFold<core::AllMoments<T>> {
  static MomentsFamily<T> of(const core::AllMoments<T>& fold) { return {fold, 0}; }
};
template <class T>
struct KernelFold<core::Mean<T>> {
  static MomentsFamily<T> of(const core::Mean<T>& fold) { return {fold, 1}; }
};
template <class T>
struct KernelFold<core::Variance<T>> {
  static MomentsFamily<T> of(const core::Variance<T>& fold) { return {fold, 2}; }
};
template <class T>
struct KernelFold<core::SampleVariance<T>> {
  static MomentsFamily<T> of(const core::SampleVariance<T>& fold) { return {fold, 3}; }
};
template <class T>
struct KernelFold<core::StandardDeviation<T>> {
  static MomentsFamily<T> of(const core::StandardDeviation<T>& fold) { return {fold, 4}; }
};
template <class T>
struct KernelFold<core::SampleStandardDeviation<T>> {
  static MomentsFamily<T> of(const core::SampleStandardDeviation<T>& fold) { return {fold, 5}; }
};

template <class T>
using ExponentialFamily = Family<core::ExponentialSum<T>, core::LogSumExp<T>, core::SoftmaxOf<T>>;
template <class T>
struct KernelFold<core::LogSumExp<T>> {
  static ExponentialFamily<T> of(const core::LogSumExp<T>& fold) { return {fold, 0}; }
};
template <class T>
struct KernelFold<core::SoftmaxOf<T>> {
  static ExponentialFamily<T> of(const core::SoftmaxOf<T>& fold) { return {fold, 1}; }
};

template <class T>
using BoundedFamily = Family<core::SumWithBound<T>, core::SumWithBound<T>, core::MeanWithBound<T>>;
template <class T>
struct KernelFold<core::SumWithBound<T>> {
  static BoundedFamily<T> of(const core::SumWithBound<T>& fold) { return {fold, 0}; }
};
template <class T>
struct KernelFold<core::MeanWithBound<T>> {
  static BoundedFamily<T> of(const core::MeanWithBound<T>&) { return {core::SumWithBound<T>{}, 1}; }
};

template <class T>
inline constexpr bool joins_by_exponentials<core::ExponentialSum<T>> = true;
template <class Base, class... Members>
inline constexpr bool joins_by_exponentials<Family<Base, Members...>> = joins_by_exponentials<Base>;

template <class Base, class... Members>
inline constexpr bool computes_long<Family<Base, Members...>> = computes_long<Base>;
template <>
inline constexpr bool comes_in_bulk<core::ComplexNorm2<isofold_c128>> = true;
// Exponentials keep the memory waiting while a chunk is computed, so their chunks go through shared
// memory (docs/decisions/003, 048).
template <>
inline constexpr bool computes_long<core::ExponentialSum<float>> = true;
// Copies through shared memory gain nothing for it, and cost small calls (docs/decisions/048).
template <>
inline constexpr bool computes_long<core::SumWithBound<double>> = false;

// The kernels' fold for a case, in the vendor's own instructions where a platform header has those.
template <class Platform, class Fold>
auto kernel_fold(const Fold& fold) {
  const auto ours = KernelFold<Fold>::of(fold);
  using Ours = std::remove_const_t<decltype(ours)>;
  using Native = typename NativeFold<Platform, Ours>::type;
  if constexpr (std::is_constructible_v<Native, Ours>) {
    return Native(ours);
  } else if constexpr (is_family<Ours>) {
    return Native(typename Native::BaseFold(ours), ours.member);
  } else {
    return Native{};
  }
}
// The type of that fold. (A device function that named it here would make Clang look for a function
// of the device.)
template <class Platform, class Fold>
struct KernelFoldOf {
  using type = decltype(kernel_fold<Platform>(Fold{}));
};
template <class Platform, class Fold>
using KernelFoldFor = typename KernelFoldOf<Platform, Fold>::type;

}  // namespace isofold::gpu
