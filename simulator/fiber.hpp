// Fibers: points of execution with stacks of their own on one host thread. A switch between two is
// a dozen instructions (x86-64), or swapcontext elsewhere. The sanitizers that the program was
// linked with, if any, are told of every switch.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

// Pushes the registers that a function must keep, leaves its stack pointer in *leaving, and pops
// those at `going`.
extern "C" void isofold_simt_switch(void** leaving, void* going);

namespace isofold::simt {

// This tells whether a switch is isofold_simt_switch() and nothing else: on x86-64, without
// sanitizers.
extern const bool plain_switches;

// A place at which a fiber, or the host, goes on. It is made once; start() uses its stack again.
class Fiber {
 public:
  Fiber() = default;  // the host's own, until a switch leaves it
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // The next switch to the fiber calls body(argument), which never returns. The fiber forgets what
  // it was doing before. `number` spreads the stacks over the sets of the caches.
  void start(void (*body)(void*), void* argument, int number);

  // Leaves `from`, which must be the running one, and goes on at the point where `to` was left.
  // `for_good`: nobody comes back before the next start().
  static void switch_to(Fiber& from, Fiber& to, bool for_good = false) {
    if (plain_switches) {
      isofold_simt_switch(&from.resume_, to.resume_);
    } else {
      switch_slowly(from, to, for_good);
    }
  }

  // The race detector takes whatever runs on this fiber for a thread of its own, from the first
  // call until end_thread(). Both do nothing without a race detector.
  void become_a_thread();
  void end_thread();
  // publish() in the name of a fiber that will not run again.
  void publish_for_it(void* key);

 private:
  friend void fiber_begins();
  static void switch_slowly(Fiber& from, Fiber& to, bool for_good);
  void leave_for(Fiber& to);
  void make_context();

  void* resume_ = nullptr;         // the stack pointer
  ucontext_t* context_ = nullptr;  // or all registers
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  unsigned char* memory_ = nullptr;  // the stack, above its guard page
  std::size_t bytes_ = 0;
  void* race_detector_ = nullptr;
  void* fake_stack_ = nullptr;
};

// This tells whether this program was linked with the sanitizer.
bool has_race_detector();
bool has_address_sanitizer();

// For the race detector: everything that this thread did so far is known to whoever acquires `key`
// later.
void publish(void* key);
void learn(void* key);

}  // namespace isofold::simt
