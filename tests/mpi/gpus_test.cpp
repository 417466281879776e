// mpi::Team with elements in GPU memory, rank r on the device r modulo their number: results have
// the bits of the sequential definition, and MPI sees no device pointer. Exits with 77 without a
// GPU: gpus_test [BACKEND], cuda by default.
#include <isofold/mpi.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

using isofold::array;
using isofold::fuse;
using isofold::Reducer;

std::vector<double> numbers(std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> made(static_cast<std::size_t>(count));
  for (double& x : made) {
    const std::uint64_t bits = random();
    x = std::ldexp(static_cast<double>(bits >> 11U) - 0x1p52, static_cast<int>(bits & 31U) - 60);
  }
  return made;
}

int failures = 0;
template <class T>
void expect_same(const char* what, int rank, const T& got, const T& right) {
  if (std::memcmp(&got, &right, sizeof got) != 0) {
    std::fprintf(stderr, "rank %d: %s differs\n", rank, what);
    ++failures;
  }
}

void try_cut(isofold::mpi::Team& team, const std::string& backend, Reducer& reduce, int device,
             std::uint64_t seed) {
  std::mt19937_64 random(seed);  // alike on all ranks
  const auto total = static_cast<std::int64_t>(random() % 200000 + 1);
  const auto x = numbers(total, seed);
  std::vector<std::int64_t> cuts{0, total};
  for (int r = 1; r < team.size(); ++r) {
    cuts.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(total + 1)));
  }
  std::sort(cuts.begin(), cuts.end());
  const std::int64_t first = cuts[static_cast<std::size_t>(team.rank())];
  const std::int64_t count = cuts[static_cast<std::size_t>(team.rank()) + 1] - first;
  isofold::Buffer memory(backend, static_cast<std::size_t>(count + 1) * sizeof(double), device);
  if (count > 0) {
    memory.copy_from(x.data() + first, static_cast<std::size_t>(count) * sizeof(double));
  }
  const auto own = array(static_cast<const double*>(memory.data()), count);

  const auto [sum, norm, least, most] = team.reduce(
      reduce, fuse(exact(isofold::sum), exact(isofold::norm2), isofold::minimum, isofold::maximum),
      own);
  const double dot = team.dot(reduce, exact(own), exact(own));
  const auto place = team.argmax(reduce, isofold::mpi::part(own, first, total));
  const double tree = team.slice(first, count, total).sum(reduce, own);
  auto prepared = team.prepare(reduce, isofold::sum, exact(own));
  prepared.start();
  const double again = prepared.wait();

  Reducer whole("reference");
  const double right_sum = whole.sum(exact(array(x)));
  expect_same("the sum", team.rank(), sum, right_sum);
  expect_same("the norm", team.rank(), norm, whole.norm2(exact(array(x))));
  expect_same("the minimum", team.rank(), least, whole.minimum(x));
  expect_same("the maximum", team.rank(), most, whole.maximum(x));
  expect_same("the dot product", team.rank(), dot, whole.dot(exact(array(x)), exact(array(x))));
  expect_same("the index of the maximum", team.rank(), place.index, whole.argmax(x).index);
  expect_same("the slice", team.rank(), tree, whole.sum(x));
  expect_same("the prepared sum", team.rank(), again, right_sum);
}

int run(const std::string& backend) {
  isofold::mpi::Team team(MPI_COMM_WORLD);
  if (!isofold::is_available(backend)) {
    std::printf("skipped: no GPU: %s\n", isofold::describe(backend).c_str());
    return 77;
  }
  const int device = team.rank() % std::max(1, isofold_backend_device_count(backend.c_str()));
  Reducer reduce(backend.c_str(), isofold::Options{}.device(device));
  constexpr std::uint64_t cuts = 20;
  for (std::uint64_t seed = 1; seed <= cuts; ++seed) {
    try_cut(team, backend, reduce, device, seed);
  }
  // An error of one rank's device is every rank's.
  try {
    (void)team.sum(reduce,
                   exact(array(static_cast<const double*>(nullptr), team.rank() == 0 ? 1 : 0)));
    std::fprintf(stderr, "rank %d: no error\n", team.rank());
    ++failures;
  } catch (const isofold::Error& error) {
    failures += error.code() == isofold::Code::invalid_argument ? 0 : 1;
  }
  if (failures == 0 && team.rank() == 0) {
    std::printf("%s, %d cuts: the bits of the definition\n", backend.c_str(),
                static_cast<int>(cuts));
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 1;
  try {
    code = run(argc > 1 ? argv[1] : "cuda");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return code;
}
