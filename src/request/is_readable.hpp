// A question to the kernel: can this process read some memory? It is not read for that.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace isofold {

// The system call looks at the 8 bytes around the pointer before it finds its first argument wrong.
inline bool is_readable(const void* pointer) {
  const auto word = reinterpret_cast<std::uintptr_t>(pointer) & ~std::uintptr_t{7};
  const int saved = errno;
  const bool readable =
      ::syscall(SYS_rt_sigprocmask, ~0L, word, nullptr, std::size_t{8}) == 0 || errno != EFAULT;
  errno = saved;
  return readable;
}

}  // namespace isofold
