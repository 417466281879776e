// Conversions of contiguous elements to the values that folds compute with, in the instruction set
// of the translation unit: core/conversion.hpp, a vector at a time.
#pragma once

#include <isofold/detail/core/conversion.hpp>
#include <request/converted_elements.hpp>

#include "vector.hpp"
#include "vector_folds.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::Convert;

// How far ahead a conversion prefetches its lines: the piece is folded before the next one is read,
// and the processor's own prefetching does not look across that pause. Half and twice the distance
// are level with it (docs/decisions/049).
inline constexpr int prefetch_bytes = 4096;

#if defined(__AVX512F__)
// These are intrinsics, for GCC 12 makes several instructions of a conversion where the machine has
// one; with masks, for it warns of its own header without.
using FoldVector = __m512i;
inline constexpr __mmask16 all_lanes = 0xffff;
ISOFOLD_INLINE FoldVector load_converted(const std::int8_t* x) {
  return _mm512_maskz_cvtepi8_epi32(all_lanes, _mm_loadu_si128((const __m128i*)x));
}
ISOFOLD_INLINE FoldVector load_converted(const std::uint8_t* x) {
  return _mm512_maskz_cvtepu8_epi32(all_lanes, _mm_loadu_si128((const __m128i*)x));
}
ISOFOLD_INLINE FoldVector load_converted(const std::int16_t* x) {
  return _mm512_maskz_cvtepi16_epi32(all_lanes, _mm256_loadu_si256((const __m256i*)x));
}
ISOFOLD_INLINE FoldVector load_converted(const std::uint16_t* x) {
  return _mm512_maskz_cvtepu16_epi32(all_lanes, _mm256_loadu_si256((const __m256i*)x));
}
ISOFOLD_INLINE FoldVector load_converted(const isofold_bf16* x) {
  return _mm512_maskz_slli_epi32(all_lanes, load_converted((const std::uint16_t*)x), 16);
}
ISOFOLD_INLINE FoldVector load_converted(const isofold_f16* x) {
  return (__m512i)_mm512_maskz_cvtph_ps(all_lanes, _mm256_loadu_si256((const __m256i*)x));
}
#elif defined(__AVX2__) && defined(__F16C__)
using FoldVector = __m256i;
ISOFOLD_INLINE FoldVector load_converted(const std::int8_t* x) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i*)x));
}
ISOFOLD_INLINE FoldVector load_converted(const std::uint8_t* x) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)x));
}
ISOFOLD_INLINE FoldVector load_converted(const std::int16_t* x) {
  return _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i*)x));
}
ISOFOLD_INLINE FoldVector load_converted(const std::uint16_t* x) {
  return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)x));
}
ISOFOLD_INLINE FoldVector load_converted(const isofold_bf16* x) {
  return _mm256_slli_epi32(load_converted((const std::uint16_t*)x), 16);
}
ISOFOLD_INLINE FoldVector load_converted(const isofold_f16* x) {
  return (__m256i)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)x));
}
#else
using FoldVector = Vector<float, 4>;
ISOFOLD_INLINE FoldVector load_converted(const isofold_f16* x) {
  using Words = Vector<std::int32_t, 4>;
#if defined(__SSE2__)
  const __m128i bits = _mm_loadl_epi64((const __m128i*)x);
  return core::from_half<FoldVector>((Words)_mm_unpacklo_epi16(bits, __m128i{}));
#else
  const auto bits = load<Vector<std::uint16_t, 4>>((const std::uint16_t*)x);
  return core::from_half<FoldVector>(__builtin_convertvector(bits, Words));
#endif
}
#endif

// The compiler makes good vectors of the others.
template <class T, class = void>
inline constexpr bool has_load = false;
template <class T>
inline constexpr bool
    has_load<T, decltype(static_cast<void>(load_converted(std::declval<const T*>())))> = true;

// A line of elements. The loop is of constant length, so that the compiler makes vectors of it.
template <class T>
ISOFOLD_INLINE void convert_line(const T* x, computed_t<T>* __restrict to) {
  constexpr int elements = 64 / static_cast<int>(sizeof(T));
  if constexpr (has_load<T>) {
    constexpr int width = sizeof(FoldVector) / sizeof(*to);
#pragma GCC unroll 8
    for (int i = 0; i < elements; i += width) {
      const FoldVector values = load_converted(x + i);
      std::memcpy(to + i, &values, sizeof values);
    }
  } else {
    for (int i = 0; i < elements; ++i) {
      to[i] = core::computed(x[i]);
    }
  }
}

template <class T>
void convert(const void* elements, std::int64_t count, void* values) {
  constexpr int line = 64 / static_cast<int>(sizeof(T));
  const auto* x = static_cast<const T*>(elements);
  auto* __restrict to = static_cast<computed_t<T>*>(values);
  for (; count >= line; count -= line, x += line, to += line) {
    __builtin_prefetch(reinterpret_cast<const char*>(x) + prefetch_bytes);
    convert_line(x, to);
  }
#pragma GCC unroll 1
  for (int i = 0; i < static_cast<int>(count); ++i) {
    to[i] = core::computed(x[i]);
  }
}

// nullptr where elements are computed with as they are.
template <class T>
constexpr Convert conversion_of() {
  if constexpr (std::is_same_v<T, computed_t<T>>) {
    return nullptr;
  } else {
    return convert<T>;
  }
}

}  // namespace
}  // namespace isofold::openmp
