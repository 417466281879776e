// A run that stops and goes on: the partial result is in the restart file, and the end has the bits
// of a run at once.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <isofold/isofold.hpp>

using Partial = isofold::Exact<isofold::Fold::sum, double>;

int main() {
  std::vector<double> samples(10000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = 1.0 / static_cast<double>(i + 1);
  }
  isofold::Reducer reduce;

  Partial first;
  first.add(reduce, isofold::array(samples.data(), 6000));
  const std::vector<unsigned char> file = first.to_bytes();  // to be written beside the fields

  Partial second = Partial::from_bytes(file.data(), file.size());
  second.add(reduce, isofold::array(samples.data() + 6000, 4000));
  const double total = second.finish();
  std::printf("%.17g, %s\n", total,
              total == reduce.sum(isofold::exact(samples)) ? "as in one run" : "OTHER BITS");
}
