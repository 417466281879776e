// Kind 2: integer-valued data within the limits where every order of combination is exact, so that
// every backend must have the exact result, bit for bit. Computed here in integers, sharing nothing
// with any walk. Extrema and counts are exact on all data: extrema are judged by the order of the
// bit patterns.
#include <algorithm>
#include <cmath>
#include <limits>

#include "exact_complex.hpp"
#include "exact_prefixes.hpp"
#include "sections.hpp"

namespace isofold::conformance {
namespace {

template <class T, class R>
Prefixes<R> exact_sums(const std::vector<T>& data) {
  if constexpr (std::is_floating_point_v<T>) {
    return exact_sums_of<T, R>(
        data.size(), [&](std::size_t i) { return static_cast<std::int64_t>(data[i]); },
        [](std::int64_t sum, std::int64_t) { return static_cast<R>(sum); });
  } else {
    Prefixes<R> prefixes;
    std::uint64_t sum = 0;
    for (T x : data) {
      sum += static_cast<std::uint64_t>(static_cast<R>(x));
      prefixes.push_back(static_cast<R>(sum));
    }
    return prefixes;
  }
}

// Floating point: a product of integers is odd · 2^exponent, exact in every order while the odd
// part is at most 2^24 or 2^53 and the whole stays finite. A zero makes it a zero, with the sign
// that the number of negative factors gives.
template <class T>
class ExactProduct {
 public:
  // False when the next factor leaves what is exact in every order.
  bool take(T x) {
    negative_ ^= x < 0;
    zero_ |= x == 0;
    std::uint64_t m = magnitude(x);
    for (; m != 0 && m % 2 == 0; m /= 2) {
      ++exponent_;
    }
    odd_ *= m == 0 ? 1 : m;
    return m <= largest_exact<T> && odd_ <= largest_exact<T> &&
           exponent_ + std::numeric_limits<T>::digits < std::numeric_limits<T>::max_exponent;
  }
  T value() const {
    T product = static_cast<T>(zero_ ? 0 : odd_);
    for (int i = 0; i < exponent_; ++i) {
      product *= 2;
    }
    return negative_ ? -product : product;
  }

