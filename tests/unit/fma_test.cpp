// fma in software against the machine's instruction, or where it has none the C library's: hard
// cases by name, and random ones (ISOFOLD_TEST_FMA: how many).
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <exponential_hash.hpp>

namespace {

namespace core = isofold::core;
using exponential_hash::mix;

template <class T>
class Fma : public testing::Test {};
using Types = testing::Types<float, double>;
struct TypeNames {
  template <class T>
  static std::string GetName(int) {  // NOLINT: GoogleTest's name for it
    return sizeof(T) == 4 ? "f32" : "f64";
  }
};
TYPED_TEST_SUITE(Fma, Types, TypeNames);

template <class T>
using Bits = core::bits_t<T>;

// Bits of the result, one NaN for all.
template <class T>
Bits<T> pattern(T x) {
  return core::bit_cast<Bits<T>>(core::canonical(x));
}

template <class T>
testing::AssertionResult agrees(T a, T b, T c) {
  const T expected = std::fma(a, b, c);
  const T software = core::soft_fma::fma(a, b, c);
  const T chosen = core::fma(a, b, c);
  if (pattern(expected) == pattern(software) && pattern(expected) == pattern(chosen)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << std::hexfloat << a << " * " << b << " + " << c << " is " << expected << ", not "
         << software << " (software) or " << chosen << " (chosen)";
}

TYPED_TEST(Fma, EveryTripleOfSpecialNumbers) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  const T eps = Limits::epsilon();
  const T values[] = {0,
                      1,
                      2,
                      3,
                      T{1} + eps,
                      T{1} - eps / 2,
                      eps,
                      eps / 2,
                      eps / 4,
                      eps * eps,
                      T{1} / 3,
                      Limits::min(),
                      Limits::min() * (T{1} + eps),
                      Limits::min() / 2,
                      Limits::min() - Limits::denorm_min(),
                      Limits::denorm_min(),
                      Limits::denorm_min() * 3,
                      Limits::max(),
                      Limits::max() / 2,
                      Limits::max() * eps,
                      std::sqrt(Limits::max()),
                      std::sqrt(Limits::min()),
                      Limits::infinity(),
                      Limits::quiet_NaN()};
  for (const T a : values) {
    for (const T b : values) {
      for (const T c : values) {
        for (int signs = 0; signs < 4; ++signs) {
          ASSERT_TRUE(agrees((signs & 1) != 0 ? -a : a, b, (signs & 2) != 0 ? -c : c));
        }
      }
    }
  }
}

// a * b + c for random patterns, half of them with c near -a * b or a power of two away from it,
// and an eighth each of short, of tiny, of small whole numbers, and with a product at the overflow.
template <class T>
T random_number(std::uint64_t random) {
  const int width = static_cast<int>(sizeof(T)) * 8;
  const auto bits = static_cast<Bits<T>>(mix(random));
  switch (random % 8) {
    case 0: return core::bit_cast<T>(static_cast<Bits<T>>(bits & (~Bits<T>{0} << (width / 2))));
    case 1:
      return core::bit_cast<T>(
          static_cast<Bits<T>>(bits >> (random / 8 % 40 % static_cast<unsigned>(width))));
    case 2: return static_cast<T>(static_cast<int>(bits % 17)) - T{8};
    default: return core::bit_cast<T>(bits);
  }
}

template <class T>
struct Triple {
  T a, b, c;
};

template <class T>
Triple<T> random_triple(std::uint64_t i) {
  constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  const std::uint64_t random = mix(i);
  Triple<T> t{random_number<T>(mix(random)), random_number<T>(mix(random + 1)),
              random_number<T>(mix(random + 2))};
  if (random % 16 == 1) {
    int exponent = 0;
    std::frexp(t.a, &exponent);
    t.b = std::ldexp(T{1} + std::fabs(t.b - std::trunc(t.b)),
                     std::numeric_limits<T>::max_exponent - 1 - exponent);
  }
  if (random % 2 == 0) {
    auto bits = core::bit_cast<Bits<T>>(-(t.a * t.b));
    bits = static_cast<Bits<T>>(bits + random / 2 % 7 - 3);
    bits = static_cast<Bits<T>>(bits +
                                ((random / 16 % 2) * (random / 32 % 130 - 65) << fraction_bits));
    t.c = core::bit_cast<T>(bits);
  }
  return t;
}

TYPED_TEST(Fma, RandomTriples) {
  const char* wish = std::getenv("ISOFOLD_TEST_FMA");
  const std::uint64_t count = wish != nullptr ? std::strtoull(wish, nullptr, 10) : 2000000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto t = random_triple<TypeParam>(i);
    if (pattern(std::fma(t.a, t.b, t.c)) != pattern(core::soft_fma::fma(t.a, t.b, t.c))) {
      ASSERT_TRUE(agrees(t.a, t.b, t.c));
    }
  }
}

// A product and a sum rounded each are told from an fma.
TYPED_TEST(Fma, TwoRoundingsAreSeen) {
  std::uint64_t different = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto t = random_triple<TypeParam>(i);
    different += pattern(t.a * t.b + t.c) != pattern(core::soft_fma::fma(t.a, t.b, t.c)) ? 1U : 0U;
  }
  EXPECT_GT(different, 100U);
}

}  // namespace
