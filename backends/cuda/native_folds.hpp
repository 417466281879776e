// Folds in NVIDIA's own instructions, with equal bits, for the kernels of this backend: nvcc makes
// slower code of core/folds.
#pragma once

#include <cstring>

#include <backends/gpu/op/canonical.hpp>
#include <isofold/detail/core/tree.hpp>
#include <isofold/detail/gpu/cuda.hpp>

namespace isofold::cuda {

// minimum and maximum of IEEE 754-2019 in one instruction, from compute capability 8.0 on: NaN
// wins, and -0 < +0. nvcc makes eight instructions of the selections in core/folds/extremum.hpp,
// which is seen in the middle sizes (docs/decisions/005, 049).
template <core::Toward toward>
struct Extremum32 : core::Extremum<float, toward> {
  __device__ float accumulate(float s, float x, std::int64_t) const { return combine(s, x); }
  __device__ float combine(float a, float b) const {
#if __CUDA_ARCH__ >= 800
    float result;
    if constexpr (toward == core::Toward::lowest) {
      asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    } else {
      asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    }
    return result;
#else
    return core::Extremum<float, toward>::combine(a, b);
#endif
  }
  template <int count>
  __device__ float fold_lane(const float (&x)[count], int) const {
    float value = x[0];
#pragma unroll
    for (int i = 1; i < count; ++i) {
      value = combine(value, x[i]);
    }
    return value;
  }
};

// There is no such instruction for doubles, and the selections take 11 for each: three comparisons
// in a chain of 16. A whole lane needs one comparison and two selections for each, in a tree; that
// is the extremum except for NaNs and the sign of a zero, which cost half a comparison and half a
// logical instruction (docs/decisions/005, 049).
template <core::Toward toward>
struct Extremum64 : core::Extremum<double, toward> {
  template <int count>
  __device__ double fold_lane(const double (&x)[count], int) const {
    bool unordered = false;
    std::uint32_t zero = toward == core::Toward::lowest ? 0U : ~0U;  // in its sign bit
#pragma unroll
    for (int i = 0; i < count; i += 2) {
      unordered |= (x[i] != x[i]) | (x[i + 1] != x[i + 1]);
      const auto first = static_cast<std::uint32_t>(__double2hiint(x[i]));
      const auto second = static_cast<std::uint32_t>(__double2hiint(x[i + 1]));
      zero = toward == core::Toward::lowest ? zero | first | second : zero & first & second;
    }
    const double found = ordered<count>(x);
    const double value =
        found == 0 ? __hiloint2double(static_cast<int>(zero & 0x80000000U), 0) : found;
    return unordered ? core::canonical_nan<double>() : value;
  }

 private:
  template <int count>
  __device__ double ordered(const double* x) const {
    if constexpr (count == 1) {
      return x[0];
    } else {
      return this->select(ordered<count / 2>(x), ordered<count / 2>(x + count / 2));
    }
  }
};

template <class T, core::Toward toward>
using Extremum = std::conditional_t<sizeof(T) == 4, Extremum32<toward>, Extremum64<toward>>;

// Both ends by the instructions of Extremum32, and for its reason (docs/decisions/049).
struct MinimumMaximum32 : core::MinimumMaximum<float> {
  using Pair = core::Two<float>;
  __device__ Pair accumulate(const Pair& s, float x, std::int32_t) const {
    return combine(s, Pair{x, x});
  }
  __device__ Pair combine(const Pair& a, const Pair& b) const {
    return {Extremum32<core::Toward::lowest>{}.combine(a.first, b.first),
            Extremum32<core::Toward::highest>{}.combine(a.second, b.second)};
  }
};

// Both ends of a whole lane: one comparison of each pair tells which element is for which end, and
// each end is a tree over half as many. NaNs remain, and the sign of an end that is zero, which the
// sign bits of the lane tell. nvcc makes 22 instructions an element of the definition's selections;
// this is six (docs/decisions/005).
struct MinimumMaximum64 : core::MinimumMaximum<double> {
  using Pair = core::Two<double>;
  using Lowest = Extremum64<core::Toward::lowest>;
  using Highest = Extremum64<core::Toward::highest>;