 private:
  std::uint64_t odd_ = 1;
  int exponent_ = 0;
  bool zero_ = false;
  bool negative_ = false;
};

template <class T, class R>
Prefixes<R> exact_products(const std::vector<T>& data) {
  Prefixes<R> prefixes;
  if constexpr (std::is_floating_point_v<T>) {
    ExactProduct<T> product;
    for (T x : data) {
      if (!product.take(x)) {
        break;
      }
      prefixes.push_back(product.value());
    }
  } else {
    std::uint64_t product = 1;
    for (T x : data) {
      product *= static_cast<std::uint64_t>(static_cast<R>(x));
      prefixes.push_back(static_cast<R>(product));
    }
  }
  return prefixes;
}

// Bit patterns in the order of `minimum`: -inf .. -0 < +0 .. +inf; NaN is dealt with apart.
template <class T>
auto order_key(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    const std::uint64_t top = std::uint64_t{1} << (8 * sizeof(T) - 1);
    const std::uint64_t bits = bits_of(x);
    return (bits & top) != 0 ? top - 1 - (bits - top) : bits + top;
  } else {
    return x;
  }
}

// The extremum and its index after each element; of tied ones the first or the last.
template <class T>
struct Found {
  T value;
  std::int64_t index;
};

template <class T>
std::vector<Found<T>> exact_extrema(const std::vector<T>& data, bool highest, bool last) {
  std::vector<Found<T>> prefixes;
  Found<T> best{};
  for (std::size_t i = 0; i < data.size(); ++i) {
    const T x = data[i];
    const bool nan = x != x;
    const bool had_nan = best.value != best.value;
    const auto key = order_key(x);
    const auto best_key = order_key(best.value);
    const bool better = had_nan ? false : nan || (highest ? best_key < key : key < best_key);
    const bool tied = had_nan || nan ? had_nan && nan : key == best_key;
    if (i == 0 || better || (tied && last)) {
      best = {x, static_cast<std::int64_t>(i)};
    }
    Found<T> result = best;
    if constexpr (std::is_floating_point_v<T>) {
      result.value = core::canonical(result.value);
    }
    prefixes.push_back(result);
  }
  return prefixes;
}

template <class T>
core::LocationBytes<T> location(const Found<T>& found) {
  core::LocationBytes<T> bytes{};
  bytes.value = found.value;
  bytes.index = found.index;
  return bytes;
}

// By the type of the result: what minimum, argmin, minmax or argminmax returns.
template <class T, class R>
Prefixes<R> exact_selections(const Question& question, const std::vector<T>& data) {
  const bool last =
      question.fold == ISOFOLD_FOLD_argmin_last || question.fold == ISOFOLD_FOLD_argmax_last;
  const bool highest =
      last ? question.fold == ISOFOLD_FOLD_argmax_last
           : question.fold == ISOFOLD_FOLD_maximum || question.fold == ISOFOLD_FOLD_argmax;
  Prefixes<R> prefixes;
  const std::vector<Found<T>> low = exact_extrema(data, highest, last);
  const std::vector<Found<T>> high = exact_extrema(data, true, false);
  for (std::size_t i = 0; i < data.size(); ++i) {
    if constexpr (std::is_same_v<R, T>) {
      prefixes.push_back(low[i].value);
    } else if constexpr (std::is_same_v<R, core::LocationBytes<T>>) {
      prefixes.push_back(location(low[i]));
    } else if constexpr (std::is_same_v<R, core::LocationPair<T>>) {
      prefixes.push_back(R{location(low[i]), location(high[i])});
    } else if constexpr (std::is_same_v<R, core::Two<T>>) {
      prefixes.push_back(R{low[i].value, high[i].value});
    }
  }
  return prefixes;
}

template <class T>
bool matches(const Question& question, T x) {
  switch (question.fold) {
    case ISOFOLD_FOLD_count_nan: return x != x;
    case ISOFOLD_FOLD_count_in_range:
      return range_of_tests<T>()[0] <= x && x <= range_of_tests<T>()[1];
    default: return x != 0;
  }
}

// Elements that are the ends of the range themselves, which belong to it.
template <class T>
void put_ends_of_range(std::vector<T>& data) {
  for (std::size_t i = 3; i < data.size(); i += 5) {
    data[i] = range_of_tests<T>()[i % 2];
  }
}

template <class T, class R>
Prefixes<R> exact_counts(const Question& question, const std::vector<T>& data) {
  Prefixes<R> prefixes;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    count += matches(question, data[i]) ? 1 : 0;
    switch (question.fold) {
      case ISOFOLD_FOLD_any: prefixes.push_back(static_cast<R>(count != 0 ? 1 : 0)); break;
      case ISOFOLD_FOLD_none: prefixes.push_back(static_cast<R>(count == 0 ? 1 : 0)); break;
      case ISOFOLD_FOLD_all:
        prefixes.push_back(static_cast<R>(static_cast<std::size_t>(count) == i + 1 ? 1 : 0));
        break;
      default: prefixes.push_back(static_cast<R>(count)); break;
    }
  }
  return prefixes;
}

template <class T, class R>
Prefixes<R> exact_bits(const Question& question, const std::vector<T>& data) {
  Prefixes<R> prefixes;
  T bits = data.empty() ? T{} : data[0];
  for (std::size_t i = 0; i < data.size(); ++i) {
    const T x = data[i];
    bits = question.fold == ISOFOLD_FOLD_bit_and  ? bits & x
           : question.fold == ISOFOLD_FOLD_bit_or ? bits | x
           : i == 0                               ? x
                                                  : bits ^ x;
    prefixes.push_back(static_cast<R>(bits));
  }
  return prefixes;
}

