// Eigen's expressions of layout_peer.hpp: its unsupported Tensor module takes cubes, maps take the
// others. It has no masks of bits.
#include <Eigen/Core>
#include <unsupported/Eigen/CXX11/Tensor>

#include "layout_peer.hpp"

namespace bench {
namespace {

template <class T>
using Array = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using Rows = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class T>
using Cube = Eigen::TensorMap<const Eigen::Tensor<T, 3, Eigen::RowMajor>>;

template <class T>
T interior(const T* x, std::int64_t n, std::int64_t ghost) {
  const Eigen::DSizes<Eigen::Index, 3> first(ghost, ghost, ghost);
  const Eigen::Index edge = n - 2 * ghost;
  const Eigen::DSizes<Eigen::Index, 3> extents(edge, edge, edge);
  const Eigen::Tensor<T, 0, Eigen::RowMajor> sum = Cube<T>(x, n, n, n).slice(first, extents).sum();
  return sum();
}

template <class T, int... over>
void sum_over(const T* x, std::int64_t n, T* sums) {
  constexpr int left = 3 - static_cast<int>(sizeof...(over));
  const Eigen::array<int, sizeof...(over)> dimensions{over...};
  Eigen::array<Eigen::Index, left> extents;
  extents.fill(n);
  Eigen::TensorMap<Eigen::Tensor<T, left, Eigen::RowMajor>>(sums, extents) =
      Cube<T>(x, n, n, n).sum(dimensions);
}
template <class T>
void axes(const T* x, std::int64_t n, unsigned kept, T* sums) {
  switch (kept) {
    case 6: return sum_over<T, 0>(x, n, sums);
    case 5: return sum_over<T, 1>(x, n, sums);
    case 3: return sum_over<T, 2>(x, n, sums);
    case 4: return sum_over<T, 0, 1>(x, n, sums);
    case 2: return sum_over<T, 0, 2>(x, n, sums);
    default: return sum_over<T, 1, 2>(x, n, sums);
  }
}

template <class T>
void columns(const T* x, std::int64_t rows, std::int64_t columns, T* sums) {
  Eigen::Map<Eigen::Array<T, 1, Eigen::Dynamic>>(sums, columns) =
      Rows<T>(x, rows, columns).colwise().sum();
}

template <class T>
T masked(const T* x, const std::uint8_t* bytes, std::int64_t n) {
  const auto is_in = Array<std::uint8_t>(bytes, n) != std::uint8_t{0};
  return is_in.select(Array<T>(x, n), T{0}).sum();
}

template <class T>
void segments(const T* x, const std::int64_t* offsets, std::int64_t count, T* sums) {
  for (std::int64_t s = 0; s < count; ++s) {
    sums[s] = Array<T>(x + offsets[s], offsets[s + 1] - offsets[s]).sum();
  }
}

template <class T>
T gather(const T* x, const std::int32_t* indices, std::int64_t count) {
  const Array<std::int32_t> at(indices, count);
  return Array<T>(x, count == 0 ? 0 : at(count - 1) + 1)(at).sum();
}

template <class T>
void batch(const T* const* arrays, const std::int64_t* lengths, std::int64_t count, T* sums) {
  for (std::int64_t a = 0; a < count; ++a) {
    sums[a] = Array<T>(arrays[a], lengths[a]).sum();
  }
}

template <class T>
LayoutPeer<T> peer() {
  return {"Eigen", interior<T>, axes<T>,   columns<T>, masked<T>,
          nullptr, segments<T>, gather<T>, batch<T>};
}

}  // namespace
}  // namespace bench

BENCH_EXPORT_PEER(layout_eigen, bench::LayoutPeers, bench::peer<float>(), bench::peer<double>())
