// The cost of a Team's calls beside MPI_Allreduce of one double: microseconds a call, the least of
// several loops, the slowest rank's. Compiled by mpicxx, started by mpirun:
//   mpi_bench [elements of each rank] [calls of a loop]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <isofold/mpi.hpp>

namespace {

int rank = 0;
long calls = 200;

template <class Call>
double microseconds(Call&& call) {
  double least = 1e30;
  for (int loop = 0; loop < 7; ++loop) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (long i = 0; i < calls; ++i) {
      call();
    }
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    least = std::min(least, seconds);
  }
  return least / static_cast<double>(calls) * 1e6;
}

template <class Call>
void line(const char* what, Call&& call) {
  const double time = microseconds(call);
  if (rank == 0) {
    std::printf("  %-44s %9.2f\n", what, time);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const std::int64_t count = argc > 1 ? std::atoll(argv[1]) : 4096;
    calls = argc > 2 ? std::atol(argv[2]) : 200;
    isofold::Reducer reduce("openmp", isofold::Options{}.threads(1));
    isofold::mpi::Team team(MPI_COMM_WORLD);
    rank = team.rank();
    const auto size = static_cast<std::size_t>(count);
    std::vector<double> x(size), y(size), z(size);
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = 1.0 / static_cast<double>(i + 1);
      y[i] = static_cast<double>(i % 97) - 48.0;
      z[i] = x[i] * y[i];
    }
    const std::vector<float> f(x.begin(), x.end());
    double sink = 0;
    if (rank == 0) {
      std::printf("%d ranks, %lld elements each, microseconds a call\n", team.size(),
                  static_cast<long long>(count));
    }
    line("MPI_Allreduce of 1 double",
         [&] { MPI_Allreduce(MPI_IN_PLACE, &sink, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); });
    std::vector<std::int64_t> words(160, 0);
    line("MPI_Allreduce of 160 int64", [&] {
      MPI_Allreduce(MPI_IN_PLACE, words.data(), 160, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    });
    using isofold::exact;
    using isofold::fuse;
    isofold::Exact<isofold::Fold::sum, double> words_of;
    line("local words of an exact f64 sum", [&] {
      words_of = {};
      words_of.add(reduce, x);
    });
    line("local exact f64 sum", [&] { sink = reduce.sum(exact(x)); });
    line("team.sum exact f64", [&] { sink = team.sum(reduce, exact(x)); });
    line("team.sum exact f32", [&] { sink = static_cast<double>(team.sum(reduce, exact(f))); });
    line("team.dot exact f64", [&] { sink = team.dot(reduce, exact(x), exact(y)); });
    line("team.maximum f64", [&] { sink = team.maximum(reduce, x); });
    auto prepared = team.prepare(reduce, isofold::sum, exact(x));
    line("prepared exact f64 sum", [&] {
      prepared.start();
      sink = prepared.wait();
    });
    auto slice = team.slice(count * rank, count, count * team.size());
    line("team.slice().sum f64", [&] { sink = slice.sum(reduce, x); });
    const auto eight = fuse(exact(isofold::sum), exact(isofold::norm1), exact(isofold::norm2),
                            exact(isofold::variance), isofold::minimum, isofold::maximum,
                            isofold::absolute_maximum, isofold::count_nan);
    line("local, 8 folds of 3 fields", [&] {
      for (const std::vector<double>* of : {&x, &y, &z}) {
        sink += reduce.sum(exact(*of)) + reduce.norm1(exact(*of)) + reduce.norm2(exact(*of)) +
                reduce.variance(exact(*of)) +
                std::get<0>(reduce.reduce(fuse(isofold::minimum, isofold::maximum,
                                               isofold::absolute_maximum, isofold::count_nan),
                                          *of));
      }
    });
    line("team.reduce, 8 folds of 3 fields", [&] {
      using isofold::mpi::request;
      sink += std::get<0>(std::get<0>(
          team.reduce(reduce, request(eight, x), request(eight, y), request(eight, z))));
    });
    if (sink == 42) {
      std::printf("%g\n", sink);
    }
  }
  MPI_Finalize();
  return 0;
}
