// The floating-point environment of the definition: round to nearest, no flush to zero, traps
// masked. Codes built with -ffast-math start with FTZ and DAZ set, and a few libraries change the
// rounding mode. Every entry point that computes therefore holds one of these, in each of its
// threads.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace isofold {

#if defined(__x86_64__)
// The word is read first and written only if it differs: an unconditional write is slow enough to
// see in small calls (docs/decisions/045).
class FloatEnvironment {
 public:
  FloatEnvironment() noexcept : callers_(_mm_getcsr()) {
    if (__builtin_expect((callers_ & ~flags) != standard, 0)) {
      _mm_setcsr(standard | (callers_ & flags));
    }
  }
  ~FloatEnvironment() {
    if (__builtin_expect(_mm_getcsr() != callers_, 0)) {
      _mm_setcsr(callers_);
    }
  }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  static constexpr unsigned flags = 0x3f;       // sticky exception flags
  static constexpr unsigned standard = 0x1f80;  // all traps masked, nearest, no FTZ, no DAZ
  unsigned callers_;
};
#elif defined(__aarch64__)
class FloatEnvironment {
 public:
  FloatEnvironment() noexcept {
    asm volatile("mrs %0, fpcr" : "=r"(control_));
    asm volatile("mrs %0, fpsr" : "=r"(status_));
    if (control_ != 0) {
      asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}) : "memory");
    }
  }
  ~FloatEnvironment() {
    if (control_ != 0) {
      asm volatile("msr fpcr, %0" : : "r"(control_) : "memory");
    }
    asm volatile("msr fpsr, %0" : : "r"(status_) : "memory");
  }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  std::uint64_t control_ = 0;
  std::uint64_t status_ = 0;
};
#else
class FloatEnvironment {
 public:
  FloatEnvironment() noexcept {
    std::feholdexcept(&callers_);
    std::fesetround(FE_TONEAREST);
  }
  ~FloatEnvironment() { std::fesetenv(&callers_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  std::fenv_t callers_;
};
#endif

}  // namespace isofold
