// This file tells whether this process is a child of fork(): threads and devices of a parent do not
// come along.
// OpenMP's runtime knows nothing of that and waits for ever for the threads that it had.
#pragma once

#include <pthread.h>

#include <atomic>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define ISOFOLD_KNOWS_OF_THREADS 1
#endif
#endif

namespace isofold::detail {

struct Forks {
  std::atomic<int> count{0};              // between the process that loaded this and this one
  std::atomic<bool> lost_threads{false};  // the parent of one of them had threads
  std::atomic<bool> has_threads{false};   // as it forks
};
inline Forks forks;

// Several copies of this code may be in one process, of which each keeps its own account. A C
// library that does not tell of threads is taken to have started some.
inline const int watches_forks = pthread_atfork(
    [] {
#if defined(ISOFOLD_KNOWS_OF_THREADS)
      forks.has_threads = __libc_single_threaded == 0;
#else
      forks.has_threads = true;
#endif
    },
    nullptr,
    [] {
      ++forks.count;
      forks.lost_threads = forks.lost_threads || forks.has_threads;
    });

}  // namespace isofold::detail
