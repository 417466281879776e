// fma(a, b, c): a * b + c, rounded once, with the same bits on every machine, for floats, doubles,
// and on hosts GNU vectors of them. It is the machine's instruction if there is one, chosen when
// compiling or, for code compiled for machines without it, at the call; else it is computed in
// integers. Rounding is to nearest, as everywhere in folds. Which NaN comes out is the machine's
// affair.
#pragma once

#include <type_traits>
#include <utility>

#include <isofold/detail/core/number.hpp>

#if !defined(__CUDACC__) && !defined(__HIPCC__)
#define ISOFOLD_HAS_VECTORS 1
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#endif

// Arithmetic that loops of several instruction sets share must leave no copy of itself for a linker
// to merge (backends/openmp/instruction_set_scope.hpp): on hosts it is inlined, whatever the
// optimiser thinks.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define ISOFOLD_ARITHMETIC ISOFOLD_HOST_DEVICE inline
#else
#define ISOFOLD_ARITHMETIC inline __attribute__((always_inline))
#endif

namespace isofold::core {

// The type of V's components; V itself if V is a float or a double.
template <class V, class = void>
struct ComponentOf {
  using type = std::remove_reference_t<decltype(std::declval<V&>()[0])>;
};
template <class V>
struct ComponentOf<V, std::enable_if_t<std::is_arithmetic_v<V>>> {
  using type = V;
};
template <class V>
struct ComponentOf<Complex<V>> : ComponentOf<V> {};
template <class V>
using component_t = typename ComponentOf<V>::type;

// fma in software, for any float or double values, as if to the nearest even. The functions are
// static, so that each translation unit keeps its own, compiled for its own instruction set.
namespace soft_fma {

// The exact product of two floats is a double. The sum of that and c is rounded "to odd": if
// inexact, towards zero and then with the last bit set, which keeps what the second rounding has to
// know, as 53 >= 24 + 2 (S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums:
// proved algorithms using rounding to odd, IEEE Trans. Comp. 57(4), 2008). No double over- or
// underflows.
static inline float fma(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = static_cast<double>(c);
  const double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);  // Knuth's TwoSum
  auto bits = bit_cast<std::uint64_t>(sum);
  if ((error < 0 || error > 0) && (bits & 1U) == 0) {  // neither for a NaN
    const bool sum_is_short = (error > 0) == (sum > 0);
    bits = sum_is_short ? bits + 1 : bits - 1;
  }
  return static_cast<float>(bit_cast<double>(bits));
}

__extension__ typedef unsigned __int128 Wide;

// magnitude * 2^exponent.
struct Scaled {
  Wide magnitude;
  int exponent;
};

inline constexpr int lowest_exponent = -1074;  // of a double's last bit

static inline int leading_zeros(Wide x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll(static_cast<std::uint64_t>(x));
}

// x with its highest bit moved to 126, so that two such numbers can be added; x is not 0.
static inline Scaled normalized(Scaled x) {
  const int shift = leading_zeros(x.magnitude) - 1;
  return {x.magnitude << shift, x.exponent - shift};
}

static inline Scaled magnitude_of(double x) {
  const auto bits = bit_cast<std::uint64_t>(x);
  const auto fraction = bits & 0xfffffffffffffU;
  const int biased = static_cast<int>((bits >> 52) & 0x7ffU);
  return biased == 0 ? Scaled{fraction, lowest_exponent}
                     : Scaled{fraction | 0x10000000000000U, biased - 1 + lowest_exponent};
}

// x / 2^shift, its last bit set if any bit was lost.
static inline Wide shifted_right(Wide x, int shift) {
  if (shift <= 0) {
    return x;
  }
  if (shift > 127) {
    return x != 0 ? 1 : 0;
  }
  const Wide kept = x >> shift;
  return kept | (kept << shift != x ? 1U : 0U);
}

// The nearest double of a value that is not 0, whose last bit may stand for lost ones below it.
static inline double rounded(bool negative, Scaled x) {
  const int wanted = x.exponent + 128 - leading_zeros(x.magnitude) - 53;
  const int exponent = wanted > lowest_exponent ? wanted : lowest_exponent;
  const std::uint64_t sign = negative ? std::uint64_t{1} << 63 : 0;
  if (exponent > 1023 - 52) {
    return bit_cast<double>(sign | 0x7ff0000000000000U);
  }
  // Two bits more than a double has, then the rounding; a carry runs into the exponent as it
  // should.
  const int shift = exponent - 2 - x.exponent;
  const Wide kept = shift < 0 ? x.magnitude << -shift : shifted_right(x.magnitude, shift);
  const auto bits = static_cast<std::uint64_t>(kept);
  const std::uint64_t up = (bits & 3U) == 3 || (bits & 7U) == 6 ? 1 : 0;
  const auto steps = static_cast<std::uint64_t>(exponent - lowest_exponent);
  return bit_cast<double>(sign | ((bits >> 2) + up + (steps << 52)));
}

static inline double fma(double a, double b, double c) {
  const double infinity = highest<double>();
  const bool a_b_finite = a - a == 0 && b - b == 0;
  if (!a_b_finite || a == 0 || b == 0) {
    return a * b + c;  // the product is exact, infinite or a NaN
  }
  if (!(c > -infinity && c < infinity)) {
    return c + c;  // not the product's infinity, if it overflows
  }
  if (c == 0) {
    return a * b;  // and its sign, if it underflows
  }
  const bool product_negative = (a < 0) != (b < 0);
  const bool addend_negative = c < 0;
  const Scaled x = magnitude_of(a);
  const Scaled y = magnitude_of(b);
  const Scaled product = normalized({x.magnitude * y.magnitude, x.exponent + y.exponent});
  const Scaled addend = normalized(magnitude_of(c));
  const bool product_larger =
      product.exponent > addend.exponent ||
      (product.exponent == addend.exponent && product.magnitude >= addend.magnitude);
  const Scaled large = product_larger ? product : addend;
  const Scaled small = product_larger ? addend : product;
  const bool negative = product_larger ? product_negative : addend_negative;
  // 126 - 105 low bits of the larger are zero. If a shift loses bits, then the sum or difference
  // keeps at least 126 bits above the mark of them; else the difference is exact.
  const Wide shifted = shifted_right(small.magnitude, large.exponent - small.exponent);
  const Wide magnitude =
      product_negative == addend_negative ? large.magnitude + shifted : large.magnitude - shifted;
  return magnitude == 0 ? 0.0 : rounded(negative, {magnitude, large.exponent});
}

}  // namespace soft_fma

