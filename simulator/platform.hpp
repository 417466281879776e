// The third platform of backends/gpu: emulated GPUs of wave width 32 and 64 on the CPU. It compiles
// the kernels of backends/gpu themselves as C++; README.md says what is emulated and what is not.
#pragma once

#include <cstdio>
#include <cstring>

#include <backend/interface.hpp>
#include <isofold/detail/gpu/platform.hpp>

#include "machine.hpp"

namespace isofold::simt {

template <int width>
class Group {
 public:
  static constexpr int wave_width = width;
  static_assert(width == 32 || width == 64, "NVIDIA's and AMD's wave widths.");

  explicit Group(Thread* thread) : thread_(thread) {}

  int thread() const { return thread_->number; }
  int threads() const { return grid().threads_of_block(); }
  std::int64_t block() const { return thread_->block->number; }
  std::int64_t blocks() const { return grid().blocks(); }
  void* shared() const { return thread_->block->shared; }
  void barrier() const { grid().barrier(*thread_); }
  void warp_barrier() const { grid().warp_barrier(*thread_); }
  std::uint32_t exchange(std::uint32_t word, int mask) const {
    grid().exchange(*thread_, &word, 1, mask);
    return word;
  }
  // Collective: every lane of the warp must call, as on NVIDIA's GPUs, whose function is a barrier
  // of the warp; but it orders nothing here.
  void loads_issued() const { grid().loads_issued(*thread_); }
  template <std::size_t count>
  void exchange_words(std::uint32_t (&words)[count], int mask) const {
    static_assert(count <= most_words, "A thread keeps so many words for its partner.");
    grid().exchange(*thread_, words, static_cast<int>(count), mask);
  }
  bool all(bool condition) const {
    std::uint32_t word = condition ? 1 : 0;
    for (int distance = 1; distance < width; distance *= 2) {
      word &= exchange(word, distance);
    }
    return word != 0;
  }
  gpu::Ballot<width> ballot(bool condition) const {
    const int own = thread() % width;
    std::uint32_t words[] = {condition && own < 32 ? 1U << own : 0,
                             condition && own >= 32 ? 1U << (own - 32) : 0};
    for (int distance = 1; distance < width; distance *= 2) {
      for (std::uint32_t& word : words) {
        word |= exchange(word, distance);
      }
    }
    return static_cast<gpu::Ballot<width>>(std::uint64_t{words[1]} << 32 | words[0]);
  }
  std::uint32_t unknown(std::uint32_t word) const { return word; }
  template <class T, int count>
  gpu::Pack<T, count> load(const T* address) const {
    gpu::Pack<T, count> pack;
    grid().check_load(*thread_, address, sizeof(pack));
    std::memcpy(&pack, address, sizeof(pack));
    return pack;
  }
  template <class T>
  gpu::Pack<T, 2> load_two(const T* address) const {
    return {{load<T, 1>(address).value[0], load<T, 1>(address + 1).value[0]}};
  }
  // The number of the thread decides whether a copy is made at once or as late as it may be.
  template <int bytes>
  void copy_to_shared(void* to, const void* address) const {
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "Copies are of 4, 8 or 16 bytes.");
    grid().check_load(*thread_, address, bytes);
    grid().check_shared(*thread_, to, bytes);
    if (thread_->number % 2 == 0) {
      std::memcpy(to, address, bytes);
    } else {
      thread_->copies.push_back({to, address, bytes});
    }
  }
  void wait_for_copies() const {
    for (const Copy& copy : thread_->copies) {
      std::memcpy(copy.to, copy.from, static_cast<std::size_t>(copy.bytes));
    }
    thread_->copies.clear();
  }
  // A bulk copy is made at once, or when the first thread waits for it, by chance.
  void begin_arrivals(std::uint64_t* arrival) const { grid().begin_arrivals(*thread_, arrival); }
  void end_stores() const {}
  void expect(std::uint64_t* arrival, int bytes) const { grid().expect(*thread_, arrival, bytes); }
  void copy_bulk(void* to, const void* address, int bytes, std::uint64_t* arrival) const {
    if (grid().copies_now(*thread_, arrival, {to, address, bytes})) {
      std::memcpy(to, address, static_cast<std::size_t>(bytes));
    }
    grid().copied(*thread_, arrival);
  }
  void wait_for_arrival(std::uint64_t* arrival, std::uint32_t parity) const {
    const Copies copies = grid().wait_for_arrival(*thread_, arrival, parity);
    for (int i = 0; i < copies.count; ++i) {
      const Copy& copy = copies.copy[i];
      std::memcpy(copy.to, copy.from, static_cast<std::size_t>(copy.bytes));
    }
    if (copies.count > 0) {
      grid().end_arrival(*thread_, arrival);
    }
  }
  // The compiler instruments the atomic itself, so the race detector sees exactly what it orders.
  std::uint32_t arrive(std::uint32_t* counter, std::uint32_t times = 1) const {
    grid().pause(*thread_);
    const std::uint32_t before = grid().omission.order_of_arrival
                                     ? __atomic_fetch_add(counter, times, __ATOMIC_RELAXED)
                                     : __atomic_fetch_add(counter, times, __ATOMIC_ACQ_REL);
    grid().pause(*thread_);
    return before;
  }

  std::uint32_t claim(std::uint32_t* counter, std::uint32_t count) const {
    grid().pause(*thread_);
    return __atomic_fetch_add(counter, count, __ATOMIC_RELAXED);
  }
  void add(std::int64_t* word, std::int64_t value) const {
    grid().pause(*thread_);
    __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
  }

