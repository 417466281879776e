// A launch on the emulated GPU, for machine.hpp: its blocks, warps and threads, and the order in
// which they run. Each GPU thread is a fiber. It runs until it must wait for others of its warp or
// block; the next one to run is drawn from a seeded generator, over all threads of all resident
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fiber.hpp"
#include "random.hpp"

namespace isofold::simt {

class Grid;
struct Block;
struct Warp;

// The point at which a thread waits: for its warp, for its block, or for nothing more.
enum class Stop { exchange, warp_barrier, loads_issued, barrier, end };
inline constexpr int stops = 5;
inline constexpr int widest_wave = 64;
inline constexpr int most_words = 16;  // of an exchange

// A copy to shared memory that a thread has begun.
struct Copy {
  void* to;
  const void* from;
  int bytes;
};

// The copies of one arrival, without memory of the heap, which the race detector would see.
struct Copies {
  static constexpr int most = 2;  // one for each of two arrays
  int count = 0;
  Copy copy[most] = {};
};

// A word of shared memory at which bulk copies arrive.
struct Arrival {
  const void* word = nullptr;
  int expected = 0;  // bytes; 0: none
  int begun = 0;     // bytes of copies
  int done = 0;      // how often all expected bytes have arrived
  Copies copies;     // begun, but not yet made
  char order = 0;    // address for the race detector
};
inline constexpr int most_arrivals = 64;

struct Thread {
  int number = 0;  // in its block
  int lane = 0;    // in its warp
  Block* block = nullptr;
  Warp* warp = nullptr;
  int barriers = 0;  // calls so far
  int warp_barriers = 0;
  std::vector<Copy> copies;  // begun, but not yet waited for
  // The words of this exchange and of the last one, which slower lanes may not have read yet.
  std::uint32_t words[2][most_words] = {};
  Fiber fiber;
};

// Lanes as bits.
struct Warp {
  Block* block = nullptr;
  int first = 0;  // the number of its first thread
  std::uint64_t ready = 0;
  std::uint64_t stopped[stops] = {};
  int masks[widest_wave] = {};  // of this exchange; and how many words it has
  int counts[widest_wave] = {};
  std::int64_t exchanges = 0;
  std::int64_t warp_barriers = 0;
  std::size_t place = 0;  // among the warps that can run
  char order[2] = {};  // addresses for the race detector: what this barrier and the last one order
};

struct Block {
  std::int64_t number = 0;
  Grid* grid = nullptr;
  unsigned char* shared = nullptr;
  std::vector<Thread*> threads;
  std::vector<Warp> warps;
  Arrival arrivals[most_arrivals];
  int arrival_count = 0;
  int at_barrier = 0;
  int at_end = 0;
  std::int64_t barriers = 0;
  char order[2] = {};
};

// Defects that the emulator's own tests plant: the n-th call of each thread, numbered from 0, is
// left out; -1 leaves all in. A kernel without one of these calls must be found out.
struct Omission {
  int barrier = -1;
  int warp_barrier = -1;
  bool order_of_arrival = false;  // arrive() is an atomic that neither releases nor acquires
  bool zeroing = false;           // memory to be zeroed stays as it is
};

// Device memory that the kernel may read by load(): the allocation that was asked for last.
struct Extent {
  std::uintptr_t first = 0;
  std::size_t bytes = 0;
};

struct Work {
  void (*body)(const void* kernel, Thread* thread) = nullptr;  // one thread's call of the kernel
  const void* kernel = nullptr;
  std::int64_t blocks = 1;
  int threads = 1;
  int wave_width = 32;
  std::size_t shared_bytes = 0;
};

// Runs launches, one after the other.
class Grid {
 public:
  // find(address) returns the allocation around an address, one of no bytes if there is none.
  using Find = Extent (*)(void* owner, std::uintptr_t address);
  Grid(Random& random, Find find, void* owner) : random_(random), find_(find), owner_(owner) {}
  ~Grid();
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  // Returns "", or what is wrong with the kernel. All of its threads are gone afterwards.
  std::string run(const Work& work);

  // ---- for the thread that runs
  void barrier(Thread& thread);
  void warp_barrier(Thread& thread);
  void exchange(Thread& thread, std::uint32_t* words, int count, int mask);
  void loads_issued(Thread& thread);
  void pause(Thread& thread);  // others may run first
  void begin_arrivals(Thread& thread, const void* word);
  void expect(Thread& thread, const void* word, int bytes);
  // Notes a copy that arrives at `word`. True: the thread makes it at once, and calls copied()
  // after it.
  bool copies_now(Thread& thread, const void* word, const Copy& copy);
  void copied(Thread& thread, const void* word);
  // Waits, and returns the copies that the thread must make before it calls end_arrival(); none if
  // all have arrived.
  Copies wait_for_arrival(Thread& thread, const void* word, std::uint32_t parity);
  void end_arrival(Thread& thread, const void* word);
  void check_load(Thread& thread, const void* address, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at % bytes != 0 || extent_.bytes < bytes || at - extent_.first > extent_.bytes - bytes) {
      check_load_slowly(thread, at, bytes);
    }
  }
  void check_shared(Thread& thread, const void* address, std::size_t bytes);
  std::int64_t blocks() const { return work_.blocks; }
  int threads_of_block() const { return work_.threads; }

  Omission omission;

 private:
  static void run_thread(void* thread);
  void start_block();
  std::int64_t draw_block();
  void retire(Block& block);
  void abandon();
  Thread* idle_thread();
  void stop(Thread& thread, Stop why);
  void next(Fiber& leaving, bool for_good);
  void settle(Warp& warp);
  void settle_barrier(Warp& warp);
  void settle_end(Warp& warp);
  void can_run(Warp& warp);
  void cannot_run(Warp& warp);
  void check_load_slowly(Thread& thread, std::uintptr_t address, std::size_t bytes);
  [[noreturn]] void fail(const std::string& sentence);
  [[noreturn]] void fail_by_load(const Thread& thread, std::uintptr_t address, std::size_t bytes);
  [[noreturn]] void fail_by_mask(const Thread& thread, int mask);
  [[noreturn]] void diverged(const Warp& warp);
  Arrival& arrival_at(Thread& thread, const void* word);
  std::string name_of(const Block& block, int thread) const;

  Random& random_;
  Find find_;
  void* owner_;  // find's first argument
  Work work_;
  Extent extent_;
  Fiber* host_ = nullptr;
  Block* finished_ = nullptr;  // the block that led back to the host
  std::string error_;
  std::uint64_t every_lane_ = 0;
  std::int64_t drawn_ = 0;            // blocks that have been in the window
  std::vector<std::int64_t> window_;  // numbers of the blocks that may start next
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> idle_blocks_;
  std::vector<std::unique_ptr<Thread>> pool_;
  std::vector<Thread*> idle_threads_;
  std::vector<Warp*> runnable_;
  Warp* current_ = nullptr;
  char launched_ = 0;  // addresses for the race detector
  char ended_ = 0;
};

}  // namespace isofold::simt
