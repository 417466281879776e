// The scalars that the simulations ask for: by a Team of isofold, or, with PLAIN_SUMS, as codes do
// it without, by a loop over the own cells and an MPI_Allreduce of doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <tuple>
#include <vector>

#include "blocks.hpp"
#include "log.hpp"

#if !defined(PLAIN_SUMS)
class Sums {
 public:
  explicit Sums(MPI_Comm comm) : team_(comm) {}
  double dot(const Field& x, const Field& y) {
    return team_.dot(reduce_, exact(x.own()), exact(y.own()));
  }
  // The sum, the minimum and the maximum, in one message.
  std::tuple<double, double, double> look_at(const Field& x) {
    return team_.reduce(reduce_, fuse(exact(isofold::sum), isofold::minimum, isofold::maximum),
                        x.own());
  }
  // The sum of each plane of the whole.
  std::vector<double> profile(const Field& x) {
    const Block& block = x.block();
    return team_.sum(reduce_,
                     exact(isofold::mpi::layers(over(x.own(), {1, 2}), block.offsets[0], block.n)));
  }

 private:
  isofold::Reducer reduce_;
  isofold::mpi::Team team_;
};
#else
class Sums {
 public:
  explicit Sums(MPI_Comm comm) : comm_(comm) {}
  double dot(const Field& x, const Field& y) {
    double sum = 0;
    x.for_each([&](auto k, auto j, auto i) { sum += x(k, j, i) * y(k, j, i); });
    return all(sum, MPI_SUM);
  }
  std::tuple<double, double, double> look_at(const Field& x) {
    double sum = 0;
    double least = x(1, 1, 1);
    double most = least;
    x.for_each([&](auto k, auto j, auto i) {
      const double cell = x(k, j, i);
      sum += cell;
      least = cell < least ? cell : least;
      most = cell > most ? cell : most;
    });
    return {all(sum, MPI_SUM), all(least, MPI_MIN), all(most, MPI_MAX)};
  }
  std::vector<double> profile(const Field& x) {
    std::vector<double> sums(static_cast<std::size_t>(x.block().n));
    x.for_each([&](auto k, auto j, auto i) {
      sums[static_cast<std::size_t>(x.block().offsets[0] + k - 1)] += x(k, j, i);
    });
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM,
                  comm_);
    return sums;
  }

 private:
  double all(double value, MPI_Op op) const {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, op, comm_);
    return value;
  }
  MPI_Comm comm_;
};
#endif

// Runs `simulate` between MPI_Init() and MPI_Finalize(); an error ends all ranks.
template <class Simulate>
int run_with_mpi(int count, char** arguments, const Settings& defaults, Simulate&& simulate) {
  MPI_Init(&count, &arguments);
  try {
    const auto no_more = [](const std::string&, const std::string&) { return false; };
    simulate(read_arguments(count, arguments, defaults, "", no_more));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
