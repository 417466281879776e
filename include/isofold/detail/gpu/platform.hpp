// The interface between the GPU code, written once in this folder and in backends/gpu, and a
// vendor: it says what a platform header (cuda.hpp, hip.hpp, simulator/platform.hpp) must supply.
// Below it stand the neutral types that both sides use.
//
// A platform is a class with static members only; nothing in it knows of folds. Every function that
// may fail fails in tests: backends/gpu/launch/fault_injection.hpp stands between the platform and
// the backends.
//
// ---- Host side ------------------------------------------------------------------------------
// Every function returns a Status and leaves no sticky error of the vendor's runtime behind.
// Streams and events are the vendor's handles as void*; nullptr is the legacy default stream.
//
//   static constexpr const char* name                   "cuda": the backend's name
//   static Status describe(char* text, size_t bytes)    ok + one line about runtime and driver, or
//                                                       backend_unavailable with the reason as text
//   static Status device_count(int* count)
//   static Status device_name(int device, char* text, size_t bytes)
//   static Status device_facts(int device, DeviceFacts* facts)
//   static Status current_device(int* device)
//   static Status use_device(int device)                makes it current in this thread
//   static Status locate(const void* pointer, Place* place)
//                                                       ok, and `place` unchanged, for memory
//                                                       that the vendor does not know: the host's
//   static Status allocate(void** memory, size_t bytes)      device memory of the current device
//   static Status release(void* memory)
//   static Status allocate_result(void** memory, size_t bytes)   host memory that kernels write
//   static Status release_result(void* memory)                   through the same address
//   static Status zero(void* memory, size_t bytes, void* stream)               asynchronous
//   static Status copy(void* destination, const void* source, size_t bytes)    blocking, any kinds
//   static Status synchronize(void* stream)
//   static Status capturing(void* stream, bool* yes)    code `capture` when asking is not allowed
//   static Status create_event(void** event)            without timing
//   static Status record_event(void* event, void* stream)
//   static Status wait_event(void* stream, void* event) later work of `stream` waits for the event
//   static void destroy_event(void* event)
//   template <class Kernel> static Status launch(const Kernel&, const Launch&, void* stream)
//   template <class Kernel> static Status load()        makes its code resident, so that a launch
//                                                       inside a graph capture loads nothing
//
// launch() alone launches kernels. It must compile the kernel for at most Kernel::max_threads
// threads a block, or bulk_threads<Kernel> if they are not 0 and Group has bulk copies, or
// staged_threads<Kernel> if they are not 0 and Group has stages; it runs `kernel(Group{})` in every
// thread.
//
// ---- Device side ----------------------------------------------------------------------------
// A kernel is a trivially copyable function object:
//
//   struct Kernel { static constexpr int max_threads; template <class Group> ISOFOLD_DEVICE
//                   void operator()(Group group) const; ...its arguments... };
//
// Group is a small copyable class of the platform, one object a thread. A block is one-dimensional
// and holds whole warps. "Collective" means that every lane of the warp (or every thread of the
// block) must call, at the same place.
//
//   static constexpr int wave_width       threads of a warp: 32 or 64
//   int thread(), threads()               this thread in its block; threads of the block
//   int64_t block(), blocks()             this block in the grid; blocks of the grid
//   void* shared()                        the block's dynamic shared memory, aligned to 16 bytes
//   void barrier()                        collective in the block; orders shared memory
//   void warp_barrier()                   collective in the warp; orders memory among its lanes
//   uint32_t exchange(uint32_t word, int mask)
//                                         collective in the warp; the word of the thread whose
//                                         number in the warp is this one's xor `mask`, mask <
//                                         wave_width
//   Ballot<wave_width> ballot(bool condition)
//                                         collective in the warp; a bit for each thread, from the
//                                         lowest on: whether the condition holds there
//   template <class T, int count> Pack<T, count> load(const T* address)
//                                         one load of 1 to 16 bytes, count·sizeof(T), address
//                                         aligned to that; nothing writes the memory once the
//                                         launch before this one has ended
//   template <class T> Pack<T, 2> load_two(const T* address)
//                                         load() of two numbers, the address aligned to one
//   uint32_t unknown(uint32_t word)       word, about which the compiler must assume nothing, so
//                                         that nothing is computed from it earlier
//   uint32_t arrive(uint32_t* counter, uint32_t times = 1)
//                                         adds them, returns what was there: releases this thread's
//                                         earlier writes, and those of others that a barrier has
//                                         ordered before it, and acquires those of earlier
//                                         arrivals, at device scope. A barrier after it passes them
//                                         on
//   uint32_t claim(uint32_t* counter, uint32_t count)
//                                         adds count, returns what was there; orders nothing. The
//                                         counter may be in shared memory
//   void add(int64_t* word, int64_t value)   adds it to a word of device or shared memory; orders
//                                         nothing
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <isofold/detail/core/host_device.hpp>
#include <isofold/detail/core/place.hpp>
#include <isofold/detail/gpu/device.hpp>
#include <isofold/isofold.h>