  template <int count>
  __device__ Pair fold_lane(const double (&x)[count], int) const {
    Pair ends{};
    bool unordered = false;
    constexpr int part = 8;  // twice as many at once spilled
#pragma unroll
    for (int begin = 0; begin < count; begin += part) {
      double low[part / 2];
      double high[part / 2];
#pragma unroll
      for (int i = 0; i < part / 2; ++i) {
        const double a = x[begin + 2 * i];
        const double b = x[begin + 2 * i + 1];
        unordered |= (a != a) | (b != b);
        const bool a_is_low = a < b;
        low[i] = a_is_low ? a : b;
        high[i] = a_is_low ? b : a;
      }
#pragma unroll
      for (int half = part / 4; half >= 1; half /= 2) {
#pragma unroll
        for (int i = 0; i < half; ++i) {
          low[i] = Lowest{}.select(low[i], low[i + half]);
          high[i] = Highest{}.select(high[i], high[i + half]);
        }
      }
      ends.first = begin == 0 ? low[0] : Lowest{}.select(ends.first, low[0]);
      ends.second = begin == 0 ? high[0] : Highest{}.select(ends.second, high[0]);
    }
    if (unordered) {
      return {core::canonical_nan<double>(), core::canonical_nan<double>()};
    }
    if (ends.first == 0 || ends.second == 0) {
      std::uint32_t any = 0;
      std::uint32_t all = ~0U;
#pragma unroll
      for (int i = 0; i < count; ++i) {
        const auto upper = static_cast<std::uint32_t>(__double2hiint(x[i]));
        any |= upper;
        all &= upper;
      }
      ends.first = ends.first == 0 ? zero(any) : ends.first;
      ends.second = ends.second == 0 ? zero(all) : ends.second;
    }
    return ends;
  }

 private:
  // A zero with the sign in the uppermost bit of `upper`.
  __device__ static double zero(std::uint32_t upper) {
    return __hiloint2double(static_cast<int>(upper & 0x80000000U), 0);
  }
};

// The row of a whole lane that has its extremum, the first such row or the last.
template <class T, core::Toward toward>
struct LaneExtremum {
  T value;
  int row = 0;

  template <int count>
  __device__ LaneExtremum(const T (&x)[count], bool last) {
    if constexpr (sizeof(T) == 8) {
      const LaneExtremum found = last ? ordered<true, count>(x, 0) : ordered<false, count>(x, 0);
      bool unordered = false;
#pragma unroll
      for (int r = 0; r < count; r += 2) {
        unordered |= (x[r] != x[r]) | (x[r + 1] != x[r + 1]);
      }
      value = found.value;
      row = found.row;
      if (!unordered && value != 0) {
        return;
      }
    }
    value = Extremum<T, toward>{}.fold_lane(x, 0);
    if (value != value) {  // a NaN of any payload
      find(last, count, [&](int r) { return x[r] != x[r]; });
    } else {
      const auto bits = core::same_bits_as<core::signed_t<T>>(value);
      find(last, count, [&](int r) { return core::same_bits_as<core::signed_t<T>>(x[r]) == bits; });
    }
  }

 private:
  __device__ LaneExtremum(T extremum, int at) : value(extremum), row(at) {}

  // The extremum of x[0, count), rows from `begin` on, except for NaNs and the sign of a zero: one
  // comparison and three selections for each.
  template <bool last, int count>
  __device__ static LaneExtremum ordered(const T* x, int begin) {
    if constexpr (count == 1) {
      return {x[0], begin};
    } else {
      const LaneExtremum a = ordered<last, count / 2>(x, begin);
      const LaneExtremum b = ordered<last, count / 2>(x + count / 2, begin + count / 2);
      const T lower = toward == core::Toward::lowest ? b.value : a.value;
      const T upper = toward == core::Toward::lowest ? a.value : b.value;
      const bool take_b = last ? lower <= upper : lower < upper;
      return {take_b ? b.value : a.value, take_b ? b.row : a.row};
    }
  }

  template <class Is>
  __device__ void find(bool last, int count, Is&& is) {
    if (last) {
#pragma unroll
      for (int r = 0; r < count; ++r) {
        row = is(r) ? r : row;
      }
    } else {
#pragma unroll
      for (int r = count - 1; r >= 0; --r) {
        row = is(r) ? r : row;
      }
    }
  }
};

// The place of the extremum, over whole lanes: for f32 one instruction an element finds the
// extremum, and two find its place; for f64 four, and one for two elements finds NaNs. Keys take
// twelve and more.
template <class T>
struct KeyPass : gpu::KeyPass<T> {
  using Key = typename gpu::KeyPass<T>::Key;
  template <int count>
  __device__ core::Indexed<Key> fold_lane(const T (&x)[count], int first) const {
    return this->turned == 0 ? found(LaneExtremum<T, core::Toward::lowest>(x, this->last), first)
                             : found(LaneExtremum<T, core::Toward::highest>(x, this->last), first);
  }

