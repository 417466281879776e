#pragma once

namespace Kokkos {

void note_run();

struct DefaultHostExecutionSpace {};

template <class Space>
struct RangePolicy {
  RangePolicy(int first, int last) : first(first), last(last) {}
  int first;
  int last;
};

template <class Policy, class Function>
void parallel_reduce(const Policy& policy, const Function& function, double& total) {
  note_run();
  for (int i = policy.first; i < policy.last; ++i) {
    function(i, total);
  }
}

}  // namespace Kokkos
