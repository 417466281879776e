// Compiled so that a * b + c is one rounding: transform_reduce must refuse it, in a sentence.
#include <cstdio>
#include <cstring>

#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/transform_reduce.hpp>

int main() {
  if (__builtin_cpu_supports("fma") == 0) {
    std::puts("skipped: this machine has no fma");
    return 77;
  }
  try {
    static_cast<void>(isofold::transform_reduce(
        10, [](std::int64_t i) { return static_cast<double>(i); }, isofold::core::Sum<double>{}));
  } catch (const isofold::Error& error) {
    std::puts(error.what());
    return std::strstr(error.what(), "-ffp-contract=off") != nullptr ? 0 : 1;
  }
  std::puts("not refused");
  return 1;
}
