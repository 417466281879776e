// Arrays of the CPU's benches: in huge pages where the system grants them, as NumPy asks for its
// own. Sums over long strides would measure the translation of addresses with small pages.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bench {

template <class T>
struct Allocator {
  using value_type = T;
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t huge_page = std::size_t{2} << 20;

  Allocator() = default;
  template <class Other>
  explicit Allocator(const Allocator<Other>&) {}
  static T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    const std::size_t alignment = bytes < huge_page ? page : huge_page;
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, whole);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
#if defined(MADV_HUGEPAGE)
    madvise(memory, whole, MADV_HUGEPAGE);  // where it is refused, pages stay small
#endif
    return static_cast<T*>(memory);
  }
  static void deallocate(T* memory, std::size_t) { std::free(memory); }
  template <class Other>
  bool operator==(const Allocator<Other>&) const {
    return true;
  }
  template <class Other>
  bool operator!=(const Allocator<Other>&) const {
    return false;
  }
};

template <class T>
using Array = std::vector<T, Allocator<T>>;

}  // namespace bench
