// The launches over lists, results or words alone, for the plans of all folds: they are equal for
// all folds and element types, so they are compiled once for a platform.
#pragma once

#include <algorithm>

#include <backends/gpu/kernel/index_in_array.hpp>
#include <backends/gpu/kernel/mark_elements.hpp>
#include <backends/gpu/kernel/mask_to_bits_of_columns.hpp>
#include <backends/gpu/kernel/mask_to_bits_strided.hpp>
#include <backends/gpu/kernel/partial_rows.hpp>
#include <backends/gpu/kernel/scan_lengths.hpp>
#include <backends/gpu/kernel/scatter_results.hpp>
#include <isofold/detail/gpu/tile_plan.hpp>

namespace isofold::gpu {

template <class Platform>
struct ListKernels {
  static Status load_mask();
  static Status load_lengths();
  // This writes the mask's selection: words of bits, and how many of each block of entries, which
  // are numbered as `spread` says, if it is one.
  static Status count_mask(const MaskedRows& masked, const LinearisedMask& spread,
                           const DeviceFacts& facts, bool capturing, void* stream);
  // This writes where in the joined array each of its `arrays` begins.
  static Status join_lengths(const ListedLengths& listed, std::int64_t arrays,
                             const DeviceFacts& facts, bool capturing, void* stream);
  static Status load_scatter();
  static Status scatter(const ScatterResults& results, bool capturing, void* stream);
  static Status load_marking();
  static Status mark(const MarkElements& marks, bool capturing, void* stream);
  static Status load_numbering();
  static Status number_in_array(const IndexInArray& numbering, bool capturing, void* stream);
  static Status write(const WritePartials& rows, bool capturing, void* stream);
  static Status finish(const FinishPartials& rows, bool capturing, void* stream);

 private:
  template <class Kernel>
  static Status launch_rows(const Kernel& kernel, std::int64_t rows, bool capturing, void* stream) {
    Launch size;
    size.capturing = capturing;
    size.threads = Kernel::max_threads;
    size.blocks = std::min(ceil_divide(rows, std::int64_t{size.threads}), most_blocks);
    return Platform::launch(kernel, size, stream);
  }
};

// Outside of the class: what is inline, each source would make for itself.
template <class Platform>
Status ListKernels<Platform>::load_mask() {
  Status loaded = Platform::template load<MaskToBits>();
  loaded = loaded.ok() ? Platform::template load<StridedMaskToBits>() : loaded;
  loaded = loaded.ok() ? Platform::template load<ColumnMaskToBits>() : loaded;
  return loaded.ok() ? Platform::template load<ScanCounts>() : loaded;
}

template <class Platform>
Status ListKernels<Platform>::load_lengths() {
  const Status loaded = Platform::template load<ScatterLengths>();
  return loaded.ok() ? Platform::template load<ScanLengths>() : loaded;
}

template <class Platform>
Status ListKernels<Platform>::load_scatter() {
  return Platform::template load<ScatterResults>();
}

template <class Platform>
Status ListKernels<Platform>::scatter(const ScatterResults& results, bool capturing, void* stream) {
  return launch_rows(results, results.rows, capturing, stream);
}

template <class Platform>
Status ListKernels<Platform>::write(const WritePartials& rows, bool capturing, void* stream) {
  return launch_rows(rows, rows.all.rows, capturing, stream);
}

template <class Platform>
Status ListKernels<Platform>::finish(const FinishPartials& rows, bool capturing, void* stream) {
  return launch_rows(rows, rows.all.rows, capturing, stream);
}

template <class Platform>
Status ListKernels<Platform>::load_marking() {
  return Platform::template load<MarkElements>();
}

template <class Platform>
Status ListKernels<Platform>::mark(const MarkElements& marks, bool capturing, void* stream) {
  return launch_rows(marks, marks.entries, capturing, stream);
}

template <class Platform>
Status ListKernels<Platform>::load_numbering() {
  const Status loaded = load_mask();
  return loaded.ok() ? Platform::template load<IndexInArray>() : loaded;
}

template <class Platform>
Status ListKernels<Platform>::number_in_array(const IndexInArray& numbering, bool capturing,
                                              void* stream) {
  Launch size;
  size.capturing = capturing;
  size.threads = IndexInArray::max_threads;
  constexpr std::int64_t least_warps = IndexInArray::max_threads / 64;  // of a block
  size.blocks = std::min(ceil_divide(numbering.rows, least_warps), most_blocks);
  return Platform::launch(numbering, size, stream);
}

template <class Platform>
Status ListKernels<Platform>::count_mask(const MaskedRows& masked, const LinearisedMask& spread,
                                         const DeviceFacts& facts, bool capturing, void* stream) {
  Launch size;
  size.capturing = capturing;
  size.threads = MaskToBits::threads;
  const int warps = size.threads / facts.wave_width;
  size.blocks = std::min(ceil_divide(masked.rows * masked.blocks(), warps), most_blocks);
  size.shared_bytes =
      spread.is_none() ? 0 : StridedMaskToBits::shared_bytes(size.threads, facts.wave_width);
  const RowUnits of_rows(masked.rows, masked.blocks(), masked.rows_first());
  const auto count = [&] {
    if (!spread.is_none()) {
      return Platform::launch(StridedMaskToBits{masked, spread, of_rows}, size, stream);
    }
    if (masked.neighbours() < ColumnMaskToBits::least_columns) {
      return Platform::launch(MaskToBits{masked, of_rows}, size, stream);
    }
    const ColumnMaskToBits columns(masked, facts.wave_width, size.threads);
    size.blocks = std::min(columns.blocks(), most_blocks);
    size.shared_bytes = ColumnMaskToBits::shared_bytes(size.threads);
    return Platform::launch(columns, size, stream);
  };
  const Status counted = count();
  if (!counted.ok() || masked.blocks() == 1) {
    return counted;
  }
  size.threads = ScanCounts::max_threads;
  const ScanCounts sums(masked, size.threads);
  size.blocks = std::min(masked.rows * sums.tiles, most_blocks);
  size.shared_bytes = ScanCounts::shared_bytes(size.threads, facts.wave_width);
  return Platform::launch(sums, size, stream);
}

template <class Platform>
Status ListKernels<Platform>::join_lengths(const ListedLengths& listed, std::int64_t arrays,
                                           const DeviceFacts& facts, bool capturing, void* stream) {
  Launch size;
  size.capturing = capturing;
  size.blocks = std::max<std::int64_t>(1, ListedLengths::tiles_of(arrays, listed.tile));
  size.threads = ScanLengths::max_threads;
  size.shared_bytes = ScanLengths::shared_bytes(size.threads, facts.wave_width);
  const Status summed =
      size.blocks > 1 ? Platform::launch(ScanLengths{listed}, size, stream) : Status{};
  size.threads = ScatterLengths::max_threads;
  size.shared_bytes = ScatterLengths::shared_bytes(size.threads, facts.wave_width);
  return summed.ok() ? Platform::launch(ScatterLengths{listed}, size, stream) : summed;
}

}  // namespace isofold::gpu
