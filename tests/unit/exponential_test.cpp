// exp, log and log1p: special values, committed values, errors against a wider type, and the same
// bits from every instruction set. The sweep over all inputs is exponential_sweep.cpp.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <exponential_hash.hpp>

#include "exponential_judge.hpp"
#include "exponential_values.hpp"

namespace {

namespace core = isofold::core;
using exponential_hash::Function;
using exponential_test::Engine;
using exponential_test::ulps;
using exponential_test::Wider;

constexpr std::size_t random_count = 1U << 20U;

template <class T>
class Exponential : public testing::Test {};
using Types = testing::Types<float, double>;
struct TypeNames {
  template <class T>
  static std::string GetName(int) {  // NOLINT: GoogleTest's name for it
    return sizeof(T) == 4 ? "f32" : "f64";
  }
};
TYPED_TEST_SUITE(Exponential, Types, TypeNames);

template <class T>
T evaluate(exponential_test::Apply<T> function, T x) {
  std::vector<T> padded(18, x);
  std::vector<T> result(16);
  function(padded.data(), result.data(), 16);
  return result[0];
}

template <class T>
bool same_bits(T a, T b) {
  return core::bit_cast<core::bits_t<T>>(core::canonical(a)) ==
         core::bit_cast<core::bits_t<T>>(core::canonical(b));
}

TYPED_TEST(Exponential, SpecialValues) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  const T infinity = Limits::infinity();
  const T nan = Limits::quiet_NaN();
  for (const Engine& engine : exponential_test::engines()) {
    SCOPED_TRACE(engine.name);
    const auto& of = engine.of<T>();
    struct Case {
      T input;
      T exp;
      T log;
    };
    const T tiny = Limits::denorm_min();
    for (const Case& c :
         {Case{0, 1, -infinity}, Case{-T{0}, 1, -infinity}, Case{infinity, infinity, infinity},
          Case{-infinity, 0, nan}, Case{nan, nan, nan}, Case{-nan, nan, nan}, Case{-tiny, 1, nan},
          Case{-1, static_cast<T>(0x1.78b56362cef38p-2L), nan}, Case{-Limits::max(), 0, nan},
          Case{tiny, 1, std::log(tiny)}}) {
      EXPECT_TRUE(same_bits(c.exp, evaluate(of.exp, c.input))) << "exp of " << c.input;
      EXPECT_TRUE(same_bits(c.log, evaluate(of.log, c.input))) << "log of " << c.input;
      if (!(c.input > 0)) {
        EXPECT_TRUE(same_bits(c.exp, evaluate(of.exp_nonpositive, c.input))) << c.input;
      }
    }
    EXPECT_TRUE(same_bits(T{0}, evaluate(of.log, T{1}))) << "log(1) is +0";
    EXPECT_TRUE(same_bits(infinity, evaluate(of.exp, Limits::max())));
  }
}

// NaNs of every payload: integer arithmetic on exponents must not make numbers of them.
TYPED_TEST(Exponential, EveryNanStaysNan) {
  using T = TypeParam;
  using Bits = core::bits_t<T>;
  const auto infinity = core::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  const Bits sign = Bits{1} << (sizeof(T) * 8 - 1);
  for (const Engine& engine : exponential_test::engines()) {
    for (Bits payload = 1; payload < infinity / 255; payload += payload < 5000 ? 1 : payload / 7) {
      for (const Bits bits : {infinity | payload, infinity | payload | sign}) {
        const T x = core::bit_cast<T>(bits);
        if (x == x) {
          continue;
        }
        const auto& of = engine.of<T>();
        ASSERT_TRUE(std::isnan(evaluate(of.exp, x))) << engine.name << std::hex << bits;
        ASSERT_TRUE(std::isnan(evaluate(of.exp_nonpositive, x))) << engine.name << std::hex << bits;
        ASSERT_TRUE(std::isnan(evaluate(of.log, x))) << engine.name << std::hex << bits;
      }
    }
  }
}

// Results within an ulp are, as bits, at most one away from the nearest.
template <class T, class Values>
void expect_next_to_nearest(const char* name, exponential_test::Apply<T> function,
                            const Values& values) {
  for (const auto& value : values) {
    const T result = evaluate(function, core::bit_cast<T>(value.input));
    const auto bits = core::bit_cast<core::bits_t<T>>(result);
    EXPECT_TRUE(bits - value.nearest + 1U <= 2U)
        << name << " of " << core::bit_cast<T>(value.input) << " is " << result;
  }
}

TYPED_TEST(Exponential, CommittedValues) {
  for (const Engine& engine : exponential_test::engines()) {
    SCOPED_TRACE(engine.name);
    const auto& of = engine.of<TypeParam>();
    if constexpr (sizeof(TypeParam) == 4) {
      expect_next_to_nearest("exp", of.exp, exponential_test::exp_f32);
      expect_next_to_nearest("log", of.log, exponential_test::log_f32);
    } else {
      expect_next_to_nearest("exp", of.exp, exponential_test::exp_f64);
      expect_next_to_nearest("log", of.log, exponential_test::log_f64);
    }
  }
}

