// Kind 2: integer-valued data within the limits where every order of combination is exact, so that
// every backend must have the exact result, bit for bit. Computed here in integers, sharing nothing
// with any walk. Extrema are exact on all data: they are judged by the order of the bit patterns.
#include <algorithm>
#include <limits>

#include "sections.hpp"

namespace isofold::conformance {
namespace {

// A result after each element, for as long as every order of combination is exact.
template <class R>
using Prefixes = std::vector<R>;

template <class T>
constexpr std::uint64_t largest_exact = std::uint64_t{1} << std::numeric_limits<T>::digits;

template <class T>
std::uint64_t magnitude(T x) {
  return static_cast<std::uint64_t>(x < 0 ? -x : x);
}

// Floating point: exact while the sum of the magnitudes is at most 2^24 or 2^53.
template <class T, class R>
Prefixes<R> exact_sums(const std::vector<T>& data) {
  Prefixes<R> prefixes;
  if constexpr (std::is_floating_point_v<T>) {
    std::int64_t sum = 0;
    std::uint64_t magnitudes = 0;
    for (T x : data) {
      magnitudes += magnitude(x);
      if (magnitudes > largest_exact<T>) {
        break;
      }
      sum += static_cast<std::int64_t>(x);
      prefixes.push_back(static_cast<R>(sum));
    }
  } else {
    std::uint64_t sum = 0;
    for (T x : data) {
      sum += static_cast<std::uint64_t>(static_cast<R>(x));
      prefixes.push_back(static_cast<R>(sum));
    }
  }
  return prefixes;
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

template <class T>
Prefixes<T> exact_extrema(const std::vector<T>& data, bool highest) {
  Prefixes<T> prefixes;
  T best{};
  bool nan = false;
  for (T x : data) {
    nan = nan || x != x;
    if (prefixes.empty() ||
        (highest ? order_key(best) < order_key(x) : order_key(x) < order_key(best))) {
      best = x;
    }
    if constexpr (std::is_floating_point_v<T>) {
      prefixes.push_back(nan ? core::canonical_nan<T>() : best);
    } else {
      prefixes.push_back(best);
    }
  }
  return prefixes;
}

template <class T, class R>
Prefixes<R> exact_prefixes(const Question& question, const std::vector<T>& data) {
  switch (question.fold) {
    case ISOFOLD_FOLD_sum: return exact_sums<T, R>(data);
    case ISOFOLD_FOLD_product: return exact_products<T, R>(data);
    default:
      if constexpr (std::is_same_v<T, R>) {
        return exact_extrema(data, question.fold == ISOFOLD_FOLD_maximum);
      }
      return {};
  }
}

bool is_integer_valued(Recipe recipe) {
  return recipe == Recipe::iota || recipe == Recipe::alternating || recipe == Recipe::lanes ||
         recipe == Recipe::signs || recipe == Recipe::small || recipe == Recipe::zeros;
}

template <class T>
bool is_exact_recipe(const Question& question, Recipe recipe) {
  return test_data::has_recipe<T>(recipe) &&
         (is_integer_valued(recipe) || is_free_of_order<T>(question));
}

}  // namespace

void exact_section(Target& target, const Question& question, Judge& judge) {
  const std::int64_t largest = question.level == Level::quick      ? 20000
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
      const std::vector<T> data = data_set<T>(recipe, 7, largest);
      const Prefixes<R> expected = exact_prefixes<T, R>(question, data);
      std::vector<Span> spans;
      const auto limit = static_cast<std::int64_t>(expected.size());
      const std::int64_t step = question.level == Level::quick ? 41 : 1;
      for (std::int64_t n = 1; n <= limit; n += n < 130 ? 1 : n < 2100 ? step : 1 + n / 5) {
        spans.push_back({0, n});
      }
      spans.push_back({0, limit});
      const Placed<T> placed(target, data);
      const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
      for (std::size_t i = 0; i < spans.size(); ++i) {
        const R exact = expected[static_cast<std::size_t>(spans[i].count - 1)];
        const auto describe = [&] {
          return case_name(question) + " " + test_data::name_of(recipe) +
                 ", seed 7, n = " + std::to_string(spans[i].count) + ", exact in every order";
        };
        if (target.promises_same_bits() || question.fold != ISOFOLD_FOLD_sum) {
          judge.same_bits(exact, found[i], describe);
        } else {
          judge.same_value(exact, found[i], describe);
        }
      }
    }
  });
}

}  // namespace isofold::conformance