 private:
  template <core::Toward toward>
  __device__ core::Indexed<Key> found(const LaneExtremum<T, toward>& extremum, int first) const {
    return this->lift(extremum.value, first + extremum.row * core::lanes);
  }
};
template <class T>
struct LocateKeys : gpu::LocateKeys<T> {
  explicit LocateKeys(const gpu::LocateKeys<T>& keys) : gpu::LocateKeys<T>(keys) {}
  __device__ KeyPass<T> first() const { return {{this->turned, this->last}}; }
};

template <class T>
struct LocateBothPass : core::LocateBothPass<T> {
  using Base = core::LocateBothPass<T>;
  using Location = core::Indexed<core::signed_t<T>>;
  template <int count>
  __device__ core::Two<Location> fold_lane(const T (&x)[count], int first) const {
    const LaneExtremum<T, core::Toward::lowest> low(x, false);
    const LaneExtremum<T, core::Toward::highest> high(x, false);
    return {typename Base::Lowest{false}.lift(low.value, first + low.row * core::lanes),
            typename Base::Highest{false}.lift(high.value, first + high.row * core::lanes)};
  }
};
template <class T>
struct LocateBoth : core::LocateBoth<T> {
  __device__ LocateBothPass<T> first() const { return {}; }
};

// The second pass below a finite maximum, with no NaN among the elements: exp's argument is bounded
// and found to be zero by comparisons of integers, which leave the FP64 pipe alone.
struct Exponentials64 : core::ShiftedExponentials<double, true> {
  using Terms = core::CountedSum<double>;
  __device__ Terms lift(double x, std::int64_t) const {
    const double d = x - shift;
    const bool at_shift = core::bit_cast<std::uint64_t>(d) << 1 == 0;
    return {at_shift ? -0.0 : core::exp_of_bounded(bounded(d)), at_shift};
  }
  __device__ Terms accumulate(Terms s, double x, std::int64_t i) const {
    return combine(s, lift(x, i));
  }

 private:
  // x <= 0. An x with the bound's upper half that is below the bound stays as it is: its exp is 0,
  // too.
  __device__ static double bounded(double x) {
    constexpr double lowest = core::ExponentialConstants<double>::exp_lowest;
    static_assert(lowest == -746.0, "The bits of its upper half are these.");
    return static_cast<std::uint32_t>(__double2hiint(x)) > 0xc0875000U ? lowest : x;
  }
};

// log-sum-exp with its first stage by the extremum above.
template <class T>
struct ExponentialSum : core::ExponentialSum<T> {
  using Highest = Extremum<T, core::Toward::highest>;
  explicit ExponentialSum(const core::ExponentialSum<T>& fold) : core::ExponentialSum<T>(fold) {}
  __device__ Highest first() const { return {}; }
  __device__ auto likely_second(T maximum, int count) const {
    if constexpr (sizeof(T) == 8) {
      return Exponentials64{{maximum}};
    } else {
      return core::ExponentialSum<T>::likely_second(maximum, count);
    }
  }
};

}  // namespace isofold::cuda

namespace isofold::gpu {

template <core::Toward toward>
struct NativeFold<cuda::Platform, core::Extremum<float, toward>> {
  using type = cuda::Extremum32<toward>;
};
template <core::Toward toward>
struct NativeFold<cuda::Platform, core::Extremum<double, toward>> {
  using type = cuda::Extremum64<toward>;
};
template <core::Toward toward>
inline constexpr bool folds_whole_lanes<cuda::Extremum64<toward>> = true;
template <>
struct NativeFold<cuda::Platform, core::MinimumMaximum<double>> {
  using type = cuda::MinimumMaximum64;
};
template <>
inline constexpr bool folds_whole_lanes<cuda::MinimumMaximum64> = true;
template <>
struct NativeFold<cuda::Platform, core::MinimumMaximum<float>> {
  using type = cuda::MinimumMaximum32;
};
template <class... Members>
struct NativeFold<cuda::Platform, Family<LocateKeys<float>, Members...>> {
  using type = Family<cuda::LocateKeys<float>, Members...>;
};
template <class... Members>
struct NativeFold<cuda::Platform, Family<LocateKeys<double>, Members...>> {
  using type = Family<cuda::LocateKeys<double>, Members...>;
};
template <>
struct NativeFold<cuda::Platform, core::LocateBoth<float>> {
  using type = cuda::LocateBoth<float>;
};
template <>
struct NativeFold<cuda::Platform, core::LocateBoth<double>> {
  using type = cuda::LocateBoth<double>;
};
template <class T>
inline constexpr bool joins_by_exponentials<cuda::ExponentialSum<T>> = true;
template <class T>
inline constexpr bool computes_long<cuda::ExponentialSum<T>> =
    computes_long<core::ExponentialSum<T>>;
template <class T>
inline constexpr bool folds_whole_lanes<cuda::KeyPass<T>> = true;
template <class T>
inline constexpr bool folds_whole_lanes<cuda::LocateBothPass<T>> = true;
template <core::Toward toward>
inline constexpr bool is_free_of_order<cuda::Extremum32<toward>> = true;
template <>
inline constexpr bool is_free_of_order<cuda::MinimumMaximum32> = true;
// Only keys of 4 bytes: with 8 bytes nvcc spilled in lists of f64 folds (docs/decisions/005).
template <class T>
inline constexpr bool is_free_of_order<cuda::KeyPass<T>> = sizeof(T) == 4;
template <class T>
inline constexpr bool is_free_of_order<cuda::LocateBothPass<T>> = sizeof(T) == 4;
template <class T, class... Members>
struct NativeFold<cuda::Platform, Family<core::ExponentialSum<T>, Members...>> {
  using type = Family<cuda::ExponentialSum<T>, Members...>;
};

}  // namespace isofold::gpu
