// The process that first used the devices of a vendor. Its children by fork() cannot use them, and
// there a call of the vendor's runtime fails in words of its own, or never returns.
#pragma once

#include <atomic>

#include <isofold/detail/forks.hpp>
#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

template <class Platform>
class FirstUse {
 public:
  // The answer is not ok in a child of the process that used them.
  static Status asked() {
    const int noted = first_fork.load(std::memory_order_relaxed);
    return noted == nobody || noted == detail::forks.count
               ? Status{}
               : Status{ISOFOLD_backend_unavailable,
                        "this process is a child, by fork(), of one that had used the devices, and "
                        "they do not come along: use them in children alone, or start this one by "
                        "exec (Python: spawn)"};
  }
  // Notes that this process has used them, if it is the first. It is for after a use: where an
  // attempt failed, there is nothing that children lack.
  static void used() {
    if (__builtin_expect(first_fork.load(std::memory_order_relaxed) == nobody, 0)) {
      int none = nobody;
      first_fork.compare_exchange_strong(none, detail::forks.count);
    }
  }

 private:
  static constexpr int nobody = -1;
  static inline std::atomic<int> first_fork{nobody};
};

}  // namespace isofold::gpu
