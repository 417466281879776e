// columns_bench: sums of f32 over the first axis of matrices of C order, by the openmp backend and
// by a loop that adds row after row to the results, on one thread. The best of seven calls.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include <isofold/isofold.hpp>

namespace {

template <class Call>
double best_milliseconds(Call&& call) {
  double best = 1e300;
  for (int i = 0; i < 7; ++i) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

void add_rows(const std::vector<float>& x, std::int64_t rows, std::vector<float>& sums) {
  std::fill(sums.begin(), sums.end(), 0.0F);
  const float* row = x.data();
  for (std::int64_t r = 0; r < rows; ++r) {
    for (float& sum : sums) {
      sum += *row++;
    }
  }
}

}  // namespace

int main() {
  constexpr std::pair<std::int64_t, std::int64_t> shapes[] = {
      {4096, 4096}, {65536, 256}, {256, 65536}, {16777216, 2}, {16384, 8192}, {1048576, 128}};
  isofold::Reducer reduce("openmp");
  std::printf("| rows x columns | isofold | the loop |\n|---|---|---|\n");
  for (const auto& [rows, columns] : shapes) {
    std::vector<float> x(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i % 1000) * 0.01F;
    }
    std::vector<float> sums(static_cast<std::size_t>(columns));
    const auto matrix = isofold::box(x.data(), {rows, columns});
    const double ours =
        best_milliseconds([&] { reduce.sum(isofold::over(matrix, {0}), sums.data()); });
    const double loop = best_milliseconds([&, n = rows] { add_rows(x, n, sums); });
    std::printf("| %lld x %lld | %.1f ms | %.1f ms |\n", static_cast<long long>(rows),
                static_cast<long long>(columns), ours, loop);
  }
  return 0;
}
