// Complex elements through the C++ interface: std::complex in, std::complex or a real number out.
// The conformance suite asks every fold and shape; this is the interface, and what a user relies
// on.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <isofold/detail/core/folds/complex.hpp>
#include <isofold/detail/core/folds/product.hpp>
#include <isofold/transform_reduce.hpp>

#include <test_support.hpp>

namespace {

using isofold::array;
using isofold::box;
using isofold::Reducer;

template <class T>
std::vector<std::complex<T>> numbers(std::int64_t count, std::uint64_t seed) {
  return test_support::data_set<std::complex<T>>(test_support::Recipe::uniform, count, seed);
}

static_assert(std::is_same_v<isofold::result_t<isofold::Fold::norm1, isofold_c64>, float> &&
                  std::is_same_v<isofold::result_t<isofold::Fold::sum, isofold_c128>, isofold_c128>,
              "C's complex structs have results as std::complex has.");

template <class T>
class Complex : public testing::Test {};
using Parts = testing::Types<float, double>;
TYPED_TEST_SUITE(Complex, Parts, );

TYPED_TEST(Complex, SumHasTheBitsOfItsParts) {
  using T = TypeParam;
  const std::int64_t n = 5003;
  const auto z = numbers<T>(n, 1);
  const T* const parts = reinterpret_cast<const T*>(z.data());
  Reducer reduce;
  const std::complex<T> sum = reduce.sum(array(z.data(), n));
  EXPECT_EQ(sum.real(), reduce.sum(box(parts, {n}, {2})));
  EXPECT_EQ(sum.imag(), reduce.sum(box(parts + 1, {n}, {2})));
}

TYPED_TEST(Complex, ResultsAreNearThoseOfPlainLoops) {
  using T = TypeParam;
  const std::int64_t n = 3001;
  const auto x = numbers<T>(n, 2);
  const auto y = numbers<T>(n, 3);
  std::complex<double> dot;
  double moduli = 0;
  double squares = 0;
  double distance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::complex<double> a(x[i]);
    const std::complex<double> b(y[i]);
    dot += std::conj(a) * b;
    moduli += std::abs(a);
    squares += std::norm(a);
    distance += std::norm(a - b);
  }
  Reducer reduce;
  const double u = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  const auto first = array(x.data(), n);
  const auto second = array(y.data(), n);
  EXPECT_NEAR(reduce.norm1(first), moduli, 100 * u * moduli);
  EXPECT_NEAR(reduce.norm2(first), std::sqrt(squares), 100 * u * std::sqrt(squares));
  EXPECT_NEAR(reduce.squared_distance(first, second), distance, 100 * u * distance);
  const std::complex<double> found(reduce.dot(first, second));
  EXPECT_LE(std::abs(found - dot), 100 * u * squares);
}

TYPED_TEST(Complex, DotConjugatesTheFirst) {
  using Z = std::complex<TypeParam>;
  const Z x(1, 2);
  const Z y(3, 5);
  Reducer reduce;
  EXPECT_EQ(reduce.dot(array(&x, 1), array(&y, 1)), Z(13, -1));
  EXPECT_EQ(reduce.dot(array(&y, 1), array(&x, 1)), Z(13, 1));
}

TYPED_TEST(Complex, NormsNeitherOverflowNorUnderflow) {
  using T = TypeParam;
  Reducer reduce;
  const T large = std::ldexp(T{1}, std::numeric_limits<T>::max_exponent - 4);
  for (const T scale :
       {large, std::numeric_limits<T>::min(), std::numeric_limits<T>::denorm_min()}) {
    const std::vector<std::complex<T>> z{{3 * scale, -4 * scale}};
    EXPECT_EQ(reduce.norm1(array(z.data(), 1)), 5 * scale);
    EXPECT_EQ(reduce.norm2(array(z.data(), 1)), 5 * scale);
    EXPECT_EQ(reduce.absolute_maximum(array(z.data(), 1)), 5 * scale);
  }
}

TYPED_TEST(Complex, APartsAlignmentIsEnough) {
  using T = TypeParam;
  const std::int64_t n = 1500;
  const auto z = numbers<T>(n, 4);
  std::vector<T> moved(2 * z.size() + 1);
  std::memcpy(moved.data() + 1, z.data(), z.size() * sizeof z[0]);
  Reducer reduce;
  EXPECT_EQ(reduce.sum(array(reinterpret_cast<const std::complex<T>*>(moved.data() + 1), n)),
            reduce.sum(array(z.data(), n)));
}

TYPED_TEST(Complex, TheDoorTakesThemAsMappedValues) {
  using T = TypeParam;
  using Element = std::conditional_t<sizeof(T) == 4, isofold_c64, isofold_c128>;
  const std::int64_t n = 2500;
  const auto z = numbers<T>(n, 6);
  const auto map = [&](std::int64_t i) { return z[static_cast<std::size_t>(i)]; };
  Reducer reduce;
  const auto whole = array(z.data(), n);
  EXPECT_EQ(isofold::transform_reduce(n, map, isofold::core::ComplexNorm2<Element>{}),
            reduce.norm2(whole));
  const auto few = array(z.data(), 40);
  const auto product = isofold::transform_reduce(40, map, isofold::core::Product<Element>{});
  EXPECT_EQ(std::complex<T>(product.re, product.im), reduce.product(few));
}

TYPED_TEST(Complex, EmptyValues) {
  using Z = std::complex<TypeParam>;
  Reducer reduce;
  const auto none = array(static_cast<const Z*>(nullptr), 0);
  EXPECT_EQ(reduce.sum(none), Z(0, 0));
  EXPECT_EQ(reduce.product(none), Z(1, 0));
  EXPECT_EQ(reduce.norm2(none), 0);
}

TYPED_TEST(Complex, WhatHasNoOrderIsRefused) {
  const std::vector<std::complex<TypeParam>> z(3);
  Reducer reduce;
  EXPECT_FALSE(reduce.supports(isofold::maximum, array(z.data(), 3)));
  EXPECT_FALSE(reduce.supports(isofold::mean, array(z.data(), 3)));
}

TYPED_TEST(Complex, BoxesAndRowsOfThem) {
  using Z = std::complex<TypeParam>;
  const auto z = numbers<TypeParam>(6 * 70, 5);
  Reducer reduce;
  std::vector<Z> columns(70);
  reduce.sum(isofold::over(box(z.data(), {6, 70}), {0}), columns.data());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<Z> column;
    for (std::size_t r = 0; r < 6; ++r) {
      column.push_back(z[r * 70 + c]);
    }
    EXPECT_EQ(columns[c], reduce.sum(array(column.data(), 6)));
  }
}

}  // namespace
