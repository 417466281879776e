// The scalars that the simulations ask for: by a Team of isofold, or, with PLAIN_SUMS, as codes do
// it without, by a loop over the own cells and an MPI_Allreduce of doubles.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "blocks.hpp"

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
    x.for_each([&](auto k, auto j, auto i) { sum += x.at(k, j, i) * y.at(k, j, i); });
    return all(sum, MPI_SUM);
  }
  std::tuple<double, double, double> look_at(const Field& x) {
    double sum = 0;
    double least = x.at(1, 1, 1);
    double most = least;
    x.for_each([&](auto k, auto j, auto i) {
      const double cell = x.at(k, j, i);
      sum += cell;
      least = cell < least ? cell : least;
      most = cell > most ? cell : most;
    });
    return {all(sum, MPI_SUM), all(least, MPI_MIN), all(most, MPI_MAX)};
  }
  std::vector<double> profile(const Field& x) {
    std::vector<double> sums(static_cast<std::size_t>(x.block().n));
    x.for_each([&](auto k, auto j, auto i) {
      sums[static_cast<std::size_t>(x.block().offsets[0] + k - 1)] += x.at(k, j, i);
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

// The log, which the first rank writes: values and their bits.
class Log {
 public:
  Log(const std::string& path, bool writes) {
    if (writes) {
      file_ = path.empty() ? stdout : std::fopen(path.c_str(), "w");
      if (file_ == nullptr) {
        throw std::runtime_error("The log " + path + " cannot be written.");
      }
    }
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (file_ != nullptr && file_ != stdout) {
      std::fclose(file_);
    }
  }
  void write(std::int64_t step, const std::vector<double>& values) {
    if (file_ == nullptr) {
      return;
    }
    std::fprintf(file_, "%6lld", static_cast<long long>(step));
    for (const double value : values) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      std::fprintf(file_, "  %-13.6e 0x%016llx", value, static_cast<unsigned long long>(bits));
    }
    std::fputc('\n', file_);
  }

 private:
  std::FILE* file_ = nullptr;
};

// --name value pairs: --size N, --steps N, --grid PxQxR, --log FILE.
struct Settings {
  std::int64_t size;
  std::int64_t steps;
  std::string grid;
  std::string log;
};
inline Settings read_arguments(int count, char** arguments, Settings settings) {
  for (int a = 1; a + 1 < count; a += 2) {
    const std::string option = arguments[a];
    if (option == "--size") {
      settings.size = std::stoll(arguments[a + 1]);
    } else if (option == "--steps") {
      settings.steps = std::stoll(arguments[a + 1]);
    } else if (option == "--grid") {
      settings.grid = arguments[a + 1];
    } else if (option == "--log") {
      settings.log = arguments[a + 1];
    } else {
      throw std::invalid_argument(option + " is no option: --size, --steps, --grid, --log.");
    }
  }
  return settings;
}

// Runs `simulate` between MPI_Init() and MPI_Finalize(); an error ends all ranks.
template <class Simulate>
int run_with_mpi(int count, char** arguments, const Settings& defaults, Simulate&& simulate) {
  MPI_Init(&count, &arguments);
  try {
    simulate(read_arguments(count, arguments, defaults));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
