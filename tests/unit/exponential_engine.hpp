// exp, log and fma over arrays, by the vectors of one instruction set: exponential_engine.cpp,
// compiled once for each.
#pragma once

#include <cstddef>
#include <type_traits>

namespace exponential_test {

// y[i] = function(x[i]); of fma, y[i] = fma(x[i], x[i + 1], x[i + 2]). Counts are multiples of 16.
template <class T>
using Apply = void (*)(const T* x, T* y, std::size_t count);
template <class T>
struct Functions {
  Apply<T> exp;
  Apply<T> exp_nonpositive;
  Apply<T> log;
  Apply<T> fma;
};

struct Engine {
  const char* name;
  Functions<float> f32;
  Functions<double> f64;

  template <class T>
  const Functions<T>& of() const {
    if constexpr (std::is_same_v<T, float>) {
      return f32;
    } else {
      return f64;
    }
  }
};

extern const Engine scalar_engine;
extern const Engine baseline_engine;
#if defined(__x86_64__)
extern const Engine avx2_engine;    // to be used only where the machine has AVX2 and FMA
extern const Engine avx512_engine;  // and AVX-512 F, BW, DQ and VL
#endif

}  // namespace exponential_test
