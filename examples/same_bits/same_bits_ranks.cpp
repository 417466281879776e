// The bits of the same sum over MPI ranks, by isofold and by MPI_Allreduce: lines of README's
// table.
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <isofold/mpi.hpp>

#include "data.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    isofold::mpi::Team team(MPI_COMM_WORLD);
    isofold::Reducer reduce("openmp", isofold::Options{}.threads(1));
    const std::int64_t first = same_bits::count * team.rank() / team.size();
    const std::int64_t end = same_bits::count * (team.rank() + 1) / team.size();
    const std::vector<float> x = same_bits::elements(first, end);

    const float sum = team.slice(first, end - first, same_bits::count).sum(reduce, x);
    const float own = std::accumulate(x.begin(), x.end(), 0.0F);
    float all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    if (team.rank() == 0) {
      const std::string on = std::to_string(team.size()) + (team.size() == 1 ? " rank" : " ranks");
      same_bits::print("isofold over MPI", on, sum);
      same_bits::print("`MPI_Allreduce` of loops", on, all);
    }
  }
  MPI_Finalize();
}
