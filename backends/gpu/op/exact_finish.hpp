// The one rounding of exact_v1 on a device: folds that keep the same words, which share a kernel,
// and results of sums whose digits lie near each other, as they nearly always do.
#pragma once

#include <isofold/detail/core/exact/parts.hpp>
#include <isofold/detail/gpu/device.hpp>

namespace isofold::gpu {

namespace exact = core::exact;
__extension__ typedef __int128 SignedWide;

// A sum of integers that its result does not hold, among the shapes of faults.
inline constexpr std::int32_t fault_of_range = -1;

// The folds whose words are among those of `Kept`, a fold that stands for all that keep the same.
template <class Kept, class... Folds>
struct FoldsOfWords {
  static_assert((exact::is_part_of<Kept, Folds> && ...));
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
                             exact::SampleStandardDeviation<T>, exact::Sum<T>, exact::Mean<T>,
                             exact::Norm2<T>>;
};
// True for folds whose result is the real sum itself, rounded; the first of its words' folds.
template <class Fold>
inline constexpr bool is_plain_sum = false;
template <class T>
inline constexpr bool is_plain_sum<exact::Sum<T>> = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_plain_sum<exact::Dot<T>> = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_plain_sum<exact::Norm1<T>> = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_plain_sum<exact::SquaredDistance<T>> = std::is_floating_point_v<T>;
// True for folds whose results finish_near() makes.
template <class Fold>
inline constexpr bool has_near_results = !std::is_integral_v<typename Fold::element_type>;

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

// x * 2^shift, with more digits.
template <int count, int from>
ISOFOLD_DEVICE exact::Digits<count> shifted(const exact::Digits<from>& x, int shift) {
  exact::Digits<count> wider;
  wider.exponent = x.exponent - shift;
  const int digits = shift / 32;
  ISOFOLD_NOT_UNROLLED
  for (int i = 0; i < from + 1 && i + digits < count; ++i) {
    const std::uint64_t pair = x.at(i) << 32 | x.at(i - 1);
    wider.digit[i + digits] = static_cast<std::uint32_t>(pair << shift % 32 >> 32);
  }
  return wider;
}

// The sum of squared distances of n elements from their mean, over `by`, as exact::spread_of()
// makes it of words. `fits` tells whether its digits are enough; if not, there is no result.
struct NearSpread {
  static constexpr int count = 16;
  exact::Digits<8> value;
  bool fits;

