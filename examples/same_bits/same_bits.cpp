// The bits of one sum, by isofold and by others, on different numbers of threads: lines of README's
// table.
#include <numeric>
#include <string>
#include <vector>

#include <isofold/isofold.hpp>
#include <omp.h>

#ifdef WITH_EIGEN
#include <Eigen/Core>
#endif

#include "data.hpp"

namespace {

using same_bits::print;

std::string threads_of(int threads) {
  return threads == 1 ? "1 thread" : std::to_string(threads) + " threads";
}

float by_openmp(const std::vector<float>& x, int threads) {
  float sum = 0;
  const auto n = static_cast<std::int64_t>(x.size());
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
  for (std::int64_t i = 0; i < n; ++i) {
    sum += x[static_cast<std::size_t>(i)];
  }
  return sum;
}

// The name of a backend's first device; of the sequential definition, its own.
std::string place_of(const std::string& backend) {
  char name[64] = "";
  const bool has_devices = backend == "cuda" || backend == "hip";
  return has_devices &&
                 isofold_backend_device_name(backend.c_str(), 0, name, sizeof name) == ISOFOLD_ok
             ? name
             : backend;
}

void print_isofold(const std::vector<float>& x) {
  for (const std::string& backend : isofold::backend_names()) {
    if (backend == "kokkos" || !isofold::is_available(backend)) {
      continue;  // kokkos has an order of its own
    }
    isofold::Buffer data(backend, x.size() * sizeof(float));
    data.copy_from(x.data(), data.bytes());
    const auto view = isofold::array(data.as<float>(), static_cast<std::int64_t>(x.size()));
    if (backend != "openmp") {
      isofold::Reducer reduce(backend.c_str());
      print("isofold", place_of(backend), reduce.sum(view));
      continue;
    }
    for (const int threads : {1, 7, 128}) {
      isofold::Reducer reduce("openmp", isofold::Options{}.threads(threads));
      print("isofold", threads_of(threads), reduce.sum(view));
    }
  }
}

}  // namespace

int main() {
  const std::vector<float> x = same_bits::elements(0, same_bits::count);
  print_isofold(x);
  print("a loop, `std::accumulate`", "1 thread", std::accumulate(x.begin(), x.end(), 0.0F));
  print("`std::reduce`", "1 thread", std::reduce(x.begin(), x.end()));
#ifdef WITH_EIGEN
  print("Eigen `x.sum()`", "1 thread",
        Eigen::Map<const Eigen::ArrayXf>(x.data(), static_cast<Eigen::Index>(x.size())).sum());
#endif
  for (const int threads : {7, 128}) {
    print("OpenMP `reduction(+)`", threads_of(threads), by_openmp(x, threads));
  }
}