// Data that repeat after `period` elements, which divides a chunk: every chunk of whole periods has
// the mean of one, which is a sum of powers of two and exact. 0: no such data.
std::int64_t period_of(Recipe recipe) {
  switch (recipe) {
    case Recipe::zeros: return 1;
    case Recipe::alternating: return 2;
    case Recipe::lanes: return 64;
    default: return 0;
  }
}

template <class T, class R>
Prefixes<R> exact_moments(const Question& question, Recipe recipe, const std::vector<T>& data) {
  const std::int64_t period = period_of(recipe);
  // Squares of distances of 20 bits need 40.
  const bool squares_fit = recipe != Recipe::lanes || sizeof(T) == 8;
  if (period == 0 || (!squares_fit && question.fold != ISOFOLD_FOLD_mean)) {
    return {};
  }
  double mean = 0;
  for (std::int64_t i = 0; i < period; ++i) {
    mean += static_cast<double>(data[static_cast<std::size_t>(i)]) / static_cast<double>(period);
  }
  double m2 = 0;
  Prefixes<R> prefixes;
  for (std::int64_t n = 1; n <= static_cast<std::int64_t>(data.size()); ++n) {
    const double distance = static_cast<double>(data[static_cast<std::size_t>(n - 1)]) - mean;
    m2 += distance * distance;
    if (m2 > 0x1p45) {  // counted in 2^-8, no longer exact
      break;
    }
    if (n % period != 0) {
      prefixes.emplace_back();
    } else if constexpr (std::is_same_v<R, core::MomentsResult>) {
      prefixes.push_back(R{n, mean, m2});
    } else if constexpr (std::is_same_v<R, double>) {
      const bool sample = question.fold == ISOFOLD_FOLD_sample_variance;
      const double divisor = static_cast<double>(sample ? n - 1 : n);
      prefixes.push_back(question.fold == ISOFOLD_FOLD_mean ? mean
                         : divisor == 0                     ? core::canonical_nan<double>()
                                                            : m2 / divisor);
    }
  }
  return prefixes;
}

// exp(0) is 1 and log(1) is 0: the sums of zeros, and one element alone.
template <class T, class R>
Prefixes<R> exact_exponentials(Recipe recipe, const std::vector<T>& data) {
  Prefixes<R> prefixes;
  if constexpr (std::is_same_v<R, core::Two<T>>) {
    prefixes.push_back(R{data[0], T{1}});
    const auto limit =
        static_cast<std::size_t>(std::min<std::uint64_t>(data.size(), largest_exact<T>));
    while (recipe == Recipe::zeros && prefixes.size() < limit) {
      prefixes.push_back(R{T{0}, static_cast<T>(prefixes.size() + 1)});
    }
  } else if constexpr (std::is_same_v<R, T>) {
    prefixes.push_back(data[0]);
  }
  return prefixes;
}

// Weights and what they weigh: a prefix is exact while both sums are.
template <class T, class R>
Prefixes<R> exact_weighted(const std::vector<T>& x, const std::vector<T>& weights) {
  const auto whole = [](T value) { return static_cast<std::int64_t>(value); };
  const Prefixes<T> of_weights = exact_sums<T, T>(weights);
  const auto term = [&](std::size_t i) { return whole(x[i]) * whole(weights[i]); };
  const auto make = [&](std::int64_t sum, std::int64_t) { return static_cast<T>(sum); };
  const Prefixes<T> of_products = exact_sums_of<T, T>(x.size(), term, make);
  return joined<R>(of_products, of_weights);
}