namespace isofold::gpu {

// The outcome of a platform function. `text` lives forever: a literal, or the vendor's name of an
// error.
struct Status {
  std::int32_t code = ISOFOLD_ok;
  const char* text = "";
  bool ok() const { return code == ISOFOLD_ok; }
};

// The classes of devices that launches are tuned for (backends/gpu/tuning/).
enum class Architecture {
  other,
  sm80,    // compute capability 8.x
  sm90,    // 9.x
  gfx90a,  // MI200
  gfx942,  // MI300, MI350
  gfx10    // gfx10, gfx11, gfx12
};

struct DeviceFacts {
  int multiprocessors = 1;
  int wave_width = 32;
  bool slow_fences = false;              // arrive() in every block costs more than a second launch
  std::size_t shared_bytes = 48 * 1024;  // a block has at most so much shared memory
  bool has_stages = false;               // its code has the stages of kernels that have one
  bool has_bulk_copies = false;          // its code has their bulk copies
  Architecture architecture = Architecture::other;
  std::size_t l2_bytes = 0;          // 0: not known
  bool reaches_host_memory = false;  // kernels read and write ordinary host memory (pageable)
};

// True for a platform with devices that report slow_fences, and for its Group; other platforms get
// no code for such devices. A platform header specialises it for both.
template <class PlatformOrGroup>
inline constexpr bool may_have_slow_fences = false;

// True for a Group with `void loads_issued()`, which tells a compiler that whatever was loaded
// before it is on its way before anything that follows it is computed. Collective: every lane of
// the warp must call.
template <class Group>
inline constexpr bool has_loads_issued = false;

// True for a Group with `T as_loaded(T x)`, which returns x. It is for a compiler that otherwise
// does too early what can be done with x alone, such as widening it, and then lacks registers.
template <class Group>
inline constexpr bool has_as_loaded = false;

// True for a Group with `const Kernel& arguments(const Kernel& kernel)`, which returns the kernel
// at the place where the launch has put it, for a compiler that cannot index the parameter.
template <class Group>
inline constexpr bool has_arguments = false;
// Returns the kernel there, or else itself. Members that are indexed must be reached by it.
template <class Group, class Kernel>
ISOFOLD_DEVICE const Kernel& arguments_of([[maybe_unused]] const Group& group,
                                          const Kernel* kernel) {
  if constexpr (has_arguments<Group>) {
    return group.arguments(*kernel);
  } else {
    return *kernel;
  }
}

// True for a platform of tests with `static bool has_kernel(int number)`: whether that number of
// the list (backends/gpu/plan/select.hpp) is on it.
template <class Platform>
inline constexpr bool may_lack_kernels = false;

template <int wave_width>
using Ballot = std::conditional_t<wave_width == 32, std::uint32_t, std::uint64_t>;

// True for a Group with `template <int count> void exchange_words(uint32_t (&words)[count], int
// mask)`, which does what `exchange` does with each word, at the price of one.
template <class Group>
inline constexpr bool has_exchange_of_words = false;

// True for a Group with `bool all(bool condition)`, which tells in one instruction whether the
// condition holds in all threads of the warp. Collective: every lane of the warp must call.
template <class Group>
inline constexpr bool has_vote = false;

// True for a Group with `template <class T> Pack<T, 16 / sizeof(T)> load_once(const T* address)`,
// which is load() of 16 bytes that nobody reads again, if that is another instruction.
template <class Group>
inline constexpr bool has_load_once = false;

// True for a Group with `float from_half(uint16_t bits)`, the value of a f16, exact but for the
// bits of a NaN, in the vendor's own instruction.
template <class Group>
inline constexpr bool has_from_half = false;

// True for a Group with
//   template <int bytes> void copy_to_shared(void* shared, const void* address)
//                               begins to copy 4, 8 or 16 bytes, both addresses aligned to that, of
//                               memory that does not change while the kernel runs
//   void wait_for_copies()      this thread can read what it has begun to copy before; others can
//                               after a barrier that follows
// which leave the registers alone while data are on their way.
template <class Group>
inline constexpr bool has_copies_to_shared = false;

// True for a Group with copies of a multiple of 16 bytes by one instruction of one thread, both
// addresses aligned to that. They arrive at a word of shared memory, aligned to itself:
//   void begin_arrivals(uint64_t* arrival)   one thread calls it, once in the kernel, before any
//                                            other use; a barrier of all who use it follows
//   void expect(uint64_t* arrival, int bytes)   one thread calls it before it begins copies of that
//                                            many bytes; earlier ones have been waited for
//   void copy_bulk(void* shared, const void* address, int bytes, uint64_t* arrival)
//                                            begins to copy, from memory that does not change while
//                                            the kernel runs; all who have read the old content of
//                                            `shared` have met the thread at a barrier since
//   void end_stores()                        a thread calls it that has stored to shared memory to
//                                            which data may be copied in bulk later
//   void wait_for_arrival(uint64_t* arrival, uint32_t parity)   the calling thread can then read
//                                            what was expected; parity 0 the first time, then 1, 0
template <class Group>
inline constexpr bool has_bulk_copies = false;

// True for a platform whose compiler keeps apart the stores of two branches to different elements
// of an array in registers. (LLVM makes one indexed store of them, and so keeps the array in
// scratch memory.)
template <class Platform>
inline constexpr bool keeps_branches_apart = false;

// True for a kernel that is launched with at most half of its max_threads and may have the
// registers of the others, for a compiler that would rather spill than take them.
template <class Kernel>
inline constexpr bool needs_registers = false;
// True for such a kernel that needs NVIDIA's 255 registers, too.
template <class Kernel>
inline constexpr bool needs_all_registers = false;

// This tells whether a Group's chunks can go through shared memory (stage.hpp): it has copies to
// it, and room for the chunks of as many warps as compute.
template <class Group>
inline constexpr bool has_stages = false;

// True for a platform with Groups that have stages, or bulk copies, which a few kernels need.
template <class Platform>
inline constexpr bool may_have_stages = false;
template <class Platform>
inline constexpr bool may_have_bulk_copies = false;

// The most threads of a block of the kernel if its chunks go through shared memory; 0: they do not.
// The registers are shared by that many: 80 each for 768.
template <class Kernel>
inline constexpr int staged_threads = 0;
// The most threads if its chunks come in bulk, which takes precedence.
template <class Kernel>
inline constexpr int bulk_threads = 0;

// A fold with equal bits in the vendor's own instructions. A platform header specialises it if
// those are faster than what the compiler makes of core/folds.
template <class Platform, class Fold>
struct NativeFold {
  using type = Fold;
};

// True for a pass with `lane fold_lane(const element (&x)[16], int first)`: the lane of a whole
// chunk, for passes whose bits do not depend on the order. `first` is the index of x[0] in the
// chunk; the others follow 64 apart.
template <class Fold>
inline constexpr bool folds_whole_lanes = false;

// blocks <= most_blocks: the x dimension of a grid on every platform.
struct Launch {
  std::int64_t blocks = 1;
  int threads = 1;
  std::size_t shared_bytes = 0;
  bool capturing = false;  // the stream's work becomes a graph
};
inline constexpr std::int64_t most_blocks = INT32_MAX;

// The elements of one wide load. (They may be pointers to structs, which the linter suspects.)
// NOLINTBEGIN(bugprone-sizeof-expression)
template <class T, int count>
struct alignas(sizeof(T) * count) Pack {
  static_assert(sizeof(T) * count <= 16 && (count & (count - 1)) == 0,
                "The widest load of every platform is 16 bytes, and loads are powers of two.");
  T value[std::size_t{count}];
};
// NOLINTEND(bugprone-sizeof-expression)

// `bytes` rounded up to 16: each part of a workspace, and of a block's shared memory, begins at
// such a multiple.
ISOFOLD_HOST_DEVICE constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

}  // namespace isofold::gpu
