// Sums over the shapes of layouts_bench as plain loops, what a code has without a library. Compiled
// for this very machine with -ffast-math, on one thread.
#pragma once

#include <cstdint>

namespace bench {

template <class T>
struct LayoutLoops {
  // Of a cube of n^3 elements without its `ghost` outermost layers.
  static T interior(const T* x, std::int64_t n, std::int64_t ghost);
  // Of that cube over the dimensions whose bit in `kept` is not set.
  static void axes(const T* x, std::int64_t n, unsigned kept, T* sums);
  static void columns(const T* x, std::int64_t rows, std::int64_t columns, T* sums);
  static T masked(const T* x, const std::uint8_t* bytes, std::int64_t n);
  static T masked_by_bits(const T* x, const std::uint8_t* bits, std::int64_t n);
  static void segments(const T* x, const std::int64_t* offsets, std::int64_t count, T* sums);
  static T gather(const T* x, const std::int32_t* indices, std::int64_t count);
  static void batch(const T* const* arrays, const std::int64_t* lengths, std::int64_t count,
                    T* sums);
};

extern template struct LayoutLoops<float>;
extern template struct LayoutLoops<double>;

}  // namespace bench
