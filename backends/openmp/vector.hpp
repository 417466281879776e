// GNU vectors: the few operations that the loops need, the same for every width. The instruction
// set is the translation unit's (CMakeLists.txt makes one for each, AVX-512 among them); only masks
// ask which it is.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <isofold/detail/core/number.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ISOFOLD_INLINE inline __attribute__((always_inline))

namespace isofold::openmp {
namespace {

template <class T, int count>
struct VectorOf {
  typedef T type __attribute__((vector_size(count * sizeof(T))));
};
template <class T, int count>
using Vector = typename VectorOf<T, count>::type;

template <class V>
using Component = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<V&>()[0])>>;
template <class V>
inline constexpr int width_of = static_cast<int>(sizeof(V) / sizeof(Component<V>));

template <class V>
ISOFOLD_INLINE V broadcast(Component<V> value) {
  return value - V{};  // value - (+0) is value, bit for bit
}

// Alignment to the element is enough.
template <class V>
ISOFOLD_INLINE V load(const Component<V>* x) {
  V v;
  std::memcpy(&v, x, sizeof v);
  return v;
}

// Converts integers to wider ones, component by component. GCC 12 makes four instructions of a
// conversion to 512 bits where the machine has one, and more to 256, which sums of i32 cannot
// afford; it warns of its own header for 512 bits unless a mask is given.
template <class Wide, class Narrow>
ISOFOLD_INLINE Wide widen(Narrow x) {
  [[maybe_unused]] constexpr bool is_signed = std::is_signed_v<Component<Narrow>>;
  [[maybe_unused]] constexpr bool is_doubled = std::is_integral_v<Component<Narrow>> &&
                                               sizeof(Component<Narrow>) == 4 &&
                                               sizeof(Component<Wide>) == 8;
#if defined(__AVX512F__)
  if constexpr (is_doubled && sizeof(Wide) == 64) {
    constexpr __mmask8 all = 0xff;
    if constexpr (is_signed) {
      return (Wide)_mm512_maskz_cvtepi32_epi64(all, (__m256i)x);
    } else {
      return (Wide)_mm512_maskz_cvtepu32_epi64(all, (__m256i)x);
    }
  }
#endif
#if defined(__AVX2__)
  if constexpr (is_doubled && sizeof(Wide) == 32) {
    if constexpr (is_signed) {
      return (Wide)_mm256_cvtepi32_epi64((__m128i)x);
    } else {
      return (Wide)_mm256_cvtepu32_epi64((__m128i)x);
    }
  }
#endif
  return __builtin_convertvector(x, Wide);
}

template <class V>
__attribute__((noinline)) void load_first_slowly(const Component<V>* x, int count, V& v) {
  Component<V> components[width_of<V>];
  std::memcpy(components, &v, sizeof v);
#pragma GCC unroll 1
  for (int i = 0; i < count; ++i) {
    components[i] = x[i];
  }
  v = load<V>(components);
}

// The first `count` components from memory, 0 < count < width, the others from `rest`; nothing
// past x[count - 1] is touched.
template <class V>
ISOFOLD_INLINE V load_first(const Component<V>* x, int count, V rest) {
#if defined(__AVX512VL__)
  const auto mask = static_cast<unsigned>((1U << count) - 1U);
  constexpr bool narrow = sizeof(Component<V>) == 4;
  if constexpr (sizeof(V) == 64 && narrow) {
    return (V)_mm512_mask_loadu_epi32((__m512i)rest, static_cast<__mmask16>(mask), x);
  } else if constexpr (sizeof(V) == 64) {
    return (V)_mm512_mask_loadu_epi64((__m512i)rest, static_cast<__mmask8>(mask), x);
  } else if constexpr (sizeof(V) == 32 && narrow) {
    return (V)_mm256_mask_loadu_epi32((__m256i)rest, static_cast<__mmask8>(mask), x);
  }
#elif defined(__AVX2__)
  static constexpr std::int32_t ones_then_zeros[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  const auto* first = ones_then_zeros + 8 - count * static_cast<int>(sizeof(*x) / 4);
  if constexpr (sizeof(V) == 32) {
    const __m256i mask = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
    const __m256i v = _mm256_maskload_epi32(reinterpret_cast<const int*>(x), mask);
    return (V)_mm256_blendv_epi8((__m256i)rest, v, mask);
  } else if constexpr (sizeof(V) == 16) {
    const __m128i mask = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first));
    const __m128i v = _mm_maskload_epi32(reinterpret_cast<const int*>(x), mask);
    return (V)_mm_blendv_epi8((__m128i)rest, v, mask);
  }
#endif
  load_first_slowly(x, count, rest);
  return rest;
}

