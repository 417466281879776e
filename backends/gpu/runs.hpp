// The elements of a box that lie in runs, such as its interior: RunElements brings them to shared
// memory, chunk after chunk. An address costs little then: it is found once for each run that a
// chunk touches, by a thread each, and the warp copies run after run, side by side.
#pragma once

#include <backends/gpu/packing.hpp>
#include <backends/gpu/places.hpp>

namespace isofold::gpu {

inline constexpr int least_run = 32;  // elements

// The elements of a row of the box that lie side by side in memory, of both arrays: the extent of
// the innermost of Axes, or 0 where its stride is not 1.
inline std::int64_t run_length(const isofold_layout& layout, bool two_arrays) {
  std::int64_t run = 1;
  for (int d = layout.dimensions - 1; d >= 0; --d) {
    const std::int64_t extent = layout.extents[d];
    if ((layout.kept >> d & 1U) != 0 || extent == 1) {
      continue;
    }
    if (layout.strides[d] != run || (two_arrays && layout.second_strides[d] != run)) {
      return run == 1 ? 0 : run;
    }
    run *= extent;
  }
  return run;
}

// Of rows of such a box, whose runs have least_run elements or more. All of the warp call.
template <class Fold>
class RunElements {
  using Element = typename Fold::element_type;
  static constexpr int most_runs = core::chunk_elements / least_run + 1;  // that a chunk touches

  struct Runs {
    std::uintptr_t from[Fold::arrays][most_runs];  // where the chunk's element 0 would be
  };

 public:
  static constexpr std::size_t scratch_bytes = sizeof(Runs);

  // Those of row `row` of `first`; `scratch` is the warp's own.
  template <class Group, class Source>
  ISOFOLD_DEVICE RunElements(const Group&, const Source& source, const core::Elements<Fold>& first,
                             std::int64_t row, std::int64_t, void* scratch)
      : places_(source.places), first_(first), row_(row), runs_(static_cast<Runs*>(scratch)) {}

  // As PackedElements::fill().
  template <class Group>
  ISOFOLD_DEVICE void fill(const Group& group, std::int64_t begin, int count,
                           Element* buffer) const {
    const Axes& axes = places_.reduced;
    const int thread = group.thread() % Group::wave_width;
    const std::int64_t extent = axes.extents[axes.count - 1];
    const std::int64_t first_run = axes.by[axes.count - 1].divide(begin);
    const std::int64_t before = first_run * extent - begin;  // at most 0
    for (int run = thread; run < most_runs; run += Group::wave_width) {
      const std::int64_t position = before + run * extent;
      if (position < count) {
        const Element* const arrays[] = {first_.data, first_.second};
#pragma unroll
        for (int a = 0; a < Fold::arrays; ++a) {
          const std::int64_t offset =
              places_.kept.offset(a, row_) + axes.line_offset(a, first_run + run) - position;
          runs_->from[a][run] = reinterpret_cast<std::uintptr_t>(arrays[a]) +
                                static_cast<std::uintptr_t>(offset) * sizeof(Element);
        }
      }
    }
    group.warp_barrier();
    std::int64_t position = before;
#pragma unroll 1
    for (int run = 0; position < count; ++run, position += extent) {
      const int from = position > 0 ? static_cast<int>(position) : 0;
      const int end = position + extent < count ? static_cast<int>(position + extent) : count;
      const Element* at[Fold::arrays];
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        at[a] = reinterpret_cast<const Element*>(runs_->from[a][run]);
      }
      copy_run<Fold>(group, at, from, end, buffer);
    }
  }

 private:
  const Places& places_;
  const core::Elements<Fold>& first_;
  std::int64_t row_;
  Runs* runs_;
};

}  // namespace isofold::gpu
