// Forests over real MPI, as a code of many processes sends them: each adds the range that it has,
// the bytes go round in one MPI_Allgather of constant size, and every process has the bits of the
// whole array. mpirun starts it.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include <isofold/isofold.hpp>

#include <test_support.hpp>

namespace {

using isofold::Fold;

constexpr std::int64_t elements = 300007;

// The result by way of all processes; each merges the parts in another order.
template <Fold fold, class T>
auto gathered(const std::vector<T>& x, int rank, int ranks) {
  using Part = isofold::Forest<fold, T>;
  const std::int64_t begin = elements * rank / ranks;
  const std::int64_t end = elements * (rank + 1) / ranks;
  Part own(elements);
  own.add(x.data() + begin, begin, end - begin);
  std::vector<unsigned char> message = own.to_bytes();
  message.resize(Part::max_bytes());
  const auto bytes = static_cast<int>(message.size());
  std::vector<unsigned char> all(message.size() * static_cast<std::size_t>(ranks));
  MPI_Allgather(message.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
  Part whole(elements);
  for (int i = 0; i < ranks; ++i) {
    const auto from = static_cast<std::size_t>((i + rank) % ranks);
    whole.merge(Part::from_bytes(all.data() + from * message.size(), message.size()));
  }
  return whole.finish();
}

template <Fold fold, class T>
bool has_bits_of_one_process(int rank, int ranks) {
  const auto x = test_support::data_set<T>(test_support::Recipe::uniform, elements);
  const auto found = gathered<fold>(x, rank, ranks);
  const auto wanted = test_support::reference<fold>(x.data(), elements);
  const bool same = test_support::bits_of(found) == test_support::bits_of(wanted);
  if (!same) {
    std::fprintf(stderr, "Process %d of %d: fold %d has other bits than one process.\n", rank,
                 ranks, static_cast<int>(fold));
  }
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2) {
    std::fprintf(stderr, "%d process: mpirun is to start several.\n", ranks);
  }
  const bool same = ranks > 1 && has_bits_of_one_process<Fold::sum, float>(rank, ranks) &&
                    has_bits_of_one_process<Fold::moments, double>(rank, ranks) &&
                    has_bits_of_one_process<Fold::argmax, double>(rank, ranks);
  MPI_Finalize();
  return same ? 0 : 1;
}
