// Many arrays as one row. A launch adds their lengths up (JoinLengths), in the workspace; from
// these sums JoinedElements brings the row's elements to shared memory, chunk after chunk.
#pragma once

#include <backends/gpu/packing.hpp>
#include <backends/gpu/places.hpp>
#include <isofold/gpu/warp_fold.hpp>

namespace isofold::gpu {

// So many elements they have at most, where that is not known: 2^16 tiles of 2^16 chunks.
inline constexpr int joined_most_shift = 42;

struct JoinedArrays {
  std::int64_t count = 0;
  // How many elements are in the arrays before each; then all of them.
  std::int64_t* before = nullptr;

  template <class Group>
  ISOFOLD_DEVICE std::int64_t elements(const Group& group) const {
    return group.template load<std::int64_t, 1>(before + count).value[0];
  }
};

// Adds lengths up. One block, a warp a stretch of the list, which it reads twice. An array of a
// negative length is empty, as is one at no address where lists are checked, and from the first one
// on with which there are more elements than may be, all: lengths may be anything, and nothing is
// read by one that is wrong.
struct JoinLengths {
  static constexpr int max_threads = 512;
  static constexpr int at_once = 8;  // loads of a thread

  JoinedArrays joined;
  const void* lengths;
  bool wide_lengths;     // of 64 bits
  const void* lists[2];  // of pointers; the second may be none
  std::int64_t most;     // elements of the row, at most 2^61
  Fault* fault;          // null: lists are trusted

  static constexpr std::size_t shared_bytes(int threads, int wave_width) {
    return static_cast<std::size_t>(threads / wave_width + 1) * sizeof(std::int64_t);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    constexpr int width = Group::wave_width;
    const WarpPlace<Group> place(group);
    auto* const sums = static_cast<std::int64_t*>(group.shared());
    std::int64_t* const cut = sums + place.warps;  // elements before the first that is beyond
    const std::int64_t steps =
        (joined.count + group.threads() - 1) >> core::root_level(group.threads());
    const std::int64_t begin = place.warp * steps * width;
    const std::int64_t end =
        begin + steps * width < joined.count ? begin + steps * width : joined.count;
    std::int64_t sum = 0;
#pragma unroll 1
    for (std::int64_t i = begin; i < end; i += at_once * width) {
      std::int64_t length[at_once];
      read_lengths(group, i + place.thread, end, true, length);
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        sum = add(sum, length[j]);
      }
    }
    for (int distance = 1; distance < width; distance *= 2) {
      sum = add(sum, exchange(group, sum, distance));
    }
    if (place.thread == 0) {
      sums[place.warp] = sum;
    }
    if (group.thread() == 0) {
      *cut = none;
    }
    group.barrier();
    std::int64_t before = 0;
    for (int warp = 0; warp < place.warp; ++warp) {
      before = add(before, sums[warp]);
    }
#pragma unroll 1
    for (std::int64_t i = begin; i < end; i += at_once * width) {
      before = write_sums(group, i + place.thread, end, before, cut);
    }
    group.barrier();
    if (*cut != none) {
      before = before <= most ? before : *cut;
#pragma unroll 1
      for (std::int64_t i = begin + place.thread; i < end; i += width) {
        joined.before[i] = joined.before[i] <= most ? joined.before[i] : *cut;
      }
    }
    if (place.warp == place.warps - 1 && place.thread == 0) {
      joined.before[joined.count] = before;
    }
  }

 private:
  static constexpr std::int64_t none = -1;

  // Sums stop behind `most`, so none overflows, and their order does not matter.
  ISOFOLD_DEVICE std::int64_t add(std::int64_t a, std::int64_t b) const {
    return a + b <= most ? a + b : most + 1;
  }

