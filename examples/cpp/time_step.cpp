// A time step that no number of threads changes: the largest speed over dx, without a field of
// speeds.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <isofold/folds.hpp>
#include <isofold/transform_reduce.hpp>

int main() {
  const std::size_t cells = 100000;
  std::vector<double> u(cells);
  std::vector<double> c(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    u[i] = std::ldexp(static_cast<double>(i % 613), -9) - 0.5;
    c[i] = 1.0 + std::ldexp(static_cast<double>(i % 97), -7);
  }
  const double dx = 0.001;
  const double fastest = isofold::transform_reduce(
      static_cast<std::int64_t>(cells),
      [&](std::int64_t i) {
        const auto k = static_cast<std::size_t>(i);
        return std::fabs(u[k]) + c[k];
      },
      isofold::core::Maximum<double>{});
  std::printf("dt %.17g\n", 0.4 * dx / fastest);
}
