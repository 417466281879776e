// Sums over the shapes of layouts_bench as its users write them without isofold, on one thread:
// plain loops, which a code has without a library, and Eigen's expressions. They are compiled for
// this very machine, the loops with -ffast-math.
#pragma once

#include <cstdint>

#include "peer_module.hpp"

namespace bench {

template <class T>
struct LayoutPeer {
  const char* name;
  // The sum of a cube of n^3 elements without its `ghost` outermost layers.
  T (*interior)(const T* x, std::int64_t n, std::int64_t ghost);
  // The sums of the cube over the dimensions whose bit in `kept` is not set.
  void (*axes)(const T* x, std::int64_t n, unsigned kept, T* sums);
  void (*columns)(const T* x, std::int64_t rows, std::int64_t columns, T* sums);
  T (*masked)(const T* x, const std::uint8_t* bytes, std::int64_t n);
  T (*masked_by_bits)(const T* x, const std::uint8_t* bits, std::int64_t n);  // or nullptr
  void (*segments)(const T* x, const std::int64_t* offsets, std::int64_t count, T* sums);
  T (*gather)(const T* x, const std::int32_t* indices, std::int64_t count);
  void (*batch)(const T* const* arrays, const std::int64_t* lengths, std::int64_t count, T* sums);
};

// A module's peers, of f32 and f64.
struct LayoutPeers {
  LayoutPeer<float> f32;
  LayoutPeer<double> f64;
};

}  // namespace bench