  // As it stands in the list.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t length_of(const Group& group, std::int64_t array) const {
    return wide_lengths ? group
                              .template load<std::int64_t, 1>(
                                  static_cast<const std::int64_t*>(lengths) + array)
                              .value[0]
                        : group
                              .template load<std::int32_t, 1>(
                                  static_cast<const std::int32_t*>(lengths) + array)
                              .value[0];
  }

  // The entries of a list from this thread's number i on; past the end the last one again: loads
  // behind a test each would wait for one another.
  template <class Entry, class Group, class Value>
  ISOFOLD_DEVICE void read(const Group& group, const void* list, std::int64_t i,
                           Value (&value)[at_once]) const {
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const std::int64_t number = i + j * Group::wave_width;
      const std::int64_t at = number < joined.count ? number : joined.count - 1;
      value[j] = static_cast<Value>(
          group.template load<Entry, 1>(static_cast<const Entry*>(list) + at).value[0]);
    }
  }

  // The lengths that count, of the arrays from this thread's number i on.
  template <class Group>
  ISOFOLD_DEVICE void read_lengths(const Group& group, std::int64_t i, std::int64_t end,
                                   bool complains, std::int64_t (&length)[at_once]) const {
    std::uint64_t array[at_once]{};
    std::uint64_t second[at_once]{};
    const bool checks = fault != nullptr;
    if (wide_lengths) {
      read<std::int64_t>(group, lengths, i, length);
    } else {
      read<std::int32_t>(group, lengths, i, length);
    }
    if (checks) {
      read<std::uint64_t>(group, lists[0], i, array);
      read<std::uint64_t>(group, lists[lists[1] != nullptr ? 1 : 0], i, second);
    }
    loads_issued(group);
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const std::int64_t number = i + j * Group::wave_width;
      const bool is_there = number < end;
      const bool is_wrong =
          checks && (length[j] < 0 || (length[j] > 0 && (array[j] == 0 || second[j] == 0)));
      if (is_wrong && is_there && complains) {
        complain(group, fault, ISOFOLD_SHAPE_joined, number, length[j]);
      }
      const std::int64_t counted = length[j] <= most ? length[j] : most + 1;
      length[j] = !is_there || is_wrong || counted < 0 ? 0 : counted;
    }
  }

  // The sums of those arrays, of which `before` is the first; returns that of those that follow.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t write_sums(const Group& group, std::int64_t i, std::int64_t end,
                                         std::int64_t before, std::int64_t* cut) const {
    std::int64_t length[at_once];
    read_lengths(group, i, end, false, length);
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const std::int64_t number = i + j * Group::wave_width;
      std::int64_t at = before;
      std::int64_t all = length[j];
      for (int distance = 1; distance < Group::wave_width; distance *= 2) {
        const std::int64_t other = exchange(group, all, distance);
        at = (group.thread() & distance) != 0 ? add(at, other) : at;
        all = add(all, other);
      }
      if (number < end) {
        joined.before[number] = at;
        if (at <= most && add(at, length[j]) > most) {  // of one array at most
          *cut = at;
          if (fault != nullptr) {
            complain(group, fault, ISOFOLD_SHAPE_joined, number, length_of(group, number), true);
          }
        }
      }
      before = add(before, all);
    }
    return before;
  }
};

// The elements of joined arrays, from one of them on, as a warp copies them to shared memory: it
// goes through the arrays in windows, an array for each thread.
template <class Fold, class Stored = AsComputed>
class JoinedElements {
  using Element = typename Fold::element_type;
  static constexpr int window_arrays = 32;

  // Positions are in the chunk: that of its first element is 0. All of it lies in shared memory,
  // so that nothing of it is in registers while a chunk is folded.
  struct Window {
    std::int64_t array;  // in which the next chunk begins, or an empty one before that
    // Where position 0 would be, did the array begin there.
    std::uintptr_t from[Fold::arrays][window_arrays];
    std::int32_t end[window_arrays];  // position behind the array; one behind the chunk at most
  };

 public:
  static constexpr std::size_t scratch_bytes = sizeof(Window);

  // `scratch` is the warp's own.
  template <class Group>
  ISOFOLD_DEVICE JoinedElements(const Group& group, const JoinedArrays& joined,
                                const core::Elements<Fold>& first, void* scratch,
                                const Stored& stored = {})
      : joined_(joined),
        stored_(stored),
        first_(first),
        window_(static_cast<Window*>(scratch)),
        thread_(group.thread() % Group::wave_width) {}

