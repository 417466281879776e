// The elements of rows of any shape, one at a time, for exact_v1: its sums have no order, so that a
// mask leaves elements out where they lie, and joined arrays need no compaction.
#pragma once

#include <backends/gpu/input/compact.hpp>
#include <backends/gpu/input/strided.hpp>
#include <backends/gpu/kernel/scan_lengths.hpp>

namespace isofold::gpu {

// A row, as all threads that share it know it.
struct ExactRow {
  const char* base[2];
  std::int64_t first[2];  // offset of its first element
  std::int64_t entry;     // of the mask, its first
  std::int64_t length;
  std::int64_t number;
};

struct ExactSource {
  const void* data[2];     // the second may be none; of a batch and of joined arrays: pointers
  std::int64_t length;     // of a row, unless rows are ragged; of joined arrays their number
  std::int64_t stride[2];  // of rows without a layout
  bool has_places;
  Places places;
  const unsigned char* mask;  // null: all are taken
  bool mask_of_bits;
  JoinedArrays joined;
  bool converted;
  StoredAs stored;

  // One thread calls for all that share the row: it reports what is wrong with it if it `tells`.
  template <class Fold, class Group>
  ISOFOLD_DEVICE ExactRow row(const Group& group, std::int64_t number, bool tells) const {
    ExactRow row{{static_cast<const char*>(data[0]), static_cast<const char*>(data[1])},
                 {number * stride[0], number * stride[1]},
                 0,
                 length,
                 number};
    if (joined.before != nullptr) {
      row.length = joined.elements(group);
    } else if (has_places) {
      using Element = typename Fold::element_type;
      const auto found = places.row<Fold>(
          group, {static_cast<const Element*>(data[0]), static_cast<const Element*>(data[1])},
          length, number, tells);
      row.base[0] = reinterpret_cast<const char*>(found.data.data);
      row.base[1] = reinterpret_cast<const char*>(found.data.second);
      for (int a = 0; a < Fold::arrays; ++a) {
        row.first[a] = found.first[a];
      }
      row.length = found.length;
      row.entry = mask != nullptr ? places.kept.offset(mask_array, number) : 0;
    }
    return row;
  }

  // The elements that one thread reads, one after the other.
  template <class Fold>
  struct Taken {
    typename Fold::element_type x;
    typename Fold::element_type y;
    bool is_there;
  };
  // Loads elements number i, i + step, ..., those below `end` that the mask takes; i or one before
  // it is below `end`. The others are zero. Faults of an index are told once: if `tells`.
  template <class Fold, int count, class Group>
  ISOFOLD_DEVICE void load(const Group& group, const ExactRow& row, std::int64_t i, int step,
                           std::int64_t end, bool tells, Taken<Fold> (&taken)[count]) const {
    using T = typename Fold::element_type;
    const std::int64_t bytes = converted ? stored.bytes : static_cast<std::int64_t>(sizeof(T));
    const char* from[Fold::arrays][count];
    bool is_there[count];
    std::int64_t array = 0;  // of joined ones
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const std::int64_t asked = i + std::int64_t{j} * step;
      const std::int64_t at = asked < end ? asked : end - 1;
      is_there[j] = asked < end && (mask == nullptr || takes(group, row, at));
      find<Fold>(group, row, at, bytes, tells && asked < end, array, from, j);
    }
    T x[Fold::arrays][count];
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      load_each(group, from[a], x[a]);
    }
#pragma unroll
    for (int j = 0; j < count; ++j) {
      taken[j].x = is_there[j] ? x[0][j] : T{};
      taken[j].y = is_there[j] ? x[Fold::arrays - 1][j] : T{};
      taken[j].is_there = is_there[j];
    }
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE bool takes(const Group& group, const ExactRow& row, std::int64_t i) const {
    const std::int64_t entry = row.entry + places.reduced.offset(mask_array, i);
    const unsigned char* const at = mask + (mask_of_bits ? entry / 8 : entry);
    const unsigned char byte = group.template load<unsigned char, 1>(at).value[0];
    return mask_of_bits ? (byte >> entry % 8 & 1) != 0 : byte != 0;
  }

  template <class Fold, class Group, int count>
  ISOFOLD_DEVICE void find(const Group& group, const ExactRow& row, std::int64_t i,
                           std::int64_t bytes, bool tells, std::int64_t& array,
                           const char* (&from)[Fold::arrays][count], int j) const {
    if (joined.before != nullptr) {
      array = array_of(group, i, array);
      const std::int64_t at = i - before(group, array);
      for (int a = 0; a < Fold::arrays; ++a) {
        using Pointer = const char*;
        from[a][j] =
            group.template load<Pointer, 1>(static_cast<const Pointer*>(data[a]) + array).value[0] +
            at * bytes;
      }
      return;
    }
    std::int64_t index = i;
    if (has_places && places.shape == ISOFOLD_SHAPE_gather) {
      index = places.entry(group, places.indices, i);
      if (places.fault != nullptr && (index < 0 || index >= places.elements)) {
        if (tells) {
          places.complain(group, i, index);
        }
        index = 0;
      }
    }
    const bool is_box = has_places && places.shape == ISOFOLD_SHAPE_box;
    for (int a = 0; a < Fold::arrays; ++a) {
      const std::int64_t offset = is_box ? places.reduced.offset(a, i) : index;
      from[a][j] = row.base[a] + (row.first[a] + offset) * bytes;
    }
  }

  template <class Group>
  ISOFOLD_DEVICE std::int64_t before(const Group& group, std::int64_t array) const {
    return group.template load<std::int64_t, 1>(joined.before + array).value[0];
  }
  // The array that holds element i, which none before `low` does.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t array_of(const Group& group, std::int64_t i, std::int64_t low) const {
    std::int64_t step = 1;  // it doubles until the array is passed
    while (low + step < joined.count && before(group, low + step) <= i) {
      low += step;
      step *= 2;
    }
    std::int64_t high = low + step < joined.count ? low + step : joined.count;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      const bool is_before = before(group, middle) <= i;
      low = is_before ? middle : low;
      high = is_before ? high : middle;
    }
    return low;
  }

  template <class T, int count, class Group>
  ISOFOLD_DEVICE void load_each(const Group& group, const char* const (&from)[count],
                                T (&x)[count]) const {
    if constexpr (is_computed_from_others<T>) {
      if (converted) {
        load_converted(group, stored, from, x);
        return;
      }
    }
    load_stored(group, AsComputed{}, from, x);
  }
};

}  // namespace isofold::gpu
