// Rows of elements that are stored in another type than the one that is computed in, which GridFold
// folds: one kernel a fold for all of these types (stored.hpp).
#pragma once

#include <backends/gpu/rows.hpp>
#include <backends/gpu/stored.hpp>
#include <isofold/gpu/map_fold.hpp>

namespace isofold::gpu {

struct StoredRow {
  const char* data;
  const char* second;
  std::int32_t type;  // an isofold_type
};

// use(what reads elements of the row at `data` as T, by their index)
template <class T, class Group, class Use>
ISOFOLD_DEVICE void with_reader(const Group& group, std::int32_t type, const char* data,
                                Use&& use) {
  with_load<T>(group, type, [&](const auto& load) {
    constexpr int bytes = std::decay_t<decltype(load)>::bytes;
    use([&](std::int64_t i) { return load(data + i * bytes); });
  });
}

// Chunks of f16 and bf16 by loads of 8 bytes, for lanes of one float: a thread has four. (Of eight,
// by loads of 16 bytes, nvcc spilled 200 to 344 bytes.)
using WideHalves = WideLanes<std::uint16_t, 8>;
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr bool takes_wide_halves() {
  return std::is_same_v<typename Fold::element_type, float> &&
         core::numbers_in<core::LaneOf<core::FirstPass<Fold>>> == 1;
}

// What is held of them, as floats.
template <class Group, class Held>
struct HeldHalves {
  using Element = float;
  static constexpr int arrays = Held::arrays;
  static constexpr int parts = Held::parts;
  static constexpr int rows = Held::rows;
  const Held& held;
  LoadHalf<Group> halves;

  ISOFOLD_DEVICE static constexpr int lane_of(int c) { return Held::lane_of(c); }
  ISOFOLD_DEVICE float at(int array, int row, int c) const {
    return halves.converted(held.at(array, row, c));
  }
  ISOFOLD_DEVICE float cut_at(int array, int c) const {
    return halves.converted(held.cut_at(array, c));
  }
};

template <bool whole, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type state_of_halves(const Group& group, const Fold& fold,
                                                         const StoredRow& row,
                                                         const TeamChunk& chunk) {
  using Held = HeldRows<std::uint16_t, WideHalves, Fold::arrays, Fold::arrays>;
  const auto at = [&](const char* data) {
    return reinterpret_cast<const std::uint16_t*>(data) + chunk.begin;
  };
  const std::uint16_t* const arrays[] = {at(row.data),
                                         Fold::arrays == 2 ? at(row.second) : nullptr};
  Held held;
  const auto load = [&](int part) {
    load_part<whole, WideHalves>(group, held, arrays, part, chunk.count, chunk.thread);
  };
  if constexpr (Held::parts == 1) {
    load(0);
  }
  const HeldHalves<Group, Held> floats{held, {group, row.type == ISOFOLD_TYPE_bf16}};
  return state_of_held<whole, WideHalves>(group, fold, floats, chunk.begin, chunk.count,
                                          chunk.thread, load);
}

template <class Lanes, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type state_of_chunk(const Group& group, const Fold& fold,
                                                        const StoredRow& row,
                                                        const TeamChunk& chunk) {
  if constexpr (std::is_same_v<Lanes, WideHalves>) {
    return chunk.whole ? state_of_halves<true>(group, fold, row, chunk)
                       : state_of_halves<false>(group, fold, row, chunk);
  } else {
    using Element = typename Fold::element_type;
    return state_of_loaded<Lanes>(group, fold, chunk, [&](auto& held, int part) {
#pragma unroll
      for (int array = 0; array < Fold::arrays; ++array) {
        with_reader<Element>(
            group, row.type, array == 0 ? row.data : row.second,
            [&](const auto& read) { map_part<Lanes>(held, array, read, chunk, part); });
      }
    });
  }
}

// As Rows, whose pointers it reads as those of the stored elements.
template <class Fold>
struct StoredRows : Rows<Fold> {
  std::int32_t type;
  std::int32_t bytes;  // of a stored element

  ISOFOLD_DEVICE StoredRow row(std::int64_t number) const {
    const auto at = [&](const typename Fold::element_type* data, std::int64_t stride) {
      return reinterpret_cast<const char*>(data) + number * stride * bytes;
    };
    return {at(this->first.data, this->stride),
            Fold::arrays == 2 ? at(this->first.second, this->second_stride) : nullptr, type};
  }
};

}  // namespace isofold::gpu
