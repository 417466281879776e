// Faults for tests, at the seam between this folder and a vendor: a vendor's platform, each of
// whose operations may be told to fail, and whose memory may be poisoned and fenced.
//
// The door is the environment variable ISOFOLD_TEST_FAULTS, read whenever the backend is asked to
// describe itself: when a Reducer is opened, and by isofold_backend_reason(). Its words:
//
//   launch=K        the K-th launch fails, once; so for each name of an Operation
//   any=K           the K-th operation of any kind but release
//   lost=K          the same one, and all after it: the device is lost
//   poison=BYTE     new memory is full of it (0 to 255, or `random`) and lies between two fences
//   anything else   is ignored: a number makes a text new
//
// A text that is not the one that was read before counts from 1 again. While the door is open the
// description ends with what happened (Faults::describe). Closed, it costs an operation one branch.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <backend/interface.hpp>
#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

enum class Operation {
  allocation,  // of either kind of memory
  release,     // the memory goes all the same: a vendor's release reports what failed before it
  launch,
  load,    // of a kernel
  event,   // created, recorded, waited for
  copy,    // and zeroing
  wait,    // for a stream
  stream,  // whether it is captured
  device,  // which, how many, make current, facts
  place,   // where a pointer points
  count
};

// The orders that one platform was given, and the record of its operations. Used under its own
// lock.
class Faults {
 public:
  // Reads the door's text, if it is a new one. False until it has been open once.
  bool read(const char* text) {
    const std::lock_guard lock(mutex_);
    const std::string wish = text != nullptr ? text : "";
    was_open_ = was_open_ || text != nullptr;
    if (wish != wish_) {
      wish_ = wish;
      arm();
    }
    return was_open_;
  }

  // Counts an operation; not ok if it is to fail.
  Status strike(Operation operation) {
    const std::lock_guard lock(mutex_);
    const auto kind = static_cast<std::size_t>(operation);
    ++operations_;
    const bool counts = operation != Operation::release;
    lost_ = lost_ || (counts && lost_in_ > 0 && --lost_in_ == 0);
    const bool mine = fails_in_[kind] > 0 && --fails_in_[kind] == 0;
    const bool any = counts && any_in_ > 0 && --any_in_ == 0;
    if (lost_ || mine || any) {
      ++failed_;
      last_ = names[kind];
    }
    if (lost_) {
      return {ISOFOLD_device_lost, "a lost device, asked for by a test"};
    }
    if (!mine && !any) {
      return {};
    }
    return operation == Operation::allocation
               ? Status{ISOFOLD_out_of_memory, "out of memory, asked for by a test"}
               : Status{ISOFOLD_device_failure, "a failure asked for by a test"};
  }

  // Bytes of a fence on either side of new memory.
  std::size_t fence() {
    const std::lock_guard lock(mutex_);
    return poison_ == no_poison ? 0 : fence_bytes;
  }
  // The content of new memory, fences included.
  std::vector<unsigned char> poisoned(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    std::vector<unsigned char> content(bytes, static_cast<unsigned char>(poison_));
    for (std::size_t i = 0; poison_ == random_poison && i < bytes; ++i) {
      random_ = random_ * 6364136223846793005U + 1442695040888963407U;
      content[i] = static_cast<unsigned char>(random_ >> 56);
    }
    std::memset(content.data(), fence_byte, fence_bytes);
    std::memset(content.data() + bytes - fence_bytes, fence_byte, fence_bytes);
    return content;
  }
  static bool intact(const std::vector<unsigned char>& fence) {
    return fence == std::vector<unsigned char>(fence_bytes, fence_byte);
  }

