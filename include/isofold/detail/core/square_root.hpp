// The square root, correctly rounded on every machine, for floats, doubles, and on hosts GNU
// vectors of them.
#pragma once

#include <isofold/detail/core/fma.hpp>

#if defined(__HIP_DEVICE_COMPILE__)
#include <math.h>  // the device's sqrt
#endif

namespace isofold::core {

ISOFOLD_HOST_DEVICE inline double square_root(double x) {
#if defined(__CUDA_ARCH__)
  return __dsqrt_rn(x);
#elif defined(__HIP_DEVICE_COMPILE__)
  // __builtin_sqrt will not do: clang 15 makes one v_sqrt_f64 of it, whose last 29 bits are
  // anything (AMD, "MI200" instruction set manual). The device library refines it.
  return ::sqrt(x);
#else
  return __builtin_sqrt(x);
#endif
}

ISOFOLD_HOST_DEVICE inline float square_root(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#elif defined(__HIP_DEVICE_COMPILE__)
  // AMD's own root is rounded correctly under one compiler flag and not under another. A root
  // rounded to 53 bits and then to 24 is rounded correctly, as 53 >= 2 * 24 + 2.
  return static_cast<float>(square_root(static_cast<double>(x)));
#else
  return __builtin_sqrtf(x);
#endif
}

#if defined(ISOFOLD_HAS_VECTORS)
// The machine's vector instruction if there is one, else number by number.
template <class V, std::enable_if_t<!std::is_arithmetic_v<V>, int> = 0>
ISOFOLD_ARITHMETIC V square_root(V x) {
  using T = component_t<V>;
  [[maybe_unused]] constexpr bool narrow = sizeof(T) == 4;
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64 && narrow) {
    return reinterpret_cast<V>(_mm512_maskz_sqrt_ps(0xffff, reinterpret_cast<__m512>(x)));
  } else if constexpr (sizeof(V) == 64) {
    return reinterpret_cast<V>(_mm512_maskz_sqrt_pd(0xff, reinterpret_cast<__m512d>(x)));
  }
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(V) == 32 && narrow) {
    return reinterpret_cast<V>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
  } else if constexpr (sizeof(V) == 32) {
    return reinterpret_cast<V>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(x)));
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(V) == 16 && narrow) {
    return reinterpret_cast<V>(_mm_sqrt_ps(reinterpret_cast<__m128>(x)));
  } else if constexpr (sizeof(V) == 16) {
    return reinterpret_cast<V>(_mm_sqrt_pd(reinterpret_cast<__m128d>(x)));
  }
#endif
  V root = x;
  for (int i = 0; i < static_cast<int>(sizeof(V) / sizeof(T)); ++i) {
    root[i] = square_root(static_cast<T>(x[i]));
  }
  return root;
}
#endif

}  // namespace isofold::core