  ISOFOLD_DEVICE NearSpread(const NearDigits& sum, const NearDigits& squares, std::uint64_t n,
                            std::uint64_t by) {
    const auto squared = exact::square_of(sum.magnitude);
    const auto& plain = squares.magnitude;
    const int least = squared.exponent < plain.exponent ? squared.exponent : plain.exponent;
    const int of_squared = squared.exponent - least;
    const int of_plain = plain.exponent - least;
    fits = squared.highest_bit() + of_squared < 32 * count &&
           plain.highest_bit() + 64 + of_plain < 32 * count;
    if (fits) {
      auto difference = shifted<count>(plain, of_plain);
      difference.multiply(n);
      difference.subtract(shifted<count>(squared, of_squared));
      value = exact::quotient_of(difference, n, by);
    }
  }
};

// finish_near(fold, sums, terms) returns the fold's result.
template <class T>
ISOFOLD_DEVICE auto finish_sums(const NearDigits* sum) {
  if constexpr (core::is_complex<T>) {
    using Part = core::part_t<T>;
    return core::Complex<Part>{sum_of<Part>(sum[0]), sum_of<Part>(sum[1])};
  } else {
    return sum_of<T>(sum[0]);
  }
}
template <class T>
ISOFOLD_DEVICE auto finish_near(const exact::Sum<T>&, const NearDigits* sum, std::int64_t) {
  return finish_sums<T>(sum);
}
template <class T>
ISOFOLD_DEVICE auto finish_near(const exact::Dot<T>&, const NearDigits* sum, std::int64_t) {
  return finish_sums<T>(sum);
}
template <class T>
ISOFOLD_DEVICE auto finish_near(const exact::Norm1<T>&, const NearDigits* sum, std::int64_t) {
  return finish_sums<core::part_t<T>>(sum);
}
template <class T>
ISOFOLD_DEVICE auto finish_near(const exact::SquaredDistance<T>&, const NearDigits* sum,
                                std::int64_t) {
  return finish_sums<core::part_t<T>>(sum);
}
template <class T>
ISOFOLD_DEVICE auto finish_near(const exact::WeightedSum<T>&, const NearDigits* sum, std::int64_t) {
  return isofold::WeightedSum<T>{sum_of<T>(sum[0]), sum_of<T>(sum[1])};
}
template <class T>
ISOFOLD_DEVICE auto finish_near(const exact::Norm2<T>&, const NearDigits* sum, std::int64_t) {
  return rounded_of<core::part_t<T>>(
      sum[0], [](const auto& magnitude) { return exact::square_root_of(magnitude); });
}
ISOFOLD_DEVICE inline double mean_of(const NearDigits& sum, std::int64_t terms) {
  return rounded_of<double>(sum, [terms](const auto& magnitude) {
    return exact::quotient_of(magnitude, static_cast<std::uint64_t>(terms));
  });
}
template <class T>
ISOFOLD_DEVICE auto finish_near(const exact::Mean<T>&, const NearDigits* sum, std::int64_t terms) {
  return mean_of(sum[0], terms);
}
// The variance over `by`, or its root.
ISOFOLD_DEVICE inline bool finish_spread(const NearDigits* sum, std::int64_t terms,
                                         std::uint64_t by, bool root, double& result) {
  if (by == 0) {
    result = core::canonical_nan<double>();
    return true;
  }
  const NearSpread spread(sum[0], sum[1], static_cast<std::uint64_t>(terms), by);
  if (spread.fits) {
    result = root ? exact::rounded<double>(exact::square_root_of(spread.value))
                  : exact::rounded<double>(spread.value);
  }
  return spread.fits;
}

// A result of each row: the fold's number among those that WordsOf lists, and where the results go.
struct ExactResult {
  void* of_rows;
  int fold;
};

// The words of a fold among those of one that keeps more.
struct ExactPart {
  int begin;
  int count;
};

// The results of the folds whose words are those of `Kept`. One thread calls for a row of at least
// one term.
template <class Kept>
struct ExactResults {
  using Folds = typename WordsOf<Kept>::folds;
  // Rounds sums whose digits are few. This tells whether there is a result.
  ISOFOLD_DEVICE static bool near(const ExactResult& to, const NearDigits* sums, std::int64_t terms,
                                  std::int64_t row) {
    Folds::with(to.fold, [&](auto asked) {
      using Result = typename decltype(asked)::result_type;
      static_cast<Result*>(to.of_rows)[row] = finish_near(asked, sums, terms);
    });
    return true;
  }
  // Rounds carried words. This tells whether the result type holds the value.
  ISOFOLD_DEVICE static bool far(const ExactResult& to, const typename Kept::state_type& state,
                                 std::int64_t row) {
    bool fits = true;
    Folds::with(to.fold, [&](auto asked) {
      using Asked = decltype(asked);
      fits = exact::result_fits<Asked>(state);
      static_cast<typename Asked::result_type*>(to.of_rows)[row] = Asked::finish(state);
    });
    return fits;
  }
  ISOFOLD_DEVICE static constexpr ExactPart part(int) {
    return {0, exact::words_of<typename Kept::state_type>};
  }
};
// Moments and variances are made of one spread, whose code is long; sums, means and norms of one of
// the two sums.
template <class T>
struct ExactResults<exact::AllMoments<T>> {
  using Kept = exact::AllMoments<T>;
  using Folds = typename WordsOf<Kept>::folds;