  // Before the first fill(), from element number `begin` on, which exists. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE void start(const Group& group, std::int64_t begin) const {
    const std::int64_t array = find_part(group, joined_.before, joined_.count, begin);
    if (thread_ == 0) {
      window_->array = array;
    }
    group.warp_barrier();
  }

  // As TakenElements::fill().
  template <class Group>
  ISOFOLD_DEVICE void fill(const Group& group, std::int64_t begin, int count,
                           Element* buffer) const {
    std::int64_t array = window_->array;
#pragma unroll 1
    for (int done = 0; done < count;) {
      load_window(group, array, begin);
      group.warp_barrier();
      const int last = window_->end[window_arrays - 1];
      const int end = last < count ? last : count;
      if (last <= done) {  // nothing but empty ones; many more may follow
        array = find_part(group, joined_.before, joined_.count, begin + done);
      } else {
        copy(group, done, end, buffer);
        array += last <= count ? window_arrays : array_at(count);
      }
      done = end > done ? end : done;
      group.warp_barrier();  // the next window is written where this one has been read
    }
    if (thread_ == 0) {
      window_->array = array;
    }
  }

 private:
  // Of arrays `array`, ...; past the last one that again, which then has no position of its own.
  template <class Group>
  ISOFOLD_DEVICE void load_window(const Group& group, std::int64_t array,
                                  std::int64_t begin) const {
    const std::int64_t own = array + thread_ % window_arrays;
    const std::int64_t at = own < joined_.count ? own : joined_.count - 1;
    const std::int64_t before =
        group.template load<std::int64_t, 1>(joined_.before + at).value[0] - begin;
    const std::int64_t end =
        group.template load<std::int64_t, 1>(joined_.before + at + 1).value[0] - begin;
    std::uintptr_t from[Fold::arrays];
    const Element* const lists[] = {first_.data, first_.second};
    const auto bytes = static_cast<std::uintptr_t>(stored_.template bytes_of<Element>());
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      from[a] = group
                    .template load<std::uintptr_t, 1>(
                        reinterpret_cast<const std::uintptr_t*>(lists[a]) + at)
                    .value[0];
    }
    if (thread_ < window_arrays) {
      constexpr int behind = core::chunk_elements + 1;
      window_->end[thread_] = end < behind ? static_cast<std::int32_t>(end) : behind;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        window_->from[a][thread_] = from[a] - static_cast<std::uintptr_t>(before) * bytes;
      }
    }
  }

  // The window's array that has a position, one of which has it.
  ISOFOLD_DEVICE int array_at(int position) const {
    int array = 0;
#pragma unroll
    for (int step = window_arrays / 2; step > 0; step /= 2) {
      array += window_->end[array + step - 1] <= position ? step : 0;
    }
    return array;
  }

  // The array of a thread's positions, one after the other.
  struct Own {
    int end = 0;
    std::uintptr_t from[Fold::arrays]{};
  };
  ISOFOLD_DEVICE const char* element(const Own& own, int array, int position) const {
    const auto bytes = static_cast<unsigned>(stored_.template bytes_of<Element>());
    return reinterpret_cast<const char*>(own.from[array] + static_cast<unsigned>(position) * bytes);
  }
  ISOFOLD_DEVICE void reach(Own& own, int position) const {
    if (position >= own.end) {
      const int array = array_at(position);
      own.end = window_->end[array];
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        own.from[a] = window_->from[a][array];
      }
    }
  }

  // Positions [begin, end), all of the window's arrays.
  template <class Group>
  ISOFOLD_DEVICE void copy(const Group& group, int begin, int end, Element* buffer) const {
    Own own;
    if constexpr (!by_registers<Group, Stored>) {
#pragma unroll 1
      for (int i = begin + thread_; i < end; i += Group::wave_width) {
        reach(own, i);
#pragma unroll
        for (int a = 0; a < Fold::arrays; ++a) {
          copy_element(group, buffer + a * packed_stride<Fold>() + i, element(own, a, i));
        }
      }
    } else {
#pragma unroll 1
      for (int i = begin; i < end; i += loads_by_registers * Group::wave_width) {
        copy_by_registers(group, own, i + thread_, end, buffer);
      }
    }
  }

  // All of the warp call: loads_issued() is among it.
  template <class Group>
  ISOFOLD_DEVICE void copy_by_registers(const Group& group, Own& own, int begin, int end,
                                        Element* buffer) const {
    constexpr int at_once = loads_by_registers;
    const char* from[Fold::arrays][at_once];
    Element x[Fold::arrays][at_once];
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const int i = begin + j * Group::wave_width;
      const int position = i < end ? i : end - 1;
      reach(own, position);
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        from[a][j] = element(own, a, position);
      }
    }
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      load_stored(group, stored_, from[a], x[a]);
    }
    loads_issued(group);
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const int i = begin + j * Group::wave_width;
      if (i < end) {
#pragma unroll
        for (int a = 0; a < Fold::arrays; ++a) {
          buffer[a * packed_stride<Fold>() + i] = x[a][j];
        }
      }
    }
  }

  const JoinedArrays& joined_;
  Stored stored_;
  const core::Elements<Fold>& first_;  // the lists of pointers
  Window* window_;
  int thread_;
};

}  // namespace isofold::gpu
