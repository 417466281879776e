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
  template <class T, int of>
  struct Pairs {
    using element_type = T;
    static constexpr int arrays = of;
  };

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

  ISOFOLD_DEVICE ExactRow plain_row(std::int64_t number) const {
    return {{static_cast<const char*>(data[0]), static_cast<const char*>(data[1])},
            {number * stride[0], number * stride[1]},
            0,
            length,
            number};
  }
  // One thread calls for all that share the row: it reports what is wrong with it if it `tells`.
  template <class T, int arrays, class Group>
  ISOFOLD_DEVICE_APART ExactRow row(const Group group, std::int64_t number, bool tells) const {
    ExactRow row = plain_row(number);
    if (joined.before != nullptr) {
      row.length = joined.elements(group);
    } else if (has_places) {
      const auto found = places.row<Pairs<T, arrays>>(
          group, {static_cast<const T*>(data[0]), static_cast<const T*>(data[1])}, length, number,
          tells);
      row.base[0] = reinterpret_cast<const char*>(found.data.data);
      row.base[1] = reinterpret_cast<const char*>(found.data.second);
      for (int a = 0; a < arrays; ++a) {
        row.first[a] = found.first[a];
      }
      row.length = found.length;
      row.entry = mask != nullptr ? places.kept.offset(mask_array, number) : 0;
    }
    return row;
  }

  // An element, or a pair; zero if the mask does not take it.
  template <class T>
  struct Taken {
    T x;
    T y;
    bool is_there;
  };
  // Loads elements number i, i + step, ..., those below `end`; i or one before it is below `end`.
  // Faults of an index are told once: if `tells`.
  template <class T, int arrays, int count, class Group>
  ISOFOLD_DEVICE void load(const Group& group, const ExactRow& row, std::int64_t i, int step,
                           std::int64_t end, bool tells, Taken<T> (&taken)[count]) const {
    const char* from[arrays][count];
    bool is_there[count];
    std::int64_t array = 0;  // of joined ones
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const std::int64_t asked = i + std::int64_t{j} * step;
      const std::int64_t at = asked < end ? asked : end - 1;
      const Found found = find<T, arrays>(group, row, at, tells && asked < end, array);
      array = found.array;
      is_there[j] = asked < end && found.is_taken;
#pragma unroll
      for (int a = 0; a < arrays; ++a) {
        from[a][j] = found.at[a];
      }
    }
    T x[arrays][count];
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
      load_each(group, from[a], x[a]);
    }
#pragma unroll
    for (int j = 0; j < count; ++j) {
      taken[j].x = is_there[j] ? x[0][j] : T{};
      taken[j].y = is_there[j] ? x[arrays - 1][j] : T{};
      taken[j].is_there = is_there[j];
    }
  }
  // As load(), of a row whose elements are Words side by side.
  template <class T, class Word, int arrays, int count, class Group>
  ISOFOLD_DEVICE void load_line(const Group& group, const ExactRow& row, std::int64_t i, int step,
                                std::int64_t end, Taken<T> (&taken)[count]) const {
    const Word* const x = reinterpret_cast<const Word*>(row.base[0]) + row.first[0];
    const Word* const y = reinterpret_cast<const Word*>(row.base[1]) + row.first[1];
    Word word[arrays][count];
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const std::int64_t asked = i + std::int64_t{j} * step;
      const std::int64_t at = asked < end ? asked : end - 1;
      word[0][j] = load_element(group, x + at);
      word[arrays - 1][j] = arrays == 2 ? load_element(group, y + at) : word[0][j];
    }
    const auto stored_word = converter<T, Word>(group, stored.type);
#pragma unroll
    for (int j = 0; j < count; ++j) {
      taken[j].is_there = i + std::int64_t{j} * step < end;
      taken[j].x = taken[j].is_there ? stored_word.converted(word[0][j]) : T{};
      taken[j].y = taken[j].is_there ? stored_word.converted(word[arrays - 1][j]) : T{};
    }
  }
  // An element that has been loaded before.
  template <class T, int arrays, class Group>
  ISOFOLD_DEVICE_APART Taken<T> reload(const Group group, const ExactRow& row, std::int64_t i,
                                       std::int64_t end) const {
    Taken<T> taken[1];
    load<T, arrays>(group, row, i, 0, end, false, taken);
    return taken[0];
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE bool takes(const Group& group, const ExactRow& row, std::int64_t i) const {
    const std::int64_t entry = row.entry + places.reduced.offset(mask_array, i);
    const unsigned char* const at = mask + (mask_of_bits ? entry / 8 : entry);
    const unsigned char byte = group.template load<unsigned char, 1>(at).value[0];
    return mask_of_bits ? (byte >> entry % 8 & 1) != 0 : byte != 0;
  }

  struct Found {
    const char* at[2];
    std::int64_t array;
    bool is_taken;
  };
  // An element's place. It is a function of its own, because it is long and all kernels share it.
  template <class T, int arrays, class Group>
  ISOFOLD_DEVICE_APART Found find(const Group group, const ExactRow& row, std::int64_t i,
                                  bool tells, std::int64_t array) const {
    const std::int64_t bytes = converted ? stored.bytes : static_cast<std::int64_t>(sizeof(T));
    Found found{{nullptr, nullptr}, array, mask == nullptr || takes(group, row, i)};
    if (joined.before != nullptr) {
      found.array = array_of(group, i, array);
      const std::int64_t offset = (i - before(group, found.array)) * bytes;
      for (int a = 0; a < arrays; ++a) {
        using Pointer = const char*;
        const auto* const list = static_cast<const Pointer*>(data[a]);
        found.at[a] = group.template load<Pointer, 1>(list + found.array).value[0] + offset;
      }
      return found;
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
    for (int a = 0; a < arrays; ++a) {
      const std::int64_t offset = is_box ? places.reduced.offset(a, i) : index;
      found.at[a] = row.base[a] + (row.first[a] + offset) * bytes;
    }
    return found;
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
