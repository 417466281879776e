// A conserved quantity: the exact sum of the masses, and what rounding each step's sum would hide.
#include <cstddef>
#include <cstdio>
#include <vector>

#include <isofold/isofold.hpp>

int main() {
  std::vector<double> mass(100000);
  for (std::size_t i = 0; i < mass.size(); ++i) {
    mass[i] = 1.0 / static_cast<double>(i % 1000 + 1);
  }
  isofold::Reducer reduce;
  const double before = reduce.sum(isofold::exact(mass));
  for (std::size_t i = 0; i + 1 < mass.size(); i += 2) {  // mass moves from cell to cell
    const double moved = 0.5 * mass[i];
    mass[i] -= moved;
    mass[i + 1] += moved;
  }
  const double after = reduce.sum(isofold::exact(mass));
  const auto bounded = reduce.sum_with_bound(mass);
  std::printf("drift %.3g of %.17g\n", after - before, before);
  std::printf("a rounded sum is within %.3g of the real one\n", bounded.bound);
}
