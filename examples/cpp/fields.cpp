// A field with a layer of ghost cells: its inside, the cells of a mask, a profile, and where the
// hottest cell is.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <isofold/isofold.hpp>

int main() {
  const std::int64_t n = 18;  // 16 cells and a ghost cell on each side
  std::vector<double> t(static_cast<std::size_t>(n * n * n),
                        1000.0);  // a ghost cell may hold anything
  std::vector<unsigned char> is_fluid(t.size(), 1);
  for (std::int64_t z = 1; z < n - 1; ++z) {
    for (std::int64_t y = 1; y < n - 1; ++y) {
      for (std::int64_t x = 1; x < n - 1; ++x) {
        const auto cell = static_cast<std::size_t>((z * n + y) * n + x);
        t[cell] = 1.0 / static_cast<double>(1 + (x - 5) * (x - 5) + (y - 8) * (y - 8) +
                                            (z - 3) * (z - 3));
        is_fluid[cell] = x != 5;  // a wall
      }
    }
  }
  isofold::Reducer reduce;
  const auto field = isofold::box(t, {n, n, n});    // the last index runs fastest
  const auto inside = isofold::interior(field, 1);  // without the ghost cells, and without a copy
  const auto fluid =
      isofold::interior(isofold::masked(field, isofold::box(is_fluid, {n, n, n})), 1);

  const double heat = reduce.sum(inside);
  const std::vector<double> profile =
      reduce.mean(isofold::over(inside, {1, 2}));  // a mean for each z
  const auto hottest = reduce.argmax(fluid);
  const std::int64_t cell = isofold::address_of(fluid, hottest.index) - t.data();
  std::printf("heat %.11g, hottest plane %lld\n", heat,
              static_cast<long long>(reduce.argmax(profile).index));
  std::printf("hottest fluid %g at z %lld, y %lld, x %lld\n", hottest.value,
              static_cast<long long>(cell / n / n), static_cast<long long>(cell / n % n),
              static_cast<long long>(cell % n));
}
