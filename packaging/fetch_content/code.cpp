// The first sum: the same bits for every number of threads.
#include <cstddef>
#include <cstdio>
#include <vector>

#include <isofold/isofold.hpp>

int main() {
  std::vector<float> x(3000001);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0f / static_cast<float>(i + 1);
  }
  isofold::Reducer reduce;
  std::printf("sum %.9g\n", reduce.sum(x));
  std::printf("exact %.9g\n", reduce.sum(isofold::exact(x)));
}
