// One planted error each, or none: a sanitizer that does not report it proves nothing of the other
// tests.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <omp.h>

namespace {

// Read at run time, so that no compiler sees through an error.
volatile int zero = 0;

int read_past_the_end() {
  const std::vector<int> ten(10, 1);
  return ten.data()[10 + zero];
}

int read_after_release() {
  auto* const one = new int(1);
  const int* volatile const gone = one;
  delete one;
  return *gone;
}

int overflow_an_int() { return INT_MAX - zero + 1 + zero; }

int shift_too_far() { return 1 << (40 + zero); }

// The pointer is overwritten on the heap, and this frame is given up: nothing points there any
// more.
__attribute__((noinline)) int forget_memory() {
  auto* const lost = static_cast<volatile char*>(std::malloc(1000));
  lost[0] = 1;
  return lost[0];
}

int shared = 0;

int race_of_threads() {
  std::thread other([] { ++shared; });
  ++shared;
  other.join();
  return shared;
}

int race_of_a_team() {
#pragma omp parallel num_threads(4)
  {
    for (int i = 0; i < 1000; ++i) {
      ++shared;
    }
  }
  return shared;
}

// As the walks of openmp do it: what a thread writes, the others read after a barrier, and the
// first one after the region. No race; but a detector that does not know the runtime's barriers
// reports one.
int team_in_order() {
  int left[4] = {};
  int seen[4] = {};
#pragma omp parallel num_threads(4)
  {
    const int thread = omp_get_thread_num();
    left[thread] = thread + 1;
#pragma omp barrier
    seen[thread] = left[(thread + 1) % 4];
  }
  return seen[0] + seen[1] + seen[2] + seen[3];
}

struct Planted {
  const char* name;
  int (*run)();
};
constexpr Planted all[] = {
    {"overflow", read_past_the_end},
    {"use_after_release", read_after_release},
    {"signed_overflow", overflow_an_int},
    {"shift", shift_too_far},
    {"leak", forget_memory},
    {"race_of_threads", race_of_threads},
    {"race_of_a_team", race_of_a_team},
    {"team_in_order", team_in_order},
};

}  // namespace

int main(int count, char** arguments) {
  for (const Planted& planted : all) {
    if (count == 2 && std::strcmp(arguments[1], planted.name) == 0) {
      std::printf("%s: %d\n", planted.name, planted.run());
      return 0;
    }
  }
  std::fprintf(stderr, "planted: the name of one error\n");
  return 2;
}
