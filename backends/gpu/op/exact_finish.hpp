// The one rounding of exact_v1 on a device: folds that keep the same words, which share a kernel,
// and results of sums whose digits lie near each other, as they nearly always do.
#pragma once

#include <isofold/detail/core/exact/folds.hpp>
#include <isofold/detail/gpu/device.hpp>

namespace isofold::gpu {

namespace exact = core::exact;
__extension__ typedef __int128 SignedWide;

// A sum of integers that its result does not hold, among the shapes of faults.
inline constexpr std::int32_t fault_of_range = -1;

// The folds that keep the words of `Kept`, the fold that stands for them.
template <class Kept, class... Folds>
struct FoldsOfWords {
  // use(the fold of that number)
  template <class Use>
  ISOFOLD_DEVICE static void with(int number, Use&& use) {
    int own = 0;
    static_cast<void>(((number == own++ ? use(Folds{}) : void()), ...));
  }
  // The fold's number; -1: it keeps other words.
  template <class Fold>
  static constexpr int number() {
    int own = 0;
    int found = -1;
    static_cast<void>(((found = std::is_same_v<Fold, Folds> ? own : found, ++own), ...));
    return found;
  }
};
template <class Kept>
struct WordsOf {
  using folds = FoldsOfWords<Kept, Kept>;
};
template <class T>
struct WordsOf<exact::Sum<T>> {
  using folds = std::conditional_t<core::is_complex<T>, FoldsOfWords<exact::Sum<T>, exact::Sum<T>>,
                                   FoldsOfWords<exact::Sum<T>, exact::Sum<T>, exact::Mean<T>>>;
};
template <class T>
struct WordsOf<exact::AllMoments<T>> {
  using folds = FoldsOfWords<exact::AllMoments<T>, exact::AllMoments<T>, exact::Variance<T>,
                             exact::SampleVariance<T>, exact::StandardDeviation<T>,
                             exact::SampleStandardDeviation<T>>;
};
// True for folds whose results finish_near() makes.
template <class Fold>
inline constexpr bool has_near_results = !std::is_integral_v<typename Fold::element_type>;
template <class T>
inline constexpr bool has_near_results<exact::AllMoments<T>> = false;

// A sum whose digits are few.
struct NearDigits {
  static constexpr int count = 8;
  exact::Digits<count> magnitude;
  bool negative = false;
  bool zero = true;
  bool all_minus_zero = false;

  NearDigits() = default;
  // digit[0] + digit[1] * 2^32 + ..., times 2^exponent; the last two are 0.
  ISOFOLD_DEVICE NearDigits(const std::int64_t (&digit)[count], int exponent) {
    SignedWide rest = 0;
#pragma unroll
    for (int j = 0; j < count; ++j) {
      rest += digit[j];
      magnitude.digit[j] = static_cast<std::uint32_t>(rest);
      rest >>= 32;
    }
    set(rest < 0, exponent);
  }

 private:
  ISOFOLD_DEVICE void set(bool is_negative, int exponent) {
    negative = is_negative;
    magnitude.exponent = exponent;
    std::uint64_t carry = negative ? 1 : 0;
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const std::uint32_t own = magnitude.digit[j];
      carry += negative ? ~own : own;
      magnitude.digit[j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
      zero = zero && magnitude.digit[j] == 0;
    }
  }
};

// The sum, or what digits() makes of its magnitude, rounded once: as rounded_of() of words.
template <class T, class DigitsOf>
ISOFOLD_DEVICE T rounded_of(const NearDigits& sum, DigitsOf&& digits) {
  const T result = exact::rounded<T>(digits(sum.magnitude));
  return (sum.zero ? sum.all_minus_zero : sum.negative) ? -result : result;
}
template <class T>
ISOFOLD_DEVICE T sum_of(const NearDigits& sum) {
  return rounded_of<T>(sum, [](const auto& magnitude) { return magnitude; });
}

// finish_near(fold, sums, terms, result) writes the result.
template <class T, class Result>
ISOFOLD_DEVICE void finish_sums(const NearDigits* sum, Result& result) {
  if constexpr (core::is_complex<T>) {
    using Part = core::part_t<T>;
    result = {sum_of<Part>(sum[0]), sum_of<Part>(sum[1])};
  } else {
    result = sum_of<T>(sum[0]);
  }
}
template <class T, class Result>
ISOFOLD_DEVICE void finish_near(const exact::Sum<T>&, const NearDigits* sum, std::int64_t,
                                Result& result) {
  finish_sums<T>(sum, result);
}
template <class T, class Result>
ISOFOLD_DEVICE void finish_near(const exact::Dot<T>&, const NearDigits* sum, std::int64_t,
                                Result& result) {
  finish_sums<T>(sum, result);
}
template <class T, class Result>
ISOFOLD_DEVICE void finish_near(const exact::Norm1<T>&, const NearDigits* sum, std::int64_t,
                                Result& result) {
  finish_sums<core::part_t<T>>(sum, result);
}
template <class T, class Result>
ISOFOLD_DEVICE void finish_near(const exact::SquaredDistance<T>&, const NearDigits* sum,
                                std::int64_t, Result& result) {
  finish_sums<core::part_t<T>>(sum, result);
}
template <class T, class Result>
ISOFOLD_DEVICE void finish_near(const exact::WeightedSum<T>&, const NearDigits* sum, std::int64_t,
                                Result& result) {
  result = {sum_of<T>(sum[0]), sum_of<T>(sum[1])};
}
template <class T, class Result>
ISOFOLD_DEVICE void finish_near(const exact::Norm2<T>&, const NearDigits* sum, std::int64_t,
                                Result& result) {
  result = rounded_of<core::part_t<T>>(
      sum[0], [](const auto& magnitude) { return exact::square_root_of(magnitude); });
}
template <class T, class Result>
ISOFOLD_DEVICE void finish_near(const exact::Mean<T>&, const NearDigits* sum, std::int64_t terms,
                                Result& result) {
  result = rounded_of<double>(sum[0], [terms](const auto& magnitude) {
    constexpr int below = 4;
    auto quotient = exact::extended<NearDigits::count + below, below>(magnitude);
    quotient.divide(static_cast<std::uint64_t>(terms));
    return quotient;
  });
}

}  // namespace isofold::gpu
