// The emulated GPUs of one wave width: their memory, streams and events. Work is put off until a
// caller waits for it, or chance runs a part of it earlier, as on a GPU that is busy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <backend/interface.hpp>
#include <isofold/detail/gpu/platform.hpp>

#include "grid.hpp"

namespace isofold::simt {

using gpu::Status;

// Work that a capture has written down.
struct Graph {
  std::vector<std::function<std::string()>> steps;
  bool broken = false;  // something happened that no capture can hold
};

struct Stream {
  struct Step {
    std::function<std::string()> run;  // returns "", or what went wrong
    std::vector<std::pair<std::shared_ptr<Stream>, std::uint64_t>> after;
  };
  std::shared_ptr<Graph> capture;  // while one is under way
  int device = 0;
  std::deque<Step> waiting;
  std::uint64_t queued = 0;
  std::uint64_t done = 0;
};

class Machine {
 public:
  static constexpr int devices = 2;
  // Shared memory of a block on a large GPU of NVIDIA's, and on AMD's.
  static constexpr std::size_t most_shared(int wave_width) {
    return (wave_width == 32 ? 227 : 64) * 1024;
  }

  explicit Machine(int wave_width);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // ---- the host side of isofold/detail/gpu/platform.hpp
  Status current_device(int* device);
  Status use_device(int device);
  backend_interface::Place locate(const void* pointer);
  Status allocate(void** memory, std::size_t bytes, isofold_memory kind);
  Status release(void* memory);
  Status zero(void* memory, std::size_t bytes, void* stream);
  Status copy(void* destination, const void* source, std::size_t bytes);
  Status synchronize(void* stream);
  Status capturing(void* stream, bool* yes);
  Status create_event(void** event);
  Status record_event(void* event, void* stream);
  Status wait_event(void* stream, void* event);
  void destroy_event(void* event);
  // `kernel`: its bytes are copied now, as a launch does. most_threads: the kernel's own limit.
  Status launch(void (*body)(const void*, Thread*), const void* kernel, std::size_t kernel_bytes,
                int most_threads, const gpu::Launch& size, void* stream);

  // ---- for tests
  void* create_stream();
  void destroy_stream(void* stream);
  void copy_later(void* destination, const void* source, std::size_t bytes, void* stream);
  void begin_capture(void* stream);
  std::shared_ptr<Graph> end_capture(void* stream);  // null when something broke it
  void launch_graph(const std::shared_ptr<Graph>& graph, void* stream);
  void reseed(std::uint64_t seed);
  Omission& omission() { return grid_.omission; }
  // Facts that DeviceFacts gives to Reducers that are opened later.
  bool& slow_fences() { return slow_fences_; }
  int& multiprocessors() { return multiprocessors_; }
  bool& reaches_host_memory() { return reaches_host_memory_; }
  std::int64_t launches() const { return launches_; }

 private:
  struct Allocation {
    unsigned char* block = nullptr;  // the heap's block: the memory between two guards
    std::size_t bytes = 0;
    int device = 0;
    isofold_memory kind = ISOFOLD_MEMORY_device;
  };
  struct Event {
    std::shared_ptr<Stream> stream;
    std::uint64_t position = 0;
  };
  using Allocations = std::map<std::uintptr_t, Allocation>;

  static Extent find(void* machine, std::uintptr_t address);
  Allocations::iterator around(std::uintptr_t address);
  std::string check_range(const void* memory, std::size_t bytes);
  static std::string damage(const Allocations::value_type& allocation);
  std::shared_ptr<Stream> stream_of(void* handle);
  Stream* captured_beside(const Stream& stream);
  bool breaks_captures(const Stream* stream);
  void enqueue(const std::shared_ptr<Stream>& stream, std::function<std::string()> run);
  void run_first(Stream& stream);
  void run_until(Stream& stream, std::uint64_t position);
  void run_all();
  Status answer();
  std::string run_launch(const Work& work, int device);

  int wave_width_;
  std::recursive_mutex mutex_;
  std::uint64_t seed_;
  Random random_;
  Grid grid_;
  Allocations allocations_;
  std::shared_ptr<Stream> default_streams_[devices];
  std::map<void*, std::shared_ptr<Stream>> streams_;
  std::string pending_;  // the first error of work that nobody has asked about
  std::int64_t launches_ = 0;
  int running_device_ = 0;
  bool slow_fences_;
  bool reaches_host_memory_ = false;
  int multiprocessors_ = 3;  // few, so that small inputs fill them; odd
};

// The one machine of each wave width, 32 or 64.
Machine& machine(int wave_width);

}  // namespace isofold::simt
