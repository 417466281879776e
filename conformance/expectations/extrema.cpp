// Extrema, alone, both at once and with their places: exact on all data, judged by the order of the
// bit patterns. Largest moduli of complex elements are rounded.
#include <conformance/bound_of_complex.hpp>
#include <conformance/exact_complex.hpp>
#include <conformance/expectation.hpp>
#include <conformance/judge.hpp>
#include <isofold/detail/core/folds/location.hpp>

namespace isofold::conformance {
namespace {

// Bit patterns in the order of `minimum`: -inf .. -0 < +0 .. +inf; NaN is judged apart.
template <class T>
auto order_key(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    const std::uint64_t top = std::uint64_t{1} << (8 * sizeof(T) - 1);
    const std::uint64_t bits = conformance::bits_of(x);
    return (bits & top) != 0 ? top - 1 - (bits - top) : bits + top;
  } else {
    return x;
  }
}

template <class T>
core::LocationBytes<T> location(T value, std::int64_t index) {
  core::LocationBytes<T> bytes{};
  bytes.value = value;
  bytes.index = index;
  return bytes;
}

// The extremum and its index after each element; of tied ones the first or the last.
template <class T>
std::vector<core::LocationBytes<T>> exact_extrema(const std::vector<T>& data, bool highest,
                                                  bool last) {
  std::vector<core::LocationBytes<T>> prefixes;
  core::LocationBytes<T> best{};
  for (std::size_t i = 0; i < data.size(); ++i) {
    const T x = data[i];
    const bool nan = x != x;
    const bool had_nan = best.value != best.value;
    const auto key = order_key(x);
    const auto best_key = order_key(best.value);
    const bool better = had_nan ? false : nan || (highest ? best_key < key : key < best_key);
    const bool tied = had_nan || nan ? had_nan && nan : key == best_key;
    if (i == 0 || better || (tied && last)) {
      best = location(x, static_cast<std::int64_t>(i));
    }
    prefixes.push_back(location(core::canonical(best.value), best.index));
  }
  return prefixes;
}

template <class T>
T extremum_of_nothing(bool highest) {
  return highest ? core::lowest<T>() : core::highest<T>();
}

template <bool highest>
struct OneExtremum : Expected {
  static constexpr Kinds kinds = real;
  static constexpr bool empty_is_error = true;
  static constexpr Marking marking = highest ? Marking::highest : Marking::lowest;
  static constexpr Recipe telling_recipe = highest ? Recipe::all_negative : Recipe::all_positive;
  template <class T>
  static T intruder() {
    return std::is_integral_v<T> && !highest ? std::numeric_limits<T>::lowest()
                                             : Expected::intruder<T>();
  }
};

template <bool highest>
struct Extremum : OneExtremum<highest> {
  static constexpr bool leads = true;
  template <class T>
  static T empty() {
    return extremum_of_nothing<T>(highest);
  }
  template <class T>
  static Prefixes<T> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    Prefixes<T> prefixes;
    for (const auto& best : exact_extrema(x, highest, false)) {
      prefixes.push_back(best.value);
    }
    return prefixes;
  }
};

template <bool highest, bool last>
struct Located : OneExtremum<highest> {
  static constexpr const char* result_word = "location_";
  template <class T>
  static core::LocationBytes<T> empty() {
    return location(extremum_of_nothing<T>(highest), -1);
  }
  template <class T>
  static Prefixes<core::LocationBytes<T>> exact(Recipe, const std::vector<T>& x,
                                                const std::vector<T>&) {
    const auto all = exact_extrema(x, highest, last);
    return {all.begin(), all.end()};
  }
};

struct MinMax : Expected {
  static constexpr Kinds kinds = real;
  static constexpr const char* result_word = "extent_";
  static constexpr bool empty_is_error = true;
  template <class T>
  static Extent<T> empty() {
    return {core::highest<T>(), core::lowest<T>()};
  }
  template <class T>
  static Prefixes<Extent<T>> exact(Recipe recipe, const std::vector<T>& x,
                                   const std::vector<T>& none) {
    return joined<Extent<T>>(Extremum<false>::exact(recipe, x, none),
                             Extremum<true>::exact(recipe, x, none));
  }
};

