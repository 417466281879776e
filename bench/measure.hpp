// Interleaved measurement: all candidates, round after round, so that a slow phase of the machine
// hits every one of them. Nothing is asserted about time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "record.hpp"

namespace bench {

// One way of doing the work; `run` does it once and returns when it is done.
struct Candidate {
  std::string name;
  std::function<void()> run;
};

struct Time {
  std::string name;
  LinearisedMask spread;  // of one run, over the rounds
};

struct Effort {
  double seconds_each = 0.2;  // about how long a candidate is measured in all
  double batch = 50e-6;       // one round lasts at least this long, so that the clock costs nothing
  int least_rounds = 5;
  int most_rounds = 61;
};

inline double seconds_of(const std::function<void()>& run, std::int64_t runs) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < runs; ++i) {
    run();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Runs in a batch; also the warm-up.
inline std::int64_t runs_in_batch(const std::function<void()>& run, double batch) {
  std::int64_t runs = 1;
  while (true) {
    // The best of three: one interruption would pass for a long run, and a batch of one.
    const double seconds =
        std::min({seconds_of(run, runs), seconds_of(run, runs), seconds_of(run, runs)});
    if (seconds >= batch) {
      return runs;
    }
    runs = std::max(2 * runs, static_cast<std::int64_t>(1.2 * batch / std::max(seconds, 1e-9) *
                                                        static_cast<double>(runs)));
  }
}

// Every round has an order of its own, and a batch is timed after a lead-in of the same candidate:
// the candidate before sets the clock and the width of a core for microseconds. A core with AVX-512
// that only loaded needs some of them until additions run at full width, always at the cost of one
// and the same candidate (docs/decisions/042).
inline std::vector<Time> measure(const std::vector<Candidate>& candidates, Effort effort = {}) {
  std::vector<std::int64_t> runs;
  std::vector<std::int64_t> lead_in;
  std::vector<std::size_t> order;
  std::vector<std::vector<double>> seconds(candidates.size());
  double round = 0;  // the longest batch
  for (const Candidate& candidate : candidates) {
    order.push_back(runs.size());
    runs.push_back(runs_in_batch(candidate.run, effort.batch));
    const double batch = seconds_of(candidate.run, runs.back());
    lead_in.push_back(batch < 1e-3 ? runs.back() / 4 + 1 : 0);
    round = std::max(round, batch);
  }
  const int rounds = std::clamp(static_cast<int>(effort.seconds_each / round), effort.least_rounds,
                                effort.most_rounds);
  std::mt19937 shuffling(1);
  for (int r = 0; r < rounds; ++r) {
    std::shuffle(order.begin(), order.end(), shuffling);
    for (const std::size_t c : order) {
      seconds_of(candidates[c].run, lead_in[c]);
      seconds[c].push_back(seconds_of(candidates[c].run, runs[c]) / static_cast<double>(runs[c]));
    }
  }
  std::vector<Time> times;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    times.push_back({candidates[c].name, linearised_mask_of(std::move(seconds[c]))});
  }
  return times;
}

// Keeps a result from being optimised away.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace bench