// The first `split` components from `a`, the others of `count` from where they are behind `b`, 0 <
// split < count <= width; nothing else is touched. The components behind them may be anything.
template <class V>
__attribute__((noinline)) void load_joined_slowly(const Component<V>* a, int split,
                                                  const Component<V>* b, int count, V& v) {
  Component<V> components[width_of<V>]{};
#pragma GCC unroll 1
  for (int i = 0; i < count; ++i) {
    components[i] = i < split ? a[i] : b[i];
  }
  v = load<V>(components);
}
template <class V>
ISOFOLD_INLINE V load_joined(const Component<V>* a, int split, const Component<V>* b, int count) {
#if defined(__AVX512VL__)
  const auto low = static_cast<unsigned>((1U << split) - 1U);
  const auto all = static_cast<unsigned>((std::uint64_t{1} << count) - 1U);
  const unsigned high = all & ~low;
  constexpr bool narrow = sizeof(Component<V>) == 4;
  if constexpr (sizeof(V) == 64 && narrow) {
    const __m512i first = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(low), a);
    return (V)_mm512_mask_loadu_epi32(first, static_cast<__mmask16>(high), b);
  } else if constexpr (sizeof(V) == 64) {
    const __m512i first = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(low), a);
    return (V)_mm512_mask_loadu_epi64(first, static_cast<__mmask8>(high), b);
  } else if constexpr (sizeof(V) == 32 && narrow) {
    const __m256i first = _mm256_maskz_loadu_epi32(static_cast<__mmask8>(low), a);
    return (V)_mm256_mask_loadu_epi32(first, static_cast<__mmask8>(high), b);
  } else if constexpr (sizeof(V) == 32) {
    const __m256i first = _mm256_maskz_loadu_epi64(static_cast<__mmask8>(low), a);
    return (V)_mm256_mask_loadu_epi64(first, static_cast<__mmask8>(high), b);
  }
#elif defined(__AVX2__)
  static constexpr std::int32_t ones_then_zeros[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  if constexpr (sizeof(V) == 32) {
    const auto mask_of = [](int components) {
      const auto* first = ones_then_zeros + 8 - components * static_cast<int>(sizeof(*a) / 4);
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
    };
    const __m256i low = mask_of(split);
    const __m256i high = _mm256_andnot_si256(low, mask_of(count));
    return (V)_mm256_or_si256(_mm256_maskload_epi32(reinterpret_cast<const int*>(a), low),
                              _mm256_maskload_epi32(reinterpret_cast<const int*>(b), high));
  }
#endif
  V v;
  load_joined_slowly(a, split, b, count, v);
  return v;
}

// The first `count` complex numbers from memory, 0 < count <= width, whose parts lie in turn; the
// others are zero, and nothing behind them is touched.
template <class V, int... i>
ISOFOLD_INLINE core::Complex<V> parted(V low, V high, std::integer_sequence<int, i...>) {
  return {__builtin_shufflevector(low, high, (2 * i)...),
          __builtin_shufflevector(low, high, (2 * i + 1)...)};
}
template <class V>
ISOFOLD_INLINE core::Complex<V> load_complex(const Component<V>* x, int count) {
  constexpr int width = width_of<V>;
  const int parts = 2 * count;
  const V low = parts >= width ? load<V>(x) : load_first<V>(x, parts, V{});
  const V high = parts == 2 * width ? load<V>(x + width)
                 : parts > width    ? load_first<V>(x + width, parts - width, V{})
                                    : V{};
  return parted(low, high, std::make_integer_sequence<int, width>{});
}

// The two halves of every group of 2h components, gathered from `a` and then from `b`.
template <int h, class V, int... i>
ISOFOLD_INLINE V lower_parts(V a, V b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, (i / h * 2 * h + i % h)...);
}
template <int h, class V, int... i>
ISOFOLD_INLINE V upper_parts(V a, V b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, (i / h * 2 * h + i % h + h)...);
}

// One step of halving with stride h in each group of 2h components of a and of b; the groups of h
// that result lie one after the other, those of a first.
template <int h, class V, class Combine>
ISOFOLD_INLINE V halve(V a, V b, Combine combine) {
  using Indices = std::make_integer_sequence<int, width_of<V>>;
  return combine(lower_parts<h>(a, b, Indices{}), upper_parts<h>(a, b, Indices{}));
}

// All of the halving within one vector. The upper half of a wide vector is a vector of its own:
// narrower operations have shorter latencies.
template <class V, int... i>
ISOFOLD_INLINE auto upper_half(V v, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(v, v, (i + width_of<V> / 2)...);
}
template <class V, int... i>
ISOFOLD_INLINE auto lower_half(V v, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(v, v, i...);
}
template <int h, class V, class Combine>
ISOFOLD_INLINE Component<V> halve_lanes(V v, Combine combine) {
  if constexpr (h == 0) {
    return v[0];
  } else if constexpr (sizeof(V) > 16) {
    using Indices = std::make_integer_sequence<int, h>;
    return halve_lanes<h / 2>(combine(lower_half(v, Indices{}), upper_half(v, Indices{})), combine);
  } else {
    return halve_lanes<h / 2>(halve<h>(v, v, combine), combine);
  }
}

// This tells whether any bit of a vector of masks or numbers is set.
template <class V>
ISOFOLD_INLINE bool any_set(V v) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) {
    return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(V) == 32) {
    return _mm256_testz_si256((__m256i)v, (__m256i)v) == 0;
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(V) == 16) {
    return _mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)v, _mm_setzero_si128())) != 0xffff;
  }
#endif
  Component<V> any = 0;
  for (int i = 0; i < width_of<V>; ++i) {
    any |= v[i];
  }
  return any != 0;
}

// Keeps a value in its register: GCC would spill one of sixteen accumulators in every step, and
// load twice what is used twice.
template <class V>
ISOFOLD_INLINE void pin([[maybe_unused]] V& v) {
#if defined(__AVX512VL__)
  asm volatile("" : "+v"(v));
#elif defined(__SSE2__)
  asm volatile("" : "+x"(v));
#endif
}

#if defined(__AVX512VL__) || defined(__aarch64__)
inline constexpr int registers = 32;
#else
inline constexpr int registers = 16;
#endif

}  // namespace
}  // namespace isofold::openmp
