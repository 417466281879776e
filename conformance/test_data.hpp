// Every data set of docs/test_data.md: a function of (recipe, type, seed, count, index) alone.
// Used by the conformance suite, by `isofold generate` and by the benchmarks; the same
// specification stands in tests/oracle/test_data.py, in another language, and shares no code with
// this one.
//
// Integers and the IEEE operations +, -, x only. Every product here is exact (a scaling by a power
// of two, far from subnormals), so fused and separate rounding give the same bits, and no compiler
// flag short of -ffast-math can change an element. The FloatEnvironment in fill() and element()
// makes them independent of the caller's rounding mode.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <api/float_environment.hpp>
#include <isofold/detail/core/number.hpp>
#include <isofold/element.hpp>
#include <isofold/isofold.h>

#if defined(__FAST_MATH__)
#error "Test data is defined by IEEE arithmetic: compile without -ffast-math."
#endif

namespace isofold::test_data {

// X(name, element types): `any` of them, `floating` ones only, `full` ones of those (f32, f64), or
// any but `half` ones (narrower than f32). Complex types have the recipes of their parts. The first
// four are the distributions of `isofold generate`.
#define ISOFOLD_RECIPES(X)         \
  X(uniform, any)                  \
  X(normal, full)                  \
  X(cancelling, full)              \
  X(wide, full)                    \
  X(zeros, any)                    \
  X(negative_zeros, any)           \
  X(mixed_zeros, any)              \
  X(iota, !half)                   \
  X(alternating, any)              \
  X(lanes, any)                    \
  X(signs, any)                    \
  X(small, any)                    \
  X(all_negative, !half)           \
  X(all_positive, !half)           \
  X(near_one, any)                 \
  X(subnormals, floating)          \
  X(overflow, full)                \
  X(infinity, floating)            \
  X(opposite_infinities, floating) \
  X(one_nan, floating)

// Floating point narrower than f32: its significant bits, and patterns. The NaN has a payload.
template <class T>
struct NarrowFloat {
  static constexpr int digits = 0;
};
template <class BitsType, int significant>
struct NarrowPatterns {
  using Bits = BitsType;
  static constexpr int digits = significant;
  static constexpr int bits = 8 * sizeof(Bits);
  static constexpr int stored = digits - 1;
  static constexpr int bias = (1 << (bits - digits - 1)) - 1;
  static constexpr Bits sign = static_cast<Bits>(1 << (bits - 1));
  static constexpr Bits infinity = static_cast<Bits>((2 * bias + 1) << stored);
  static constexpr Bits quiet = static_cast<Bits>(1 << (stored - 1));
  static constexpr Bits nan = static_cast<Bits>(sign | infinity | quiet | (0x55 & (quiet - 1)));
};
#define ISOFOLD_NARROW(c_type, bits_type, significant) \
  template <>                                          \
  struct NarrowFloat<c_type> : NarrowPatterns<bits_type, significant> {};
ISOFOLD_NARROW_FLOATS(ISOFOLD_NARROW)
#undef ISOFOLD_NARROW
template <class T>
inline constexpr bool is_half = NarrowFloat<T>::digits != 0;

// The type of the parts of complex elements, the library's or C++'s; of others, their own.
template <class T>
using part_t = core::part_t<real_t<T>>;
template <class T>
inline constexpr bool is_complex = !std::is_same_v<part_t<T>, T>;

enum class Recipe : std::int32_t {
#define ISOFOLD_ENUMERATE(name, types) name,
  ISOFOLD_RECIPES(ISOFOLD_ENUMERATE)
#undef ISOFOLD_ENUMERATE
};

inline constexpr Recipe recipes[] = {
#define ISOFOLD_ENUMERATE(name, types) Recipe::name,
    ISOFOLD_RECIPES(ISOFOLD_ENUMERATE)
#undef ISOFOLD_ENUMERATE
};

inline const char* name_of(Recipe recipe) {
  switch (recipe) {
#define ISOFOLD_NAME(name, types) \
  case Recipe::name: return #name;
    ISOFOLD_RECIPES(ISOFOLD_NAME)
#undef ISOFOLD_NAME
  }
  return "";
}

// The recipe of that name into `recipe` and true; false where there is none.
inline bool find_recipe(const std::string& name, Recipe& recipe) {
  for (Recipe candidate : recipes) {
    if (name == name_of(candidate)) {
      recipe = candidate;
      return true;
    }
  }
  return false;
}

// This tells whether the recipe exists for the element type.
template <class T>
constexpr bool has_recipe(Recipe recipe) {
  constexpr bool any = true;
  constexpr bool full = std::is_floating_point_v<part_t<T>>;
  constexpr bool half = is_half<T>;
  constexpr bool floating = full || half;
  switch (recipe) {
#define ISOFOLD_TYPES_OF(name, types) \
  case Recipe::name: return types;
    ISOFOLD_RECIPES(ISOFOLD_TYPES_OF)
#undef ISOFOLD_TYPES_OF
  }
  return false;
}

// splitmix64 of the counter: s(seed, i) of the document, modulo 2^64.
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t s = seed + (i + 1) * 0x9E3779B97F4A7C15U;
  s = (s ^ (s >> 30)) * 0xBF58476D1CE4E5B9U;
  s = (s ^ (s >> 27)) * 0x94D049BB133111EBU;
  return s ^ (s >> 31);
}

