// The loops of layout_peer.hpp, as a code has them without a library; compiled with -ffast-math.
#include "layout_peer.hpp"

#include <algorithm>

namespace bench {
namespace {

template <class T>
T sum_of(const T* x, std::int64_t n) {
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    sum += x[i];
  }
  return sum;
}

template <class T>
T interior(const T* x, std::int64_t n, std::int64_t ghost) {
  T sum = 0;
  for (std::int64_t i = ghost; i < n - ghost; ++i) {
    for (std::int64_t j = ghost; j < n - ghost; ++j) {
      sum += sum_of(x + (i * n + j) * n + ghost, n - 2 * ghost);
    }
  }
  return sum;
}

template <class T>
void axes(const T* x, std::int64_t n, unsigned kept, T* sums) {
  const auto extent = [&](unsigned d) { return (kept >> d & 1U) != 0 ? n : 1; };
  const auto index = [&](unsigned d, std::int64_t i) { return (kept >> d & 1U) != 0 ? i : 0; };
  std::fill(sums, sums + extent(0) * extent(1) * extent(2), T{0});
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j, x += n) {
      T* const to = sums + (index(0, i) * extent(1) + index(1, j)) * extent(2);
      if (extent(2) == 1) {
        *to += sum_of(x, n);
      } else {
        for (std::int64_t k = 0; k < n; ++k) {
          to[k] += x[k];
        }
      }
    }
  }
}

template <class T>
void columns(const T* x, std::int64_t rows, std::int64_t columns, T* sums) {
  std::fill(sums, sums + columns, T{0});
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      sums[c] += *x++;
    }
  }
}

template <class T>
T masked(const T* x, const std::uint8_t* bytes, std::int64_t n) {
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    sum += bytes[i] != 0 ? x[i] : T{0};
  }
  return sum;
}

template <class T>
T masked_by_bits(const T* x, const std::uint8_t* bits, std::int64_t n) {
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    sum += (bits[i / 8] >> (i % 8) & 1) != 0 ? x[i] : T{0};
  }
  return sum;
}

template <class T>
void segments(const T* x, const std::int64_t* offsets, std::int64_t count, T* sums) {
  for (std::int64_t s = 0; s < count; ++s) {
    sums[s] = sum_of(x + offsets[s], offsets[s + 1] - offsets[s]);
  }
}

template <class T>
T gather(const T* x, const std::int32_t* indices, std::int64_t count) {
  T sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += x[indices[i]];
  }
  return sum;
}

template <class T>
void batch(const T* const* arrays, const std::int64_t* lengths, std::int64_t count, T* sums) {
  for (std::int64_t a = 0; a < count; ++a) {
    sums[a] = sum_of(arrays[a], lengths[a]);
  }
}

template <class T>
LayoutPeer<T> peer() {
  return {"the loop",        interior<T>, axes<T>,   columns<T>, masked<T>,
          masked_by_bits<T>, segments<T>, gather<T>, batch<T>};
}

}  // namespace
}  // namespace bench

BENCH_EXPORT_PEER(layout_loops, bench::LayoutPeers, bench::peer<float>(), bench::peer<double>())