// Hard inputs of both types: those of the f64 sweep, rounded where floats are wanted, and floats of
// all patterns.
template <class T>
std::vector<T> inputs(Function function) {
  std::vector<T> x(random_count + 16);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool pattern = sizeof(T) == 4 && i % 2 == 0;
    x[i] = pattern ? core::bit_cast<T>(static_cast<core::bits_t<T>>(exponential_hash::mix(i)))
                   : static_cast<T>(exponential_hash::input<double>(function, i + i / 4));
  }
  return x;
}

template <class T>
double worst_error(Function function, const std::vector<T>& x, const std::vector<T>& y) {
  double worst = 0;
  for (std::size_t i = 0; i < random_count; ++i) {
    const auto wide = static_cast<Wider<T>>(x[i]);
    const double error = ulps(y[i], function == Function::exp ? std::exp(wide) : std::log(wide));
    worst = error > worst ? error : worst;
  }
  return worst;
}

TYPED_TEST(Exponential, EveryEngineHasTheBitsOfScalars) {
  using T = TypeParam;
  for (const Function function : {Function::exp, Function::log}) {
    const std::vector<T> x = inputs<T>(function);
    std::vector<T> expected(random_count);
    std::vector<T> result(random_count);
    const auto& scalars = exponential_test::scalar_engine.of<T>();
    const bool is_exp = function == Function::exp;
    (is_exp ? scalars.exp : scalars.log)(x.data(), expected.data(), random_count);
    EXPECT_LE(worst_error(function, x, expected), 1.0);
    for (const Engine& engine : exponential_test::engines()) {
      const auto& of = engine.of<T>();
      (is_exp ? of.exp : of.log)(x.data(), result.data(), random_count);
      std::size_t different = 0;
      for (std::size_t i = 0; i < random_count; ++i) {
        different += same_bits(expected[i], result[i]) ? 0U : 1U;
      }
      EXPECT_EQ(different, 0U) << engine.name << (is_exp ? " exp" : " log");
      if (is_exp) {
        of.exp_nonpositive(x.data(), result.data(), random_count);
        for (std::size_t i = 0; i < random_count; ++i) {
          different += x[i] > 0 || same_bits(expected[i], result[i]) ? 0U : 1U;
        }
        EXPECT_EQ(different, 0U) << engine.name << " exp_nonpositive";
      }
    }
  }
}

// The errors are largest just above sqrt(2) - 1, where 1 + x is rounded. Tiny x come back as they
// are.
TYPED_TEST(Exponential, Log1p) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  double worst = 0;
  for (std::size_t i = 0; i < random_count; ++i) {
    const auto random = std::ldexp(static_cast<double>(exponential_hash::mix(i) >> 11), -53);
    const double inputs[] = {random, 0.41421 + random / 1e5, std::ldexp(1 + random, -60),
                             random * 2147483648.0};
    const T x = static_cast<T>(inputs[i % 4]);
    const double error = ulps(core::log1p(x), std::log1p(static_cast<Wider<T>>(x)));
    worst = error > worst ? error : worst;
  }
  EXPECT_LE(worst, 2.5);
  EXPECT_GE(worst, 1.5);
  EXPECT_TRUE(same_bits(core::log1p(T{0}), T{0}));
  EXPECT_TRUE(same_bits(core::log1p(Limits::min()), Limits::min()));
  EXPECT_TRUE(same_bits(core::log1p(Limits::denorm_min()), Limits::denorm_min()));
  EXPECT_TRUE(same_bits(core::log1p(Limits::infinity()), Limits::infinity()));
  EXPECT_TRUE(std::isnan(core::log1p(Limits::quiet_NaN())));
}

TYPED_TEST(Exponential, EveryEngineHasTheFmaOfScalars) {
  using T = TypeParam;
  std::vector<T> x(random_count + 16);
  for (std::size_t i = 0; i < x.size(); ++i) {  // products next to minus the addend, among others
    const auto random = exponential_hash::mix(i);
    x[i] =
        i % 3 == 2 ? -x[i - 2] * x[i - 1] : core::bit_cast<T>(static_cast<core::bits_t<T>>(random));
  }
  std::vector<T> result(random_count);
  for (const Engine& engine : exponential_test::engines()) {
    engine.of<T>().fma(x.data(), result.data(), random_count);
    std::size_t different = 0;
    for (std::size_t i = 0; i < random_count; ++i) {
      different += same_bits(core::soft_fma::fma(x[i], x[i + 1], x[i + 2]), result[i]) ? 0U : 1U;
    }
    EXPECT_EQ(different, 0U) << engine.name;
  }
}

// The checks see a quadratic coefficient that is wrong by 64 units in its last place, and a hash
// sees one bit.
TYPED_TEST(Exponential, AWrongCoefficientIsSeen) {
  using T = TypeParam;
  const T wrong = 32 * std::numeric_limits<T>::epsilon();
  const std::vector<T> x = inputs<T>(Function::exp);
  std::vector<T> y(random_count);
  for (std::size_t i = 0; i < random_count; ++i) {
    const bool reduced = std::fabs(x[i]) < static_cast<T>(0.34);
    y[i] = reduced ? core::exp_near_zero(x[i]) + x[i] * x[i] * wrong : core::exp(x[i]);
  }
  EXPECT_GT(worst_error(Function::exp, x, y), 1.0);

  const auto one = core::bit_cast<core::bits_t<T>>(T{1});
  EXPECT_NE(exponential_hash::share(one, core::bit_cast<T>(one)),
            exponential_hash::share(one, core::bit_cast<T>(one + 1)));
}

}  // namespace