  struct Block {
    void* first = nullptr;  // what the vendor gave
    std::size_t bytes = 0;  // of it
    std::size_t fence = 0;
  };
  void keep(void* memory, const Block& block) {
    const std::lock_guard lock(mutex_);
    blocks_[memory] = block;
  }
  // Returns the block that was kept for the memory; other memory is returned as it is.
  Block give_back(void* memory) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(memory);
    if (found == blocks_.end()) {
      return {memory, 0, 0};
    }
    const Block block = found->second;
    blocks_.erase(found);
    return block;
  }
  void note_damage() {
    const std::lock_guard lock(mutex_);
    ++damaged_;
  }
  void note_event(int change) {
    const std::lock_guard lock(mutex_);
    events_ += change;
  }

  void describe(char* text, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::size_t length = std::strlen(text);
    std::snprintf(text + length, bytes - length,
                  "; faults: operations=%ld failed=%ld last=%s memory=%zu events=%ld damaged=%ld",
                  operations_, failed_, last_, blocks_.size(), events_, damaged_);
  }

 private:
  static constexpr std::size_t fence_bytes = 256;  // as much as the vendors align memory to
  static constexpr unsigned char fence_byte = 0xc5;
  static constexpr int no_poison = -1;
  static constexpr int random_poison = -2;

  static constexpr std::size_t kinds = static_cast<std::size_t>(Operation::count);
  static constexpr const char* names[] = {"allocation", "release", "launch", "load",   "event",
                                          "copy",       "wait",    "stream", "device", "place"};
  static_assert(std::size(names) == kinds, "Each operation has a name.");

  // The number behind "name="; 0 without one.
  long number(const char* name) const {
    const std::string key = std::string(name) + "=";
    const std::size_t found = wish_.find(key);
    return found != std::string::npos ? std::strtol(wish_.c_str() + found + key.size(), nullptr, 10)
                                      : 0;
  }
  void arm() {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      fails_in_[kind] = number(names[kind]);
    }
    any_in_ = number("any");
    lost_in_ = number("lost");
    lost_ = false;
    last_ = "none";
    const bool poisons = wish_.find("poison=") != std::string::npos;
    const bool random = wish_.find("poison=random") != std::string::npos;
    poison_ = random ? random_poison : poisons ? static_cast<int>(number("poison")) : no_poison;
    operations_ = 0;
    failed_ = 0;
  }

  std::mutex mutex_;
  std::string wish_;
  bool was_open_ = false;
  long fails_in_[kinds] = {};
  long any_in_ = 0;
  long lost_in_ = 0;
  bool lost_ = false;
  int poison_ = no_poison;
  std::uint64_t random_ = 1;
  long operations_ = 0;  // since the text was read
  long failed_ = 0;      // of these
  const char* last_ = "none";
  std::map<void*, Block> blocks_;
  long events_ = 0;
  long damaged_ = 0;
};

// A vendor's platform behind the door: what it hides, it may fail; all else is the vendor's.
template <class Vendor>
class WithFaults : public Vendor {
 public:
  static Status describe(char* text, std::size_t bytes) {
    const Status found = Vendor::describe(text, bytes);
    if (faults().read(std::getenv("ISOFOLD_TEST_FAULTS"))) {
      door_is_open.store(true, std::memory_order_relaxed);
    }
    if (is_open() && found.ok()) {
      faults().describe(text, bytes);
    }
    return found;
  }

  static Status device_count(int* count) {
    const Status fault = strike(Operation::device);
    return fault.ok() ? Vendor::device_count(count) : fault;
  }
  static Status device_name(int device, char* text, std::size_t bytes) {
    const Status fault = strike(Operation::device);
    return fault.ok() ? Vendor::device_name(device, text, bytes) : fault;
  }
  static Status device_facts(int device, DeviceFacts* facts) {
    const Status fault = strike(Operation::device);
    return fault.ok() ? Vendor::device_facts(device, facts) : fault;
  }
  static Status current_device(int* device) {
    const Status fault = strike(Operation::device);
    return fault.ok() ? Vendor::current_device(device) : fault;
  }
  static Status use_device(int device) {
    const Status fault = strike(Operation::device);
    return fault.ok() ? Vendor::use_device(device) : fault;
  }
  static Status locate(const void* pointer, backend_interface::Place* place) {
    const Status fault = strike(Operation::place);
    return fault.ok() ? Vendor::locate(pointer, place) : fault;
  }

  static Status allocate(void** memory, std::size_t bytes) {
    return is_open() ? take(&Vendor::allocate, &Vendor::release, memory, bytes)
                     : Vendor::allocate(memory, bytes);
  }
  static Status release(void* memory) {
    return is_open() ? give_back(&Vendor::release, memory) : Vendor::release(memory);
  }
  static Status allocate_result(void** memory, std::size_t bytes) {
    return is_open() ? take(&Vendor::allocate_result, &Vendor::release_result, memory, bytes)
                     : Vendor::allocate_result(memory, bytes);
  }
  static Status release_result(void* memory) {
    return is_open() ? give_back(&Vendor::release_result, memory) : Vendor::release_result(memory);
  }

