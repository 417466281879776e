// Target: the thing that the suite judges. It is a backend of the library or, in the suite's own
// tests, something with a planted bug. Everything goes through the C ABI's request, so forced
// schedules do too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <isofold/isofold.h>

namespace isofold::conformance {

class Target {
 public:
  virtual ~Target() = default;

  virtual std::string name() const = 0;
  virtual bool promises_same_bits() const = 0;
  // The schedules worth forcing on it, for arrays; see schedules.cpp.
  virtual std::string schedule_family() const = 0;

  virtual std::int32_t reduce(const isofold_request& request) = 0;
  // Several requests over one input; one after the other unless a target overrides it.
  virtual std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count) {
    std::int32_t code = ISOFOLD_ok;
    for (std::int32_t i = 0; i < count && code == ISOFOLD_ok; ++i) {
      code = reduce(requests[i]);
    }
    return code;
  }
  virtual std::int32_t synchronize() = 0;
  virtual std::string last_error() const = 0;
  virtual std::string answered_by() const = 0;
  // Memory that its reductions read and write; allocate returns nullptr when there is none left.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  virtual void copy(void* destination, const void* source, std::size_t bytes) = 0;
};

// An available backend of the library. Throws Error when a Reducer cannot be made.
std::unique_ptr<Target> library_target(const std::string& backend);

// This tells whether the library states `within_bound` for a backend: only those that hand the
// order of combination to another library.
bool is_within_bound(const std::string& backend);

// simt32, simt64: the emulated GPUs of tests/simt.
inline bool is_gpu(const Target& target) {
  const std::string family = target.schedule_family();
  return family == "cuda" || family == "hip" || family.rfind("simt", 0) == 0;
}

// Memory of a target, holding a copy of host data. (The data may be pointers to structs, which the
// linter suspects.)
// NOLINTBEGIN(bugprone-sizeof-expression)
template <class T>
class Placed {
 public:
  Placed(Target& target, const T* host, std::size_t count)
      : target_(target), count_(count), memory_(target.allocate(bytes() + sizeof(T))) {
    if (memory_ != nullptr && count != 0) {
      target_.copy(memory_, host, bytes());
    }
  }
  Placed(Target& target, const std::vector<T>& host) : Placed(target, host.data(), host.size()) {}
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;
  ~Placed() { target_.release(memory_); }

  bool has_memory() const { return memory_ != nullptr; }
  T* data() const { return static_cast<T*>(memory_); }
  std::size_t count() const { return count_; }
  std::vector<T> to_host() const {
    std::vector<T> host(count_);
    if (count_ != 0) {
      target_.copy(host.data(), memory_, bytes());
    }
    return host;
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(T); }
  Target& target_;
  std::size_t count_;
  void* memory_;
};
// NOLINTEND(bugprone-sizeof-expression)

}  // namespace isofold::conformance
