// Fails unless the sum has the bits of the specification, by the reference and by the default.
#include <cstdio>
#include <vector>

#include <isofold/isofold.hpp>

int main() {
  std::vector<float> x(3000001);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0f / static_cast<float>(i + 1);
  }
  isofold::Reducer reduce;
  isofold::Reducer reference("reference");
  const float sum = reduce.sum(x);
  std::printf("isofold %s: sum %.9g on %s\n", isofold_version(), sum, reduce.backend());
  return sum == 15.4913406F && sum == reference.sum(x) ? 0 : 1;
}
