// A fold of one's own: the product of many numbers, whose exponent no double would hold.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <isofold/transform_reduce.hpp>

struct LongProduct {
  struct State {
    double fraction;
    std::int64_t exponent;
  };
  using state_type = State;
  State lift(double x) const {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    return {fraction, exponent};
  }
  State combine(State a, State b) const {
    const State product = lift(a.fraction * b.fraction);
    return {product.fraction, a.exponent + b.exponent + product.exponent};
  }
};

int main() {
  const std::int64_t n = 100000;
  const auto product = isofold::transform_reduce(
      n, [](std::int64_t i) { return 1.0 + static_cast<double>(i % 7); }, LongProduct{});
  std::printf("%.17g * 2^%lld\n", product.fraction, static_cast<long long>(product.exponent));
}