// Hosts. Without FMA at compile time, the instruction is taken if the machine has it. The answer is
// filled in before any constructor of a program runs; asked even earlier, it is no, and the
// software gives equal bits.
#if defined(__x86_64__) && !defined(__FMA__)
#define ISOFOLD_ASKS_FOR_FMA 1
template <class T>
__attribute__((target("fma"))) static inline T fma_by_instruction(T a, T b, T c) {
  if constexpr (sizeof(T) == 4) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
}
#endif

#if !defined(__FMA__) && !defined(__aarch64__)
// c[i] = fma(a[i], b[i], c[i]) for `count` numbers. It is not inlined: an exponential has ten of
// them, for each component of a vector, and the compiler would take minutes over that.
template <class T>
__attribute__((noinline)) static void fma_each(const T* a, const T* b, T* c, int count) {
#if defined(ISOFOLD_ASKS_FOR_FMA)
  if (__builtin_cpu_supports("fma") != 0) {
    for (int i = 0; i < count; ++i) {
      c[i] = fma_by_instruction(a[i], b[i], c[i]);
    }
    return;
  }
#endif
  for (int i = 0; i < count; ++i) {
    c[i] = soft_fma::fma(a[i], b[i], c[i]);
  }
}
#endif

template <class T>
ISOFOLD_ARITHMETIC T host_scalar_fma(T a, T b, T c) {
#if defined(__FMA__) || defined(__aarch64__)
  if constexpr (sizeof(T) == 4) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
#else
  fma_each(&a, &b, &c, 1);
  return c;
#endif
}

#if defined(ISOFOLD_HAS_VECTORS)
// The machine's vector instructions, wider vectors in halves; without FMA at compile time, number
// by number.
template <class V>
ISOFOLD_ARITHMETIC V host_vector_fma(V a, V b, V c) {
  using T = component_t<V>;
  [[maybe_unused]] constexpr bool narrow = sizeof(T) == 4;
#if defined(__x86_64__) && defined(__FMA__)
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64 && narrow) {
    return reinterpret_cast<V>(_mm512_fmadd_ps(
        reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
  } else if constexpr (sizeof(V) == 64) {
    return reinterpret_cast<V>(_mm512_fmadd_pd(
        reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b), reinterpret_cast<__m512d>(c)));
  } else
#endif
      if constexpr (sizeof(V) == 32 && narrow) {
    return reinterpret_cast<V>(_mm256_fmadd_ps(
        reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
  } else if constexpr (sizeof(V) == 32) {
    return reinterpret_cast<V>(_mm256_fmadd_pd(
        reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b), reinterpret_cast<__m256d>(c)));
  } else if constexpr (sizeof(V) == 16 && narrow) {
    return reinterpret_cast<V>(_mm_fmadd_ps(
        reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b), reinterpret_cast<__m128>(c)));
  } else if constexpr (sizeof(V) == 16) {
    return reinterpret_cast<V>(_mm_fmadd_pd(
        reinterpret_cast<__m128d>(a), reinterpret_cast<__m128d>(b), reinterpret_cast<__m128d>(c)));
  } else
#endif
  {
    constexpr int count = static_cast<int>(sizeof(V) / sizeof(T));
#if defined(__FMA__) || defined(__aarch64__)
    V result = c;
    for (int i = 0; i < count; ++i) {
      result[i] = host_scalar_fma<T>(a[i], b[i], c[i]);
    }
    return result;
#else
    T x[static_cast<unsigned>(count)];
    T y[static_cast<unsigned>(count)];
    T z[static_cast<unsigned>(count)];
    memcpy(x, &a, sizeof a);
    memcpy(y, &b, sizeof b);
    memcpy(z, &c, sizeof c);
    fma_each(x, y, z, count);
    memcpy(&c, z, sizeof c);
    return c;
#endif
  }
}
#endif

template <class V>
ISOFOLD_ARITHMETIC V fma(V a, V b, V c) {
  using T = component_t<V>;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "fma takes floats, doubles and vectors of them.");
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 4) {
    return __fmaf_rn(a, b, c);
  } else {
    return __fma_rn(a, b, c);
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  if constexpr (sizeof(T) == 4) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
#elif defined(ISOFOLD_HAS_VECTORS)
  if constexpr (std::is_same_v<T, V>) {
    return host_scalar_fma(a, b, c);
  } else {
    return host_vector_fma(a, b, c);
  }
#else
  return host_scalar_fma(a, b, c);
#endif
}

}  // namespace isofold::core
