// The floating-point control word of the processor that tests set and read: rounding mode, flush to
// zero, and on x86-64 denormals-are-zero, traps and sticky flags.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace test_support {

struct Environment {
  const char* name;
  unsigned word;
};

#if defined(__x86_64__)
#define ISOFOLD_TEST_CONTROL_WORD 1
inline unsigned control_word() { return _mm_getcsr(); }
inline void set_control_word(unsigned word) { _mm_setcsr(word); }
inline constexpr unsigned standard_word = 0x1f80;
inline constexpr Environment leaks[] = {{"flush_to_zero", standard_word | 0x8000},
                                        {"denormals_are_zero", standard_word | 0x0040},
                                        {"both", standard_word | 0x8040},
                                        {"upward", standard_word | 0x4000},
                                        {"downward", standard_word | 0x2000},
                                        {"toward_zero", standard_word | 0x6000},
                                        {"everything", standard_word | 0xc040 | 0x21}};
#elif defined(__aarch64__)
#define ISOFOLD_TEST_CONTROL_WORD 1
inline unsigned control_word() {
  std::uint64_t word = 0;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return static_cast<unsigned>(word);
}
inline void set_control_word(unsigned word) {
  asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{word}) : "memory");
}
inline constexpr unsigned standard_word = 0;
inline constexpr Environment leaks[] = {{"flush_to_zero", 1U << 24},
                                        {"upward", 1U << 22},
                                        {"downward", 2U << 22},
                                        {"toward_zero", 3U << 22},
                                        {"everything", 1U << 24 | 1U << 22}};
#endif

}  // namespace test_support