// Sums of terms, whose values the _with_bound folds share.
template <class T, class R>
Prefixes<R> exact_terms(const Question& question, const std::vector<T>& x,
                        const std::vector<T>& y) {
  const auto at = [](const std::vector<T>& data, std::size_t i) {
    return static_cast<std::int64_t>(data[i]);
  };
  const auto term = [&](std::size_t i) -> std::int64_t {
    const std::int64_t a = at(x, i);
    switch (question.fold) {
      case ISOFOLD_FOLD_norm1: return a < 0 ? -a : a;
      case ISOFOLD_FOLD_norm2: return a * a;
      case ISOFOLD_FOLD_dot:
      case ISOFOLD_FOLD_dot_with_bound: return a * at(y, i);
      case ISOFOLD_FOLD_squared_distance: return (a - at(y, i)) * (a - at(y, i));
      default: return a;
    }
  };
  const auto make = [&](std::int64_t sum, std::int64_t n) {
    auto value = static_cast<T>(sum);
    if (question.fold == ISOFOLD_FOLD_norm2) {
      value = static_cast<T>(std::sqrt(static_cast<double>(sum)));
    } else if (question.fold == ISOFOLD_FOLD_mean_with_bound) {
      value = static_cast<T>(sum) / static_cast<T>(n);
    }
    if constexpr (std::is_same_v<R, core::Two<T>>) {
      return R{value, T{0}};
    } else {
      return static_cast<R>(value);
    }
  };
  return exact_sums_of<T, R>(x.size(), term, make);
}

template <class T, class R>
Prefixes<R> exact_prefixes(const Question& question, [[maybe_unused]] Recipe recipe,
                           const std::vector<T>& x, [[maybe_unused]] const std::vector<T>& y) {
  if constexpr (core::is_complex<T>) {
    return exact_complex<T, R>(question, x, y);
  } else if constexpr (std::is_same_v<R, core::MomentsResult>) {
    return exact_moments<T, R>(question, recipe, x);
  } else if constexpr (std::is_same_v<R, std::uint8_t>) {
    return exact_counts<T, R>(question, x);
  } else if constexpr (std::is_same_v<R, core::LocationBytes<T>> ||
                       std::is_same_v<R, core::LocationPair<T>>) {
    return exact_selections<T, R>(question, x);
  } else if constexpr (std::is_same_v<R, core::Two<T>> && !std::is_floating_point_v<T>) {
    return exact_selections<T, R>(question, x);
  } else if constexpr (std::is_same_v<R, core::Two<T>>) {
    switch (question.fold) {
      case ISOFOLD_FOLD_minmax: return exact_selections<T, R>(question, x);
      case ISOFOLD_FOLD_softmax_statistics: return exact_exponentials<T, R>(recipe, x);
      case ISOFOLD_FOLD_weighted_sum: return exact_weighted<T, R>(x, y);
      default: return exact_terms<T, R>(question, x, y);
    }
  } else {
    switch (question.fold) {
      case ISOFOLD_FOLD_sum: return exact_sums<T, R>(x);
      case ISOFOLD_FOLD_product: return exact_products<T, R>(x);
      case ISOFOLD_FOLD_count_nonzero:
      case ISOFOLD_FOLD_count_nan:
      case ISOFOLD_FOLD_count_in_range: return exact_counts<T, R>(question, x);
      case ISOFOLD_FOLD_mean:
      case ISOFOLD_FOLD_variance:
      case ISOFOLD_FOLD_sample_variance:
        if constexpr (std::is_floating_point_v<T>) {
          return exact_moments<T, R>(question, recipe, x);
        }
        return {};
      default: break;
    }
    if constexpr (std::is_same_v<R, T> && std::is_floating_point_v<T>) {
      std::vector<T> magnitudes = x;
      switch (question.fold) {
        case ISOFOLD_FOLD_norm1:
        case ISOFOLD_FOLD_norm2:
        case ISOFOLD_FOLD_dot:
        case ISOFOLD_FOLD_squared_distance: return exact_terms<T, R>(question, x, y);
        case ISOFOLD_FOLD_log_sum_exp: return exact_exponentials<T, R>(recipe, x);
        case ISOFOLD_FOLD_absolute_maximum:
          for (T& element : magnitudes) {
            element = std::fabs(element);
          }
          return exact_selections<T, R>({ISOFOLD_FOLD_maximum, question.type, question.level, 0},
                                        magnitudes);
        default: return exact_selections<T, R>(question, x);
      }
    } else if constexpr (std::is_same_v<R, T>) {
      const bool bitwise = question.fold == ISOFOLD_FOLD_bit_and ||
                           question.fold == ISOFOLD_FOLD_bit_or ||
                           question.fold == ISOFOLD_FOLD_bit_xor;
      return bitwise ? exact_bits<T, R>(question, x) : exact_selections<T, R>(question, x);
    } else {
      return {};
    }
  }
}