 private:
  Grid& grid() const { return *thread_->block->grid; }
  Thread* thread_;
};

template <int width>
class Platform {
 public:
  using Status = gpu::Status;
  static constexpr int wave_width = width;
  static constexpr const char* name = width == 64 ? "simt64" : "simt32";

  static Status describe(char* text, std::size_t bytes) {
    std::snprintf(text, bytes, "emulated GPUs of wave width %d on the CPU, for tests", width);
    return {};
  }
  static Status device_count(int* count) {
    *count = Machine::devices;
    return {};
  }
  static Status device_name(int device, char* text, std::size_t bytes) {
    std::snprintf(text, bytes, "emulated GPU %d of wave width %d", device, width);
    return device >= 0 && device < Machine::devices
               ? Status{}
               : Status{ISOFOLD_invalid_argument, "no such device"};
  }
  static Status device_facts(int, gpu::DeviceFacts* facts) {
    facts->multiprocessors = gpus().multiprocessors();
    facts->wave_width = width;
    facts->slow_fences = gpus().slow_fences();
    facts->shared_bytes = Machine::most_shared(width);
    facts->has_stages = gpu::has_stages<Group<width>>;
    facts->has_bulk_copies = gpu::has_bulk_copies<Group<width>>;
    facts->reaches_host_memory = gpus().reaches_host_memory();
    facts->architecture = width == 64 ? gpu::Architecture::gfx90a : gpu::Architecture::sm90;
    return {};
  }
  static Status current_device(int* device) { return gpus().current_device(device); }
  static Status use_device(int device) { return gpus().use_device(device); }
  static Status locate(const void* pointer, backend_interface::Place* place) {
    *place = gpus().locate(pointer);
    return {};
  }

  static Status allocate(void** memory, std::size_t bytes) {
    return gpus().allocate(memory, bytes, ISOFOLD_MEMORY_device);
  }
  static Status release(void* memory) { return gpus().release(memory); }
  static Status allocate_result(void** memory, std::size_t bytes) {
    return gpus().allocate(memory, bytes, ISOFOLD_MEMORY_pinned);
  }
  static Status release_result(void* memory) { return gpus().release(memory); }
  static Status zero(void* memory, std::size_t bytes, void* stream) {
    return gpus().zero(memory, bytes, stream);
  }
  static Status copy(void* destination, const void* source, std::size_t bytes) {
    return gpus().copy(destination, source, bytes);
  }
  static Status synchronize(void* stream) { return gpus().synchronize(stream); }
  static Status capturing(void* stream, bool* yes) { return gpus().capturing(stream, yes); }
  static Status create_event(void** event) { return gpus().create_event(event); }
  static Status record_event(void* event, void* stream) {
    return gpus().record_event(event, stream);
  }
  static Status wait_event(void* stream, void* event) { return gpus().wait_event(stream, event); }
  static void destroy_event(void* event) { gpus().destroy_event(event); }

  template <class Kernel>
  static Status launch(const Kernel& kernel, const gpu::Launch& size, void* stream) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "A launch copies its kernel's bytes.");
    static_assert(alignof(Kernel) <= alignof(std::max_align_t), "The copy comes from the heap.");
    return gpus().launch(
        [](const void* copy, Thread* thread) {
          (*static_cast<const Kernel*>(copy))(Group<width>(thread));
        },
        &kernel, sizeof(Kernel), most_threads<Kernel>, size, stream);
  }
  template <class Kernel>
  static Status load() {
    return {};
  }

  // Those of the list of kernels that are on it, a bit each.
  static inline std::uint32_t kernels = ~0U;
  static bool has_kernel(int number) { return (kernels >> number & 1) != 0; }

 private:
  template <class Kernel>
  static constexpr int most_threads =
      gpu::has_bulk_copies<Group<width>>&& gpu::bulk_threads<Kernel> > 0 ? gpu::bulk_threads<Kernel>
      : gpu::has_stages<Group<width>>&& gpu::staged_threads<Kernel> > 0
          ? gpu::staged_threads<Kernel>
          : Kernel::max_threads;
  static Machine& gpus() { return machine(width); }
};

}  // namespace isofold::simt

template <int width>
inline constexpr bool isofold::gpu::has_loads_issued<isofold::simt::Group<width>> = true;
template <int width>
inline constexpr bool isofold::gpu::has_exchange_of_words<isofold::simt::Group<width>> = true;
template <int width>
inline constexpr bool isofold::gpu::may_lack_kernels<isofold::simt::Platform<width>> = true;

// As on NVIDIA's GPUs.
template <>
inline constexpr bool isofold::gpu::has_vote<isofold::simt::Group<32>> = true;
template <>
inline constexpr bool isofold::gpu::has_copies_to_shared<isofold::simt::Group<32>> = true;
template <>
inline constexpr bool isofold::gpu::has_stages<isofold::simt::Group<32>> = true;
template <>
inline constexpr bool isofold::gpu::has_bulk_copies<isofold::simt::Group<32>> = true;
template <>
inline constexpr bool isofold::gpu::may_have_stages<isofold::simt::Platform<32>> = true;
template <>
inline constexpr bool isofold::gpu::may_have_bulk_copies<isofold::simt::Platform<32>> = true;
template <>
inline constexpr bool isofold::gpu::keeps_branches_apart<isofold::simt::Platform<32>> = true;

// As on AMD's GPUs, which have the wide waves.
template <>
inline constexpr bool isofold::gpu::may_have_slow_fences<isofold::simt::Group<64>> = true;
template <>
inline constexpr bool isofold::gpu::may_have_slow_fences<isofold::simt::Platform<64>> = true;