  static Status zero(void* memory, std::size_t bytes, void* stream) {
    const Status fault = strike(Operation::copy);
    return fault.ok() ? Vendor::zero(memory, bytes, stream) : fault;
  }
  static Status copy(void* destination, const void* source, std::size_t bytes) {
    const Status fault = strike(Operation::copy);
    return fault.ok() ? Vendor::copy(destination, source, bytes) : fault;
  }
  static Status synchronize(void* stream) {
    const Status fault = strike(Operation::wait);
    return fault.ok() ? Vendor::synchronize(stream) : fault;
  }
  static Status capturing(void* stream, bool* yes) {
    const Status fault = strike(Operation::stream);
    return fault.ok() ? Vendor::capturing(stream, yes) : fault;
  }

  static Status create_event(void** event) {
    Status status = strike(Operation::event);
    status = status.ok() ? Vendor::create_event(event) : status;
    if (is_open() && status.ok()) {
      faults().note_event(1);
    }
    return status;
  }
  static Status record_event(void* event, void* stream) {
    const Status fault = strike(Operation::event);
    return fault.ok() ? Vendor::record_event(event, stream) : fault;
  }
  static Status wait_event(void* stream, void* event) {
    const Status fault = strike(Operation::event);
    return fault.ok() ? Vendor::wait_event(stream, event) : fault;
  }
  static void destroy_event(void* event) {
    if (is_open()) {
      faults().note_event(-1);
    }
    Vendor::destroy_event(event);
  }

  template <class Kernel>
  static Status launch(const Kernel& kernel, const Launch& size, void* stream) {
    const Status fault = strike(Operation::launch);
    return fault.ok() ? Vendor::launch(kernel, size, stream) : fault;
  }
  template <class Kernel>
  static Status load() {
    const Status fault = strike(Operation::load);
    return fault.ok() ? Vendor::template load<Kernel>() : fault;
  }

 private:
  using Allocate = Status (*)(void**, std::size_t);
  using Release = Status (*)(void*);

  static bool is_open() {
    return __builtin_expect(door_is_open.load(std::memory_order_relaxed), false);
  }
  static Faults& faults() {
    static auto& faults = *new Faults;  // outlives every Reducer, static ones too
    return faults;
  }
  static Status strike(Operation operation) {
    return is_open() ? faults().strike(operation) : Status{};
  }

  __attribute__((cold, noinline)) static Status take(Allocate allocate, Release release,
                                                     void** memory, std::size_t bytes) {
    const Status fault = strike(Operation::allocation);
    if (!fault.ok()) {
      return fault;
    }
    const std::size_t fence = faults().fence();
    Faults::Block block{nullptr, bytes + 2 * fence, fence};
    Status status = allocate(&block.first, block.bytes);
    if (!status.ok()) {
      return status;
    }
    if (fence != 0) {
      status = Vendor::copy(block.first, faults().poisoned(block.bytes).data(), block.bytes);
      if (!status.ok()) {
        release(block.first);
        return status;
      }
    }
    *memory = static_cast<char*>(block.first) + fence;
    faults().keep(*memory, block);
    return status;
  }
  // A lost device's report is no news of its memory: that goes with the process.
  __attribute__((cold, noinline)) static Status give_back(Release release, void* memory) {
    if (memory == nullptr) {
      return {};
    }
    const Status fault = strike(Operation::release);
    const Faults::Block block = faults().give_back(memory);
    if (block.fence != 0 && fault.ok()) {
      auto* const first = static_cast<char*>(block.first);
      std::vector<unsigned char> found(block.fence);
      for (const char* side : {first, first + block.bytes - block.fence}) {
        const bool read = Vendor::copy(found.data(), side, found.size()).ok();
        if (read && !Faults::intact(found)) {
          faults().note_damage();
        }
      }
    }
    const Status released = release(block.first);
    return fault.ok() ? released : fault;
  }

  static inline std::atomic<bool> door_is_open{false};
};

// Compile-time facts of the vendor's platform.
template <class Vendor>
inline constexpr bool may_have_slow_fences<WithFaults<Vendor>> = may_have_slow_fences<Vendor>;
template <class Vendor>
inline constexpr bool may_have_stages<WithFaults<Vendor>> = may_have_stages<Vendor>;
template <class Vendor>
inline constexpr bool may_have_bulk_copies<WithFaults<Vendor>> = may_have_bulk_copies<Vendor>;
template <class Vendor>
inline constexpr bool keeps_branches_apart<WithFaults<Vendor>> = keeps_branches_apart<Vendor>;
template <class Vendor>
inline constexpr bool may_lack_kernels<WithFaults<Vendor>> = may_lack_kernels<Vendor>;
template <class Vendor, class Fold>
struct NativeFold<WithFaults<Vendor>, Fold> : NativeFold<Vendor, Fold> {};

}  // namespace isofold::gpu
