// The conformance of your own MPI on your own machine: random fields are cut over the ranks at
// random, and every fold that a Team has is compared, bit for bit, with a Reducer's of the whole
// field. `mpirun -n 8 isofold verify --mpi` runs it, if it lies beside isofold or on the PATH:
//   isofold_mpi_verify [cases (100)] [seed (1)]
// Exit code 0: all bits are the same; 1: they are not.
#include <isofold/mpi.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

using isofold::exact;
using isofold::fuse;
using isofold::mpi::request;

template <class T>
void add_bits(std::string& to, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}
template <class T>
void add_bits(std::string& to, const isofold::Location<T>& at) {
  add_bits(to, at.value);
  add_bits(to, at.index);
}
void add_bits(std::string& to, const isofold::Moments& moments) {
  add_bits(to, moments.count);
  add_bits(to, moments.mean);
  add_bits(to, moments.m2);
}
template <class... T>
void add_bits(std::string& to, const std::tuple<T...>& all) {
  std::apply([&](const auto&... value) { (add_bits(to, value), ...); }, all);
}

struct Verify {
  isofold::mpi::Team team{MPI_COMM_WORLD};
  isofold::Reducer reduce;
  std::uint64_t hash = 14695981039346656037U;
  long results = 0;
  long different = 0;

  template <class Results>
  void compare(const Results& found, const Results& wanted) {
    std::string ours;
    std::string whole;
    add_bits(ours, found);
    add_bits(whole, wanted);
    ++results;
    different += ours == whole ? 0 : 1;
    for (const char byte : ours) {
      hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
  }

  // One field; elements go to ranks as contiguous ranges or at random, some ranks have none.
  template <class T>
  void field(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::size_t count = 1 + random() % 3000;
    const int kind = static_cast<int>(random() % 3);
    std::vector<T> x(count);
    for (T& element : x) {
      const auto number = static_cast<std::int64_t>(random());
      if constexpr (std::is_integral_v<T>) {
        element = static_cast<T>(kind == 0 ? number % 3 : number >> 12);
      } else {
        const int exponent = kind == 1 ? static_cast<int>(random() % 120) - 60 : 0;
        element = static_cast<T>(
            kind == 0 ? static_cast<double>(number % 3)
                      : std::ldexp(static_cast<double>(number >> 11), exponent - 52));
      }
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (kind == 2) {
        x[random() % count] = std::numeric_limits<T>::quiet_NaN();
      }
    }
    std::mt19937_64 cuts(seed + static_cast<std::uint64_t>(team.size()) * 7919U);
    const bool is_scattered = cuts() % 2 != 0;
    const std::uint64_t busy = 1 + cuts() % static_cast<std::uint64_t>(team.size());
    std::vector<T> mine;
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t owner = is_scattered ? cuts() % busy : i * busy / count;
      if (owner == static_cast<std::uint64_t>(team.rank())) {
        mine.push_back(x[i]);
        ids.push_back(static_cast<std::int64_t>(i));
      }
    }
    const auto placed = isofold::mpi::scattered(mine, ids, count);
    const auto locations =
        fuse(isofold::argmin, isofold::argmax, isofold::argmin_last, isofold::argmax_last);
    const auto others = fuse(isofold::minimum, isofold::maximum, isofold::count_nonzero,
                             isofold::count_nan, isofold::any, isofold::all, isofold::none);
    const auto [found_sum, found_locations, found_others] =
        team.reduce(reduce, request(isofold::sum, exact(mine)), request(locations, placed),
                    request(others, mine));
    compare(found_sum, reduce.sum(exact(x)));
    compare(found_locations, reduce.reduce(locations, x));
    compare(found_others, reduce.reduce(others, x));
    if constexpr (std::is_integral_v<T>) {
      const auto bits = fuse(isofold::sum, isofold::bit_and, isofold::bit_or, isofold::bit_xor);
      compare(team.reduce(reduce, bits, mine), reduce.reduce(bits, x));
    } else {
      const auto sums =
          fuse(isofold::norm1, isofold::norm2, isofold::mean, isofold::variance, isofold::moments);
      compare(team.reduce(reduce, sums, exact(mine)), reduce.reduce(sums, exact(x)));
      compare(team.dot(reduce, exact(mine), exact(mine)), reduce.dot(exact(x), exact(x)));
    }
    const std::size_t size = count * (static_cast<std::size_t>(team.rank()) + 1);
    const auto first =
        count * static_cast<std::size_t>(team.rank()) / static_cast<std::size_t>(team.size());
    const auto length = size / static_cast<std::size_t>(team.size()) - first;
    compare(team.slice(first, length, count).sum(reduce, isofold::array(x.data() + first, length)),
            reduce.sum(x));
  }
};

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int code = 1;
  {
    Verify verify;
    const long cases = count > 1 ? std::atol(arguments[1]) : 100;
    const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(arguments[2]) : 1);
    try {
      for (long i = 0; i < cases; ++i) {
        const std::uint64_t number = seed * 1000003U + static_cast<std::uint64_t>(i);
        verify.field<float>(number);
        verify.field<double>(number);
        verify.field<std::int64_t>(number);
      }
      long long different = verify.different;
      MPI_Allreduce(MPI_IN_PLACE, &different, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
      code = different == 0 ? 0 : 1;
      if (verify.team.rank() == 0) {
        char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
        int length = 0;
        MPI_Get_library_version(library, &length);
        std::printf("%.60s\n%d ranks, %ld results, %lld different, hash %016llx\n",
                    std::string(library).substr(0, std::string(library).find('\n')).c_str(),
                    verify.team.size(), verify.results, different,
                    static_cast<unsigned long long>(verify.hash));
      }
    } catch (const isofold::Error& error) {
      std::fprintf(stderr, "Rank %d: %s\n", verify.team.rank(), error.what());
    }
  }
  MPI_Finalize();
  return code;
}
