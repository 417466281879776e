// Kokkos views as boxes: every layout, and parts of views, have the bits of their elements packed
// in row-major order.
#include <vector>

#include <isofold/kokkos.hpp>
#include <isofold/reducer.hpp>
#include <test_support.hpp>

namespace {

using isofold::box;
using test_support::bits_of;

constexpr int n0 = 17;
constexpr int n1 = 9;
constexpr int n2 = 33;

template <class Layout>
using View = Kokkos::View<double***, Layout, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

double element(int i, int j, int k) { return 1.0 / (1 + i * 631 + j * 57 + k); }

// The elements from the first index on, packed; every `step`-th of the last dimension.
std::vector<double> packed(int first, int step) {
  std::vector<double> all;
  for (int i = first; i < n0; ++i) {
    for (int j = 0; j < n1; ++j) {
      for (int k = 0; k < n2; k += step) {
        all.push_back(element(i, j, k));
      }
    }
  }
  return all;
}

class KokkosViews : public testing::TestWithParam<const char*> {
 protected:
  double sum_of(const std::vector<double>& all) {
    return reduce.sum(isofold::array(all.data(), static_cast<std::int64_t>(all.size())));
  }
  template <class Layout>
  void compare() {
    std::vector<double> memory(n0 * n1 * n2);
    const View<Layout> view(memory.data(), n0, n1, n2);
    for (int i = 0; i < n0; ++i) {
      for (int j = 0; j < n1; ++j) {
        for (int k = 0; k < n2; ++k) {
          view(i, j, k) = element(i, j, k);
        }
      }
    }
    EXPECT_EQ(bits_of(reduce.sum(box(view))), bits_of(sum_of(packed(0, 1))));
    const Kokkos::View<const double***, Layout, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>
        read_only(view);
    EXPECT_EQ(bits_of(reduce.maximum(box(read_only))), bits_of(element(0, 0, 0)));

    const auto part = Kokkos::subview(view, std::make_pair(2, n0), Kokkos::ALL(), Kokkos::ALL());
    EXPECT_EQ(bits_of(reduce.sum(box(part))), bits_of(sum_of(packed(2, 1))));

    const auto plane = Kokkos::subview(view, Kokkos::ALL(), 4, Kokkos::ALL());
    std::vector<double> expected;
    for (int i = 0; i < n0; ++i) {
      for (int k = 0; k < n2; ++k) {
        expected.push_back(element(i, 4, k));
      }
    }
    EXPECT_EQ(bits_of(reduce.sum(box(plane))), bits_of(sum_of(expected)));
    std::vector<double> rows(n0);
    reduce.sum(isofold::over(box(plane), {1}), rows.data());
    EXPECT_EQ(bits_of(rows[3]),
              bits_of(sum_of({expected.begin() + 3 * n2, expected.begin() + 4 * n2})));
  }
  isofold::Reducer reduce{GetParam()};
};

TEST_P(KokkosViews, LayoutRight) { compare<Kokkos::LayoutRight>(); }
TEST_P(KokkosViews, LayoutLeft) { compare<Kokkos::LayoutLeft>(); }

TEST_P(KokkosViews, ComplexNumbers) {
  using Number = Kokkos::complex<double>;
  std::vector<Number> memory(n0 * n1);
  const Kokkos::View<Number**, Kokkos::LayoutLeft, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> view(
      memory.data(), n0, n1);
  std::vector<std::complex<double>> expected;
  for (int i = 0; i < n0; ++i) {
    for (int j = 0; j < n1; ++j) {
      view(i, j) = Number(element(i, j, 0), element(i, 0, j));
      expected.emplace_back(element(i, j, 0), element(i, 0, j));
    }
  }
  const auto packed = isofold::array(expected.data(), n0 * n1);
  const Number sum = reduce.sum(box(view));
  EXPECT_EQ(bits_of(sum.real()), bits_of(reduce.sum(packed).real()));
  EXPECT_EQ(bits_of(sum.imag()), bits_of(reduce.sum(packed).imag()));
  EXPECT_EQ(bits_of(reduce.norm2(box(view))), bits_of(reduce.norm2(packed)));
}

INSTANTIATE_TEST_SUITE_P(Backends, KokkosViews, testing::Values("reference", "openmp"));

}  // namespace