namespace detail {

// 2^exponent, for exponents of normal numbers.
template <class T>
constexpr T power_of_two(int exponent) {
  T power = 1;
  for (; exponent > 0; --exponent) {
    power *= 2;
  }
  for (; exponent < 0; ++exponent) {
    power *= T{0.5};
  }
  return power;
}

// 2^exponent at run time, without a loop: the exponent's field alone.
template <class T>
inline T scale(int exponent) {
  constexpr int digits = std::numeric_limits<T>::digits - 1;
  constexpr int bias = std::numeric_limits<T>::max_exponent - 1;
  using Bits = core::bits_t<T>;
  return core::bit_cast<T>(static_cast<Bits>(static_cast<Bits>(exponent + bias) << digits));
}

// Uniform in [-1, 1): one rounding in the conversion, then an exact scaling.
template <class T>
inline T unit(std::uint64_t s) {
  if constexpr (sizeof(T) == 4) {
    return static_cast<T>(static_cast<std::int32_t>(s >> 32)) * power_of_two<T>(-31);
  } else {
    return static_cast<T>(static_cast<std::int64_t>(s)) * power_of_two<T>(-63);
  }
}

// An integer as the element type: to nearest for floating point, modulo 2^bits for integers.
template <class T>
constexpr T number(std::int64_t value) {
  return static_cast<T>(value);
}

template <class T>
inline T uniform(std::uint64_t seed, std::uint64_t i) {
  const std::uint64_t s = random_word(seed, i);
  if constexpr (core::is_floating<T>) {
    return unit<T>(s);
  } else {
    return static_cast<T>(s >> (64 - 8 * sizeof(T)));
  }
}

// The sum of twelve uniforms, in integers: mean 0, variance 1.
template <class T>
inline T normal(std::uint64_t seed, std::uint64_t i) {
  constexpr int bits = sizeof(T) == 4 ? 32 : 53;
  std::uint64_t total = 0;
  for (std::uint64_t k = 0; k < 12; ++k) {
    total += random_word(seed, 12 * i + k) >> (64 - bits);
  }
  total -= std::uint64_t{6} << bits;
  return static_cast<T>(static_cast<std::int64_t>(total)) * power_of_two<T>(-bits);
}

template <class T>
inline T cancelling(std::uint64_t seed, std::uint64_t i) {
  const T own = unit<T>(random_word(seed, i));
  if (i % 2 == 0) {
    return own * power_of_two<T>(20);
  }
  const T before = unit<T>(random_word(seed, i - 1)) * power_of_two<T>(20);
  return -before + own;
}

template <class T>
inline T wide(std::uint64_t seed, std::uint64_t i) {
  const int exponent = static_cast<int>(random_word(seed, 2 * i + 1) >> 58) - 32;
  return unit<T>(random_word(seed, 2 * i)) * scale<T>(exponent);
}

template <class T>
inline T all_negative(std::uint64_t s) {
  const auto back = static_cast<std::int64_t>(s % 1000);
  if constexpr (std::is_unsigned_v<T>) {
    return std::numeric_limits<T>::max() - static_cast<T>(back);
  } else {
    return number<T>(-1 - back);
  }
}

template <class T>
inline T near_one(std::uint64_t s) {
  if constexpr (core::is_floating<T>) {
    return T{1} + unit<T>(s) * power_of_two<T>(-6);
  } else {
    return number<T>(1 + 2 * static_cast<std::int64_t>(s % 5));
  }
}

template <class T>
inline T subnormal(std::uint64_t s) {
  using Bits = core::bits_t<T>;
  constexpr int top = 8 * sizeof(T) - 1;
  constexpr int drop = sizeof(T) == 4 ? 41 : 12;
  return core::bit_cast<T>(static_cast<Bits>(static_cast<Bits>(s >> drop) |
                                             static_cast<Bits>(static_cast<Bits>(s & 1) << top)));
}

template <class T>
inline T nan_with_payload() {
  if constexpr (sizeof(T) == 4) {
    return core::bit_cast<T>(std::uint32_t{0xffc12345U});
  } else {
    return core::bit_cast<T>(std::uint64_t{0xfff8123456789abcU});
  }
}

// floor(2n / 3), also where 2n has no 64-bit value.
constexpr std::int64_t two_thirds(std::int64_t n) { return n / 3 * 2 + n % 3 * 2 / 3; }

template <class T>
inline T minus_zero() {
  return core::is_floating<T> ? static_cast<T>(-0.0) : T{0};
}

// Element i of a data set of n. The recipe is known at compile time: fill() is a plain loop.
template <Recipe recipe, class T>
inline T element_of(std::uint64_t seed, std::int64_t n, std::int64_t index) {
  const auto i = static_cast<std::uint64_t>(index);
  constexpr T infinite = std::numeric_limits<T>::infinity();
  if constexpr (recipe == Recipe::uniform) {
    return uniform<T>(seed, i);
  } else if constexpr (recipe == Recipe::normal) {
    return normal<T>(seed, i);
  } else if constexpr (recipe == Recipe::cancelling) {
    return cancelling<T>(seed, i);
  } else if constexpr (recipe == Recipe::wide) {
    return wide<T>(seed, i);
  } else if constexpr (recipe == Recipe::zeros) {
    return T{0};
  } else if constexpr (recipe == Recipe::negative_zeros) {
    return minus_zero<T>();
  } else if constexpr (recipe == Recipe::mixed_zeros) {
    return i % 2 != 0 ? minus_zero<T>() : T{0};
  } else if constexpr (recipe == Recipe::iota) {
    return number<T>(index + 1);
  } else if constexpr (recipe == Recipe::alternating) {
    return number<T>(i % 2 == 0 ? -2 : 1);
  } else if constexpr (recipe == Recipe::lanes) {
    return number<T>(std::int64_t{1} << (i % 64 % 16));
  } else if constexpr (recipe == Recipe::signs) {
    return number<T>((random_word(seed, i) >> 40 & 1) != 0 ? -1 : 1);
  } else if constexpr (recipe == Recipe::small) {
    const auto part = static_cast<std::int64_t>(random_word(seed, i) % 17);
    return number<T>(std::is_unsigned_v<T> ? part : part - 8);
  } else if constexpr (recipe == Recipe::all_negative) {
    return all_negative<T>(random_word(seed, i));
  } else if constexpr (recipe == Recipe::all_positive) {
    return number<T>(1 + static_cast<std::int64_t>(random_word(seed, i) % 1000));
  } else if constexpr (recipe == Recipe::near_one) {
    return near_one<T>(random_word(seed, i));
  } else if constexpr (recipe == Recipe::subnormals) {
    return subnormal<T>(random_word(seed, i));
  } else if constexpr (recipe == Recipe::overflow) {
    constexpr T half = std::numeric_limits<T>::max() * T{0.5};
    return index < n / 2 ? half : -half;
  } else if constexpr (recipe == Recipe::infinity) {
    return index == n / 3 ? infinite : uniform<T>(seed, i);
  } else if constexpr (recipe == Recipe::opposite_infinities) {
    return index == two_thirds(n) ? -infinite : index == n / 3 ? infinite : uniform<T>(seed, i);
  } else {
    static_assert(recipe == Recipe::one_nan, "Every recipe of the list has its rule here.");
    return index == n / 2 ? nan_with_payload<T>() : uniform<T>(seed, i);
  }
}

// Narrow floating point: integers times powers of two that the type has, or patterns. Of a value
// that the type has as a normal number, or zero.
template <class T>
inline T half_of(float value) {
  using Format = NarrowFloat<T>;
  constexpr int down = 23 - Format::stored;
  constexpr std::uint32_t rebase = static_cast<std::uint32_t>(127 - Format::bias) << Format::stored;
  const auto bits = core::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = (bits & 0x7fffffffU) >> down;
  const std::uint32_t sign = bits >> 31 << (Format::bits - 1);
  return {static_cast<typename Format::Bits>(sign | (magnitude == 0 ? 0 : magnitude - rebase))};
}

template <Recipe recipe, class T>
inline T half_element_of(std::uint64_t seed, std::int64_t n, std::int64_t index) {
  using Format = NarrowFloat<T>;
  using Bits = typename Format::Bits;
  constexpr int digits = Format::digits;
  constexpr float unit_of_one = power_of_two<float>(1 - digits);
  const std::uint64_t s = random_word(seed, static_cast<std::uint64_t>(index));
  if constexpr (recipe == Recipe::near_one) {
    const auto part = static_cast<float>(static_cast<std::int64_t>(s % 17) - 8);
    return half_of<T>(1.0F + part * unit_of_one);
  } else if constexpr (recipe == Recipe::subnormals) {
    return {static_cast<Bits>((s >> (65 - digits)) | ((s & 1) << (Format::bits - 1)))};
  } else if constexpr (recipe == Recipe::uniform || recipe == Recipe::infinity ||
                       recipe == Recipe::opposite_infinities || recipe == Recipe::one_nan) {
    if (recipe == Recipe::opposite_infinities && index == two_thirds(n)) {
      return {static_cast<Bits>(Format::infinity | Format::sign)};
    }
    if ((recipe == Recipe::infinity || recipe == Recipe::opposite_infinities) && index == n / 3) {
      return {Format::infinity};
    }
    if (recipe == Recipe::one_nan && index == n / 2) {
      return {Format::nan};
    }
    const auto part = static_cast<std::int64_t>(s) >> (64 - digits);
    return half_of<T>(static_cast<float>(part) * unit_of_one);
  } else {
    return half_of<T>(element_of<recipe, float>(seed, n, index));
  }
}

// Complex elements are the real ones of a data set of twice the count, in pairs.
template <Recipe recipe, class T>
inline T any_element_of(std::uint64_t seed, std::int64_t n, std::int64_t index) {
  if constexpr (is_half<T>) {
    return half_element_of<recipe, T>(seed, n, index);
  } else if constexpr (is_complex<T>) {
    return {element_of<recipe, part_t<T>>(seed, 2 * n, 2 * index),
            element_of<recipe, part_t<T>>(seed, 2 * n, 2 * index + 1)};
  } else {
    return element_of<recipe, T>(seed, n, index);
  }
}

// Calls visit(integral constant of the recipe); throws where the type has no such recipe.
template <class T, class Visit>
void visit_recipe(Recipe recipe, Visit&& visit) {
  switch (recipe) {
#define ISOFOLD_VISIT(name, types)                           \
  case Recipe::name:                                         \
    if constexpr (has_recipe<T>(Recipe::name)) {             \
      visit(std::integral_constant<Recipe, Recipe::name>{}); \
      return;                                                \
    } else {                                                 \
      break;                                                 \
    }
    ISOFOLD_RECIPES(ISOFOLD_VISIT)
#undef ISOFOLD_VISIT
  }
  throw std::invalid_argument(std::string("The recipe ") + name_of(recipe) +
                              " does not exist for this type (docs/test_data.md).");
}

}  // namespace detail

// The elements [first, first + count) of the data set of n; `out` receives element `first` first.
// Throws std::invalid_argument where has_recipe<T>(recipe) is false.
template <class T>
void fill(Recipe recipe, std::uint64_t seed, std::int64_t n, T* out, std::int64_t first,
          std::int64_t count) {
  detail::visit_recipe<T>(recipe, [=](auto constant) {
    const FloatEnvironment environment;
    for (std::int64_t i = 0; i < count; ++i) {
      out[i] = detail::any_element_of<decltype(constant)::value, T>(seed, n, first + i);
    }
  });
}

// The whole data set.
template <class T>
void fill(Recipe recipe, std::uint64_t seed, std::int64_t n, T* out) {
  fill(recipe, seed, n, out, 0, n);
}

template <class T>
T element(Recipe recipe, std::uint64_t seed, std::int64_t n, std::int64_t i) {
  T value;
  fill(recipe, seed, n, &value, i, 1);
  return value;
}

}  // namespace isofold::test_data
