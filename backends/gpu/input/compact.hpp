// Functions that bring a row's elements to shared memory, for every source of them (masks,
// concatenated arrays): sums over a warp, the search for the part that holds an element, and copies
// of elements and runs.
#pragma once

#include <backends/gpu/input/convert.hpp>
#include <isofold/detail/core/bits.hpp>
#include <isofold/detail/core/tree.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// The elements that a mask selects are written to shared memory by groups of so many entries, if
// they are loaded in pieces: 2 KiB, four pieces for each of 32 threads. A warp has room for one
// group behind the chunk, so that no element is written twice. 0: there are no pieces of two
// elements or more.
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int compacted_group() {
  constexpr int bytes = static_cast<int>(sizeof(typename Fold::element_type)) * Fold::arrays;
  return bytes / Fold::arrays <= 8 ? 2048 / bytes : 0;
}
// The distance from a chunk's elements of the first array to those of the second.
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int compacted_stride() {
  return core::chunk_elements + compacted_group<Fold>();
}

// Loads 16 bytes that nobody reads again.
template <class T, class Group>
ISOFOLD_DEVICE Pack<T, 16 / sizeof(T)> load_once(const Group& group, const T* address) {
  if constexpr (has_load_once<Group>) {
    return group.load_once(address);
  } else {
    return group.template load<T, 16 / sizeof(T)>(address);
  }
}

// Sums over the warp: of the values of the threads before this one, and of all. Collective: every
// lane of the warp must call.
struct WarpSums {
  std::uint32_t before;
  std::uint32_t all;
};
template <int width, class Group>
ISOFOLD_DEVICE WarpSums sums_of_warp(const Group& group, std::uint32_t mine) {
  WarpSums sums{0, mine};
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    const std::uint32_t other = group.exchange(sums.all, distance);
    sums.before += (group.thread() & distance) != 0 ? other : 0;
    sums.all += other;
  }
  return sums;
}

// Sums over the warp of a condition that counts 0 or 1.
template <class Group>
ISOFOLD_DEVICE WarpSums count_of_warp(const Group& group, bool counts) {
  using Bits = Ballot<Group::wave_width>;
  const Bits those = group.ballot(counts);
  const Bits below = (Bits{1} << group.thread() % Group::wave_width) - 1;
  return {static_cast<std::uint32_t>(core::popcount(those & below)),
          static_cast<std::uint32_t>(core::popcount(those))};
}

// The last of `count` parts that begins at element number `element` or before it; before[i]
// elements are before part i. Each round has as many probes at once as there are threads.
// Collective: every lane of the warp must call.
template <class Group>
ISOFOLD_DEVICE std::int64_t find_part(const Group& group, const std::int64_t* before,
                                      std::int64_t count, std::int64_t element) {
  constexpr int width_shift = core::root_level(Group::wave_width);
  const int thread = group.thread() % Group::wave_width;
  std::int64_t low = 0;
  std::int64_t high = count;
  while (high - low > 1) {
    const std::int64_t step = (high - low + Group::wave_width - 1) >> width_shift;
    const std::int64_t probe = low + (thread + 1) * step;
    const bool is_before =
        probe < high && group.template load<std::int64_t, 1>(before + probe).value[0] <= element;
    low += sums_of_warp<Group::wave_width>(group, is_before ? 1 : 0).all * step;
    high = low + step < high ? low + step : high;
  }
  return low;
}

// This tells whether elements go to shared memory by way of registers: if the device has no copies,
// or if elements become values of another type on the way.
template <class Group, class Stored>
inline constexpr bool by_registers = !has_copies_to_shared<Group> || Stored::converts;
inline constexpr int loads_by_registers = 4;  // of a thread in flight then

// Loads elements as values of Element.
template <class Element, class Group, int loads>
ISOFOLD_DEVICE void load_stored(const Group& group, const AsComputed&,
                                const char* const (&from)[loads], Element (&x)[loads]) {
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    x[i] = load_element(group, reinterpret_cast<const Element*>(from[i]));
  }
}
template <class Element, class Group, int loads>
ISOFOLD_DEVICE void load_stored(const Group& group, const StoredAs& stored,
                                const char* const (&from)[loads], Element (&x)[loads]) {
  load_converted(group, stored, from, x);
}

// Copies an element; a complex one by its two parts, because only these are aligned.
template <class Group, class Element>
ISOFOLD_DEVICE void copy_element(const Group& group, Element* to, const void* from) {
  constexpr int parts = core::is_complex<Element> ? 2 : 1;
  constexpr int bytes = static_cast<int>(sizeof(Element)) / parts;
  if constexpr (has_copies_to_shared<Group>) {
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      group.template copy_to_shared<bytes>(reinterpret_cast<char*>(to) + part * bytes,
                                           static_cast<const char*>(from) + part * bytes);
    }
  } else {
    *to = load_element(group, static_cast<const Element*>(from));
  }
}

// Copies the elements [begin, end) of a chunk that lie side by side, element i of an array at
// from[array] + i: first whole steps of the warp, without a test for each copy, then the rest.
// Collective: every lane of the warp must call.
inline constexpr int run_at_once = 8;  // copies of a thread

template <bool whole, class Fold, class Group>
ISOFOLD_DEVICE void copy_run_step(const Group& group,
                                  const typename Fold::element_type* const (&from)[Fold::arrays],
                                  int i, int end, typename Fold::element_type* buffer) {
#pragma unroll
  for (int a = 0; a < Fold::arrays; ++a) {
    auto* const to = buffer + a * compacted_stride<Fold>() + i;
    const auto* const own = from[a] + i;
#pragma unroll
    for (int j = 0; j < run_at_once; ++j) {
      if (whole || i + j * Group::wave_width < end) {
        copy_element(group, to + j * Group::wave_width, own + j * Group::wave_width);
      }
    }
  }
}

template <class Fold, class Group>
ISOFOLD_DEVICE void copy_run_by_registers(
    const Group& group, const typename Fold::element_type* const (&from)[Fold::arrays], int i,
    int end, typename Fold::element_type* buffer) {
  typename Fold::element_type x[Fold::arrays][run_at_once];
#pragma unroll
  for (int a = 0; a < Fold::arrays; ++a) {
#pragma unroll
    for (int j = 0; j < run_at_once; ++j) {
      const int at = i + j * Group::wave_width;
      x[a][j] = load_element(group, from[a] + (at < end ? at : end - 1));
    }
  }
  loads_issued(group);
#pragma unroll
  for (int j = 0; j < run_at_once; ++j) {
    const int at = i + j * Group::wave_width;
    if (at < end) {
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        buffer[a * compacted_stride<Fold>() + at] = x[a][j];
      }
    }
  }
}

template <class Fold, class Group>
ISOFOLD_DEVICE void copy_run(const Group& group,
                             const typename Fold::element_type* const (&from)[Fold::arrays],
                             int begin, int end, typename Fold::element_type* buffer) {
  constexpr int step = run_at_once * Group::wave_width;
  const int thread = group.thread() % Group::wave_width;
#pragma unroll 1
  for (; begin < end; begin += step) {
    if constexpr (!has_copies_to_shared<Group>) {
      copy_run_by_registers<Fold>(group, from, begin + thread, end, buffer);
    } else if (begin + step <= end) {
      copy_run_step<true, Fold>(group, from, begin + thread, end, buffer);
    } else {
      copy_run_step<false, Fold>(group, from, begin + thread, end, buffer);
    }
  }
}

}  // namespace isofold::gpu
