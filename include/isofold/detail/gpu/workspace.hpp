// The device memory that a Reducer or a DeviceReducer owns: nodes, counters, the word a blocking
// call waits for, and the one in which kernels say what is wrong. It grows by powers of two, so
// that calls of one size class allocate once; memory that a captured graph names stays allocated
// until the end.
#pragma once

#include <cstring>
#include <new>
#include <vector>

#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

template <class Platform>
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  // Frees all memory. The owner calls it once, at the end: it has made the device current and
  // waited for its work.
  void release() {
    for (void* memory : retired_) {
      Platform::release(memory);
    }
    Platform::release(nodes_);
    Platform::release(counters_);
    Platform::release_result(result_);
    Platform::release_result(fault_);
  }

  static constexpr std::size_t result_bytes = 64;  // for each fold of a blocking call
  static constexpr std::size_t all_results_bytes = result_bytes * ISOFOLD_MOST_FUSED;

  void* nodes() const { return static_cast<char*>(nodes_) + front_; }
  // The bytes before the nodes that a caller has asked for; none if no caller has.
  void* front() const { return nodes_; }
  bool has_front() const { return front_ > 0; }
  std::size_t with_front(std::size_t bytes) const { return bytes + front_; }
  void set_front(std::size_t bytes) {
    front_ = (bytes + front_grain - 1) / front_grain * front_grain;
  }
  std::uint32_t* counters() const { return static_cast<std::uint32_t*>(counters_); }
  void* result(int fold = 0) const {
    return static_cast<char*>(result_) + static_cast<std::size_t>(fold) * result_bytes;
  }
  void* fault() const { return fault_; }  // null until take_fault()

  bool holds(std::size_t node_bytes, std::int64_t counters) const {
    return node_bytes + front_ <= node_bytes_ && counters <= counter_count_;
  }

  // Takes that much room; new counters are zero in the order of `stream`. On failure the old room
  // stays usable.
  Status take(std::size_t node_bytes, std::int64_t counters, void* stream) {
    if (node_bytes + front_ > node_bytes_) {
      const std::size_t bytes = size_class(node_bytes + front_, least_bytes);
      if (const Status taken = replace(&nodes_, bytes); !taken.ok()) {
        return taken;
      }
      node_bytes_ = bytes;
    }
    if (counters > counter_count_) {
      const std::size_t bytes =
          size_class(static_cast<std::size_t>(counters) * sizeof(std::uint32_t), least_bytes);
      if (const Status taken = replace(&counters_, bytes); !taken.ok()) {
        return taken;
      }
      counter_count_ = static_cast<std::int64_t>(bytes / sizeof(std::uint32_t));
      return zero_counters(stream);
    }
    return {};
  }
  Status take_result() {
    if (result_ != nullptr) {
      return {};
    }
    return Platform::allocate_result(&result_, all_results_bytes);
  }
  // Takes a zeroed word in which kernels say what they found wrong.
  Status take_fault() {
    if (fault_ != nullptr) {
      return {};
    }
    const Status taken = Platform::allocate_result(&fault_, fault_bytes);
    if (taken.ok()) {
      std::memset(fault_, 0, fault_bytes);
    }
    return taken;
  }
  // Zeroes the counters after a launch that may have left some of them counted.
  Status zero_counters(void* stream) {
    if (counter_count_ == 0) {
      return {};
    }
    const Status zeroed = Platform::zero(
        counters_, static_cast<std::size_t>(counter_count_) * sizeof(std::uint32_t), stream);
    if (!zeroed.ok()) {
      give_up_counters();
    }
    return zeroed;
  }
  // Gives up counters of unknown content, which must not be used.
  void give_up_counters() {
    if (counters_ == nullptr) {
      return;
    }
    if (!kept_) {
      Platform::release(counters_);
    } else if (room_to_retire()) {  // else they stay allocated: a graph names them
      retired_.push_back(counters_);
    }
    counters_ = nullptr;
    counter_count_ = 0;
  }
  // Notes that a graph names the memory of now, which must then stay.
  void keep() { kept_ = true; }

 private:
  static constexpr std::size_t least_bytes = 16384;
  static constexpr std::size_t fault_bytes = 64;
  static constexpr std::size_t front_grain = 256;  // the alignment of allocations

  static std::size_t size_class(std::size_t bytes, std::size_t least) {
    std::size_t size = least;
    while (size < bytes) {
      size *= 2;
    }
    return size;
  }
  // Makes room for one more retired allocation before it is needed: nothing may throw through the
  // backend interface.
  bool room_to_retire() noexcept {
    try {
      retired_.reserve(retired_.size() + 1);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  static Status no_memory() { return {ISOFOLD_out_of_memory, "out of memory"}; }

  // The vendor's release waits for work that still uses the memory.
  Status replace(void** memory, std::size_t bytes) {
    void* fresh = nullptr;
    const bool retiring = kept_ && *memory != nullptr;
    if (retiring && !room_to_retire()) {
      return no_memory();
    }
    if (const Status allocated = Platform::allocate(&fresh, bytes); !allocated.ok()) {
      return allocated;
    }
    if (retiring) {
      retired_.push_back(*memory);
    } else {
      Platform::release(*memory);
    }
    *memory = fresh;
    return {};
  }

  void* nodes_ = nullptr;
  void* counters_ = nullptr;
  void* result_ = nullptr;
  void* fault_ = nullptr;
  std::size_t node_bytes_ = 0;
  std::size_t front_ = 0;
  std::int64_t counter_count_ = 0;
  bool kept_ = false;
  std::vector<void*> retired_;
};

}  // namespace isofold::gpu