  ISOFOLD_DEVICE static bool near(const ExactResult& to, const NearDigits* sums, std::int64_t terms,
                                  std::int64_t row) {
    const Asked asked(to.fold, terms);
    if (!asked.has_spread) {
      near_part(to, sums, terms, row);
      return true;
    }
    double spread = 0;
    const bool done = finish_spread(sums, terms, asked.by, asked.is_root, spread);
    write(asked, terms, spread, to, row, [&] { return mean_of(sums[0], terms); });
    return done;
  }
  ISOFOLD_DEVICE static bool far(const ExactResult& to, const typename Kept::state_type& state,
                                 std::int64_t row) {
    const Asked asked(to.fold, state.first.terms);
    if (asked.has_spread) {
      const double spread = Kept::spread(state, asked.by, asked.is_root);
      write(asked, state.first.terms, spread, to, row, [&] { return exact::mean_of(state.first); });
    } else {
      far_part(to, state, row);
    }
    return true;
  }
  ISOFOLD_DEVICE static ExactPart part(int number) {
    constexpr int first = exact::words_of<typename exact::Sum<T>::state_type>;
    ExactPart part{0, exact::words_of<typename Kept::state_type>};
    Folds::with(number, [&](auto fold) {
      using Fold = decltype(fold);
      part.begin = is_of_squares<Fold> ? first : 0;
      part.count = exact::words_of<typename Fold::state_type>;
    });
    return part;
  }

 private:
  template <class Fold>
  static constexpr bool is_of_both = std::is_same_v<typename exact::KeptBy<Fold>::type, Kept>;
  template <class Fold>
  static constexpr bool is_of_squares = std::is_same_v<Fold, exact::Norm2<T>>;

  struct Asked {
    std::uint64_t by = 1;
    bool is_root = false;
    bool has_all = false;
    bool has_spread = false;
    ISOFOLD_DEVICE Asked(int number, std::int64_t terms) {
      Folds::with(number, [&](auto fold) {
        using Fold = decltype(fold);
        if constexpr (is_of_both<Fold>) {
          by = fold.divisor(static_cast<std::uint64_t>(terms));
          is_root = fold.is_root;
          has_all = std::is_same_v<Fold, Kept>;
          has_spread = true;
        }
      });
    }
  };
  template <class Mean>
  ISOFOLD_DEVICE static void write(const Asked& asked, std::int64_t terms, double spread,
                                   const ExactResult& to, std::int64_t row, Mean&& mean) {
    if (asked.has_all) {
      static_cast<typename Kept::result_type*>(to.of_rows)[row] = {terms, mean(), spread};
    } else {
      static_cast<double*>(to.of_rows)[row] = spread;
    }
  }

  using State = typename Kept::state_type;
  ISOFOLD_DEVICE static T finish_part(const exact::Sum<T>&, const State& state) {
    return exact::sum_of<T>(state.first);
  }
  ISOFOLD_DEVICE static double finish_part(const exact::Mean<T>&, const State& state) {
    return exact::mean_of(state.first);
  }
  ISOFOLD_DEVICE static T finish_part(const exact::Norm2<T>&, const State& state) {
    return exact::root_of<T>(state.second);
  }
  // These stand apart, so that whoever asks for moments alone does not fetch their code.
  ISOFOLD_DEVICE_APART static void near_part(const ExactResult& to, const NearDigits* sums,
                                             std::int64_t terms, std::int64_t row) {
    Folds::with(to.fold, [&](auto asked) {
      using Fold = decltype(asked);
      if constexpr (!is_of_both<Fold>) {
        static_cast<typename Fold::result_type*>(to.of_rows)[row] =
            finish_near(asked, sums + (is_of_squares<Fold> ? 1 : 0), terms);
      }
    });
  }
  ISOFOLD_DEVICE_APART static void far_part(const ExactResult& to, const State& state,
                                            std::int64_t row) {
    Folds::with(to.fold, [&](auto asked) {
      using Fold = decltype(asked);
      if constexpr (!is_of_both<Fold>) {
        static_cast<typename Fold::result_type*>(to.of_rows)[row] = finish_part(asked, state);
      }
    });
  }
};

}  // namespace isofold::gpu