struct ArgMinMax : Expected {
  static constexpr Kinds kinds = real;
  static constexpr const char* result_word = "locations_";
  static constexpr bool empty_is_error = true;
  template <class T>
  static core::LocationPair<T> empty() {
    return {Located<false, false>::empty<T>(), Located<true, false>::empty<T>()};
  }
  template <class T>
  static Prefixes<core::LocationPair<T>> exact(Recipe recipe, const std::vector<T>& x,
                                               const std::vector<T>& none) {
    return joined<core::LocationPair<T>>(Located<false, false>::exact(recipe, x, none),
                                         Located<true, false>::exact(recipe, x, none));
  }
};

template <class T>
std::vector<T> magnitudes_of(std::vector<T> x) {
  for (T& element : x) {
    element = std::fabs(element);
  }
  return x;
}

struct AbsoluteMaximum : Expected {
  static constexpr Kinds kinds = floating | complex;
  template <class T>
  static core::part_t<T> empty() {
    return 0;
  }
  template <class T>
  static void make_exact(Recipe, std::vector<T>& data) {
    make_moduli_exact(data);
  }
  template <class T>
  static Prefixes<core::part_t<T>> exact(Recipe recipe, const std::vector<T>& x,
                                         const std::vector<T>& none) {
    using R = core::part_t<T>;
    if constexpr (core::is_complex<T>) {
      Prefixes<R> prefixes;
      std::int64_t largest = 0;
      for (const T& z : x) {
        largest = std::max(largest, exact_modulus(z));
        if (magnitude(largest) > largest_exact<R>) {
          break;
        }
        prefixes.push_back(static_cast<R>(largest));
      }
      return prefixes;
    } else {
      return Extremum<true>::exact(recipe, magnitudes_of(x), none);
    }
  }
  // A modulus is the root, rounded, of a square that two roundings made, of at most u/(1 + u) each:
  // ((1 + 2u)/(1 + u))^2 <= 1 + 2u. Scaling back rounds, too, where the result is subnormal. The
  // largest thus errs by 2u.
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, core::part_t<T> result) {
    using Part = core::part_t<T>;
    Long largest = 0;
    if constexpr (core::is_complex<T>) {
      for (std::int64_t i = 0; i < sample.n; ++i) {
        largest = std::fmax(largest, modulus_of(sample.x[i]));
      }
    }
    return judge_near("absolute_maximum", static_cast<Long>(result), largest,
                      2 * unit_roundoff<Part>, smallest<Part> / 2);
  }
};

struct LocatedMagnitude : OneExtremum<true> {
  static constexpr Kinds kinds = floating;
  static constexpr const char* result_word = "location_";
  template <class T>
  static core::LocationBytes<T> empty() {
    return location(T{0}, -1);
  }
  template <class T>
  static Prefixes<core::LocationBytes<T>> exact(Recipe recipe, const std::vector<T>& x,
                                                const std::vector<T>& none) {
    return Located<true, false>::exact(recipe, magnitudes_of(x), none);
  }
};

}  // namespace

ISOFOLD_EXPECT(minimum, Extremum<false>)
ISOFOLD_EXPECT(maximum, Extremum<true>)
ISOFOLD_EXPECT(argmin, Located<false, false>)
ISOFOLD_EXPECT(argmax, Located<true, false>)
ISOFOLD_EXPECT(argmin_last, Located<false, true>)
ISOFOLD_EXPECT(argmax_last, Located<true, true>)
ISOFOLD_EXPECT(minmax, MinMax)
ISOFOLD_EXPECT(argminmax, ArgMinMax)
ISOFOLD_EXPECT(absolute_maximum, AbsoluteMaximum)
ISOFOLD_EXPECT(argabsmax, LocatedMagnitude)

}  // namespace isofold::conformance
