// Switching stacks, and telling ThreadSanitizer and AddressSanitizer about it. This file is
// compiled without instrumentation; the sanitizers' functions are weak, so that one object serves
// programs with and without them.
#include "fiber.hpp"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// The interfaces of sanitizer/tsan_interface.h and sanitizer/common_interface_defs.h, weak.
// NOLINTBEGIN(readability-identifier-naming): the sanitizers' own names.
extern "C" {
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom,
                                                   std::size_t* bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t bytes);
}
// NOLINTEND(readability-identifier-naming)

#if defined(__x86_64__)
// Saves the registers that a function must keep (System V ABI); then the stacks change places. The
// floating-point control words stay: every fiber of a launch has them in common. A fiber begins at
// isofold_simt_enter, with its body in r12 and the body's argument in r13.
asm(R"(
  .text
  .p2align 4
  .globl isofold_simt_switch
  .type isofold_simt_switch, @function
isofold_simt_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size isofold_simt_switch, . - isofold_simt_switch
  .p2align 4
  .hidden isofold_simt_enter
  .globl isofold_simt_enter
  .type isofold_simt_enter, @function
isofold_simt_enter:
  movq %r13, %rdi
  call *%r12
  ud2
  .size isofold_simt_enter, . - isofold_simt_enter
)");
extern "C" void isofold_simt_enter();
#else
extern "C" void isofold_simt_switch(void**, void*) {}
extern "C" void isofold_simt_enter() {}
#endif

namespace isofold::simt {
namespace {

constexpr std::size_t plain_stack = 64 * 1024;
constexpr std::size_t sanitized_stack = 256 * 1024;  // instrumented frames are larger
constexpr unsigned no_synchronisation = 1;           // of __tsan_switch_to_fiber

// One pair for each host thread: a launch is run by one of them from its beginning to its end.
thread_local Fiber* arriving = nullptr;  // where the switch under way leads
thread_local Fiber* departed = nullptr;  // and where it came from

thread_local const void* host_bottom = nullptr;  // AddressSanitizer's idea of the host's stack
thread_local std::size_t host_bytes = 0;

// swapcontext costs two system calls, many times the switch above. It serves the other processors,
// and on this one the tests that compare the two (ISOFOLD_SIMT_FIBERS=ucontext).
#if defined(__x86_64__)
const bool by_ucontext = std::getenv("ISOFOLD_SIMT_FIBERS") != nullptr &&
                         std::strcmp(std::getenv("ISOFOLD_SIMT_FIBERS"), "ucontext") == 0;
#else
constexpr bool by_ucontext = true;
#endif

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "simt: %s\n", what);
  std::abort();
}

}  // namespace

const bool plain_switches =
    !by_ucontext && __sanitizer_start_switch_fiber == nullptr && __tsan_switch_to_fiber == nullptr;

bool has_race_detector() { return __tsan_create_fiber != nullptr; }
bool has_address_sanitizer() { return __asan_unpoison_memory_region != nullptr; }

void publish(void* key) {
  if (__tsan_release != nullptr) {
    __tsan_release(key);
  }
}
void learn(void* key) {
  if (__tsan_acquire != nullptr) {
    __tsan_acquire(key);
  }
}

// Runs first on a fiber's stack, unless switches are plain.
void fiber_begins() {
  Fiber& self = *arriving;
  if (__sanitizer_finish_switch_fiber != nullptr) {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
    if (departed->memory_ == nullptr) {
      host_bottom = bottom;
      host_bytes = bytes;
    }
  }
  self.body_(self.argument_);
  give_up("the body of a fiber returned");
}

Fiber::~Fiber() {
  if (memory_ != nullptr) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    munmap(memory_ - page, bytes_ + page);
  }
  delete context_;
}

void Fiber::start(void (*body)(void*), void* argument, int number) {
  body_ = body;
  argument_ = argument;
  fake_stack_ = nullptr;
  if (memory_ == nullptr) {
    bytes_ = has_race_detector() || has_address_sanitizer() ? sanitized_stack : plain_stack;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* mapped = mmap(nullptr, bytes_ + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED || mprotect(mapped, page, PROT_NONE) != 0) {
      give_up("no memory for the stack of a fiber");
    }
    memory_ = static_cast<unsigned char*>(mapped) + page;
  } else if (has_address_sanitizer()) {
    __asan_unpoison_memory_region(memory_, bytes_);  // poison of frames that were left for good
  }
  // Stacks of equal alignment would share a few sets of each cache.
  const std::size_t top = bytes_ - static_cast<std::size_t>(number % 64) * 192;
  if (by_ucontext) {
    make_context();
    getcontext(context_);
    context_->uc_stack.ss_sp = memory_;
    context_->uc_stack.ss_size = top;
    context_->uc_link = nullptr;
    makecontext(context_, fiber_begins, 0);
    return;
  }
  // The frame that isofold_simt_switch pops: r15, r14, r13, r12, rbx, rbp, then the address to go
  // to. Nulls stand above it, for tools that walk the stack; the first of them at a multiple of 16,
  // as at every call.
  auto** frame = reinterpret_cast<void**>(memory_ + top) - 9;
  for (int i = 0; i < 9; ++i) {
    frame[i] = nullptr;
  }
  const auto address_of = [](auto* function) { return reinterpret_cast<void*>(function); };
  frame[2] = argument;
  frame[3] = address_of(body);
  if (!plain_switches) {
    frame[3] = address_of(fiber_begins);
  }
  frame[6] = address_of(isofold_simt_enter);
  resume_ = frame;
}

void Fiber::make_context() {
  if (context_ == nullptr) {
    context_ = new ucontext_t;
  }
}

void Fiber::switch_slowly(Fiber& from, Fiber& to, bool for_good) {
  if (__sanitizer_start_switch_fiber != nullptr) {
    const bool to_host = to.memory_ == nullptr;
    __sanitizer_start_switch_fiber(for_good ? nullptr : &from.fake_stack_,
                                   to_host ? host_bottom : to.memory_,
                                   to_host ? host_bytes : to.bytes_);
  }
  if (__tsan_switch_to_fiber != nullptr) {
    if (from.race_detector_ == nullptr) {
      from.race_detector_ = __tsan_get_current_fiber();  // the host's
    }
    __tsan_switch_to_fiber(to.race_detector_, no_synchronisation);
  }
  arriving = &to;
  departed = &from;
  from.leave_for(to);
  if (__sanitizer_finish_switch_fiber != nullptr) {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(from.fake_stack_, &bottom, &bytes);
  }
}

void Fiber::leave_for(Fiber& to) {
  if (by_ucontext) {
    make_context();
    swapcontext(context_, to.context_);
  } else {
    isofold_simt_switch(&resume_, to.resume_);
  }
}

void Fiber::become_a_thread() {
  if (__tsan_create_fiber != nullptr && race_detector_ == nullptr) {
    race_detector_ = __tsan_create_fiber(0);
  }
}
void Fiber::end_thread() {
  if (__tsan_destroy_fiber != nullptr && race_detector_ != nullptr) {
    __tsan_destroy_fiber(race_detector_);
    race_detector_ = nullptr;
  }
}

void Fiber::publish_for_it(void* key) {
  if (__tsan_switch_to_fiber != nullptr && race_detector_ != nullptr) {
    void* present = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(race_detector_, no_synchronisation);
    publish(key);
    __tsan_switch_to_fiber(present, no_synchronisation);
  }
}

}  // namespace isofold::simt
