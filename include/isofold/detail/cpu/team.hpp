// This file decides how many threads of OpenMP a computation gets, and who starts them, for
// transform_reduce.hpp and the backend openmp. The bits depend on neither, so that fewer threads
// are always right, where OpenMP's runtime would end the process (threads that cannot be started)
// or wait for ever (a child of fork()). Nothing here is called for work of one thread.
#pragma once

#if defined(_OPENMP)
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <isofold/detail/cpu/quota.hpp>
#include <isofold/detail/cpu/stacks.hpp>
#include <isofold/detail/forks.hpp>

namespace isofold::detail {

// The number of threads where nobody has asked for one: what OpenMP grants, and no more than there
// are processors for this thread, by its affinity and the quota of a container. A number that is
// neither of OpenMP's defaults was asked for; so is, by mistake, the number of processors that the
// process had at its start, if this thread has fewer now.
inline int default_threads() {
  if (omp_in_parallel() != 0) {
    return 1;  // the others are the caller's, and busy
  }
  const int granted = omp_get_max_threads();
  static const bool asked_for = std::getenv("OMP_NUM_THREADS") != nullptr;
  const int processors = omp_get_num_procs();
  if (asked_for || (granted != processors && granted != sysconf(_SC_NPROCESSORS_ONLN))) {
    return granted;
  }
  static const int quota = cpu_quota();
  return std::min({granted, processors, quota});
}

// The least work for which more than one thread pays, if it is `least` where a team waits for work:
// one that is started for each call must have more to do.
inline std::int64_t least_for_team(std::int64_t least) {
  return forks.lost_threads ? 16 * least : least;
}

// The stacks of threads that are tried out.
class StacksOfOpenMp {
 public:
  StacksOfOpenMp() noexcept : is_there_(pthread_attr_init(&attributes_) == 0) {
    // OpenMP takes the default for its threads, too, where a system refuses this size.
    static const std::size_t bytes = openmp_stack_bytes();
    if (is_there_ && bytes != 0) {
      pthread_attr_setstacksize(&attributes_, bytes);
    }
  }
  StacksOfOpenMp(const StacksOfOpenMp&) = delete;
  StacksOfOpenMp& operator=(const StacksOfOpenMp&) = delete;
  ~StacksOfOpenMp() {
    if (is_there_) {
      pthread_attr_destroy(&attributes_);
    }
  }
  [[nodiscard]] const pthread_attr_t* attributes() const noexcept {
    return is_there_ ? &attributes_ : nullptr;
  }

 private:
  pthread_attr_t attributes_;
  bool is_there_;
};

// Starts up to that many threads that exist at the same time, with the stacks that OpenMP's have;
// returns how many there were.
inline int started_at_once(int wanted) noexcept {
  const StacksOfOpenMp stacks;
  std::mutex gate;
  std::vector<pthread_t> threads;
  try {
    threads.resize(static_cast<std::size_t>(std::max(wanted, 0)));
  } catch (const std::exception&) {
    return 0;
  }
  gate.lock();
  std::size_t started = 0;
  const auto pass = [](void* at) -> void* {
    const std::lock_guard through(*static_cast<std::mutex*>(at));
    return nullptr;
  };
  while (started < threads.size() &&
         pthread_create(&threads[started], stacks.attributes(), pass, &gate) == 0) {
    ++started;
  }
  gate.unlock();
  for (std::size_t i = 0; i < started; ++i) {
    pthread_join(threads[i], nullptr);
  }
  return static_cast<int>(started);
}

// Returns how many threads, with the calling one and at most `wanted`, can run at once. Each thread
// tries that when it first asks for so many, for a team is its own; twice as many, because threads
// that have been joined count against limits for a moment.
inline int startable_threads(int wanted) noexcept {
  struct Tried {
    int fork = 0;
    int wanted = 1;
    int started = 1;
  };
  static thread_local Tried tried;
  if (tried.fork != forks.count) {
    tried = {forks.count, 1, 1};
  }
  wanted = std::min(wanted, omp_get_thread_limit());
  if (wanted > tried.wanted) {
    tried.wanted = wanted;
    tried.started = 1 + started_at_once(2 * (wanted - 1)) / 2;
  }
  return std::min(wanted, tried.started);
}

// Calls work(threads), which has a parallel region of so many. Where a fork has lost the threads
// that OpenMP thinks this one has, a new thread calls it, and it must not throw.
template <class Work>
void on_team(int threads, const Work& work) {
  if (threads > 1 && forks.lost_threads) {
    try {
      std::thread(work, threads).join();
      return;
    } catch (const std::exception&) {  // it was not started
      threads = 1;
    }
  }
  work(threads);
}

}  // namespace isofold::detail
#endif