bool is_integer_valued(Recipe recipe) {
  return recipe == Recipe::iota || recipe == Recipe::alternating || recipe == Recipe::lanes ||
         recipe == Recipe::signs || recipe == Recipe::small || recipe == Recipe::zeros;
}

template <class T>
bool is_exact_recipe(const Question& question, Recipe recipe) {
  return test_data::has_recipe<T>(recipe) &&
         (is_integer_valued(recipe) ||
          (is_free_of_order<T>(question) && !core::is_complex<T>));  // moduli are rounded
}

}  // namespace

void exact_section(Target& target, const Question& question, Judge& judge) {
  // The first four folds walk through more sizes at the standard level.
  const bool is_quick = question.level == Level::quick ||
                        (question.level == Level::standard && question.fold > ISOFOLD_FOLD_maximum);
  const std::int64_t largest = is_quick                            ? 20000
                               : question.level == Level::standard ? 200000
                                                                   : 3000000;
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    for (Recipe recipe : test_data::recipes) {
      if (!is_exact_recipe<T>(question, recipe)) {
        continue;
      }
      judge.count_case();
      std::vector<T> data = data_set<T>(recipe, 7, largest);
      if (isofold_fold_parameters(question.fold) != 0) {
        put_ends_of_range(data);
      }
      if constexpr (core::is_complex<T>) {
        make_exact(question, recipe, data);
      }
      const std::vector<T> other = second_set<T>(question, recipe, 8, largest);
      const Prefixes<R> expected = exact_prefixes<T, R>(question, recipe, data, other);
      std::vector<Span> spans;
      const auto limit = static_cast<std::int64_t>(expected.size());
      const std::int64_t step = is_quick ? 41 : 1;
      const auto ask_of = [&](std::int64_t n) {
        if (n > 0 && expected[static_cast<std::size_t>(n - 1)].has_value()) {
          spans.push_back({0, n});
        }
      };
      for (std::int64_t n = 1; n <= limit; n += n < 130 ? 1 : n < 2100 ? step : 1 + n / 5) {
        ask_of(n);
      }
      ask_of(limit / 64 * 64);  // a whole number of every period
      ask_of(limit);
      append_second(question, data, other, spans);
      const Placed<T> placed(target, data);
      const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
      for (std::size_t i = 0; i < spans.size(); ++i) {
        R exact = *expected[static_cast<std::size_t>(spans[i].count - 1)];
        const auto describe = [&] {
          return case_name(question) + " " + test_data::name_of(recipe) +
                 ", seed 7, n = " + std::to_string(spans[i].count) + ", exact in every order";
        };
        if constexpr (std::is_same_v<R, core::Two<T>>) {
          if (has_bound(question)) {
            exact.second = found[i].second;  // the section `bound` judges it
          }
        }
        // The sign of a zero sum depends on the order; of a zero part, on the factors' signs, too.
        const bool may_differ = question.fold == ISOFOLD_FOLD_sum ||
                                question.fold == ISOFOLD_FOLD_dot ||
                                question.fold == ISOFOLD_FOLD_weighted_sum;
        const bool has_parts = core::is_complex<R> && question.fold != ISOFOLD_FOLD_sum;
        if (!has_parts && (target.promises_same_bits() || !may_differ)) {
          judge.same_bits(exact, found[i], describe);
        } else {
          judge.same_value(exact, found[i], describe);
        }
      }
    }
  });
}

}  // namespace isofold::conformance
