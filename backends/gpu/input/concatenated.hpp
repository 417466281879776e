// Many arrays as one row, for compacted.hpp: from the sums of their lengths (scan_lengths.hpp)
// JoinedElements brings the row's elements to shared memory, chunk after chunk. A binary search
// finds the array in which a warp begins; from there on the warp goes through the arrays in
// windows.
#pragma once

#include <backends/gpu/input/compact.hpp>
#include <backends/gpu/kernel/scan_lengths.hpp>

namespace isofold::gpu {

// The elements of concatenated arrays, from one of them on, as a warp copies them to shared memory:
// it goes through the arrays in windows, an array for each thread. A chunk's part of a long array
// is copied as a run (copy_run()), its parts of short ones position by position.
template <class Fold, class Stored = AsComputed>
class JoinedElements {
  using Element = typename Fold::element_type;
  static constexpr int window_arrays = 32;

  static constexpr int least_run = 128;  // elements
  static constexpr int stretch = 256;    // positions that are copied one by one, at most
  static constexpr int far = 1 << 26;    // positions of a window: 4 bytes hold those in bytes

  // Positions are counted from the element of the row with which the window was loaded. The window
  // lies in shared memory, so that none of it is in registers while a chunk is folded.
  struct Window {
    std::int64_t array;  // the first
    std::int64_t begin;  // the element at position 0
    // The address that position 0 would have if the array began there.
    std::uintptr_t from[Fold::arrays][window_arrays];
    std::int32_t end[window_arrays];  // position behind the array; at most `far`
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

  // Loads the first window, before the first fill(), from element number `begin` on, which exists.
  // Collective: every lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE void start(const Group& group, std::int64_t begin) const {
    group.warp_barrier();  // what was there has been read
    load_window(group, find_part(group, joined_.before, joined_.count, begin), begin);
  }

  // Copies the next elements, as SelectedElements::fill().
  template <class Group>
  ISOFOLD_DEVICE void fill(const Group& group, std::int64_t begin, int count,
                           Element* buffer) const {
#pragma unroll 1
    for (int done = 0; done < count;) {
      const auto at = static_cast<int>(begin + done - window_->begin);
      const int left = window_->end[window_arrays - 1] - at;
      if (left > 0) {
        const int end = left < count - done ? done + left : count;
        copy(group, at - done, done, end, buffer);
        done = end;
      } else {
        next_window(group, begin + done);
      }
    }
  }

 private:
  // Element number `begin` is not in the window.
  template <class Group>
  ISOFOLD_DEVICE void next_window(const Group& group, std::int64_t begin) const {
    const bool has_more = window_->end[window_arrays - 1] == far;
    std::int64_t array = window_->array + (has_more ? 0 : window_arrays);
    group.warp_barrier();  // all have read of the window
    load_window(group, array, begin);
    if (window_->end[window_arrays - 1] <= 0) {  // nothing but empty ones; many more may follow
      group.warp_barrier();
      load_window(group, find_part(group, joined_.before, joined_.count, begin), begin);
    }
  }

  // Loads the window of arrays `array`, ...; the last one stands for those behind it, without a
  // position of its own.
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
      window_->end[thread_] = end > far ? far : end > 0 ? static_cast<std::int32_t>(end) : 0;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        window_->from[a][thread_] = from[a] - static_cast<std::uintptr_t>(before) * bytes;
      }
    }
    if (thread_ == 0) {
      window_->array = array;
      window_->begin = begin;
    }
    group.warp_barrier();
  }

  // The window's array that has a position, which lies in the window.
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

  // The chunk's elements [begin, end), all of the window's arrays, in which the chunk begins at
  // position `chunk`.
  template <class Group>
  ISOFOLD_DEVICE void copy(const Group& group, int chunk, int begin, int end,
                           Element* buffer) const {
#pragma unroll 1
    while (begin < end) {
      int behind = begin + stretch < end ? begin + stretch : end;
      if constexpr (!Stored::converts) {
        const int array = array_at(chunk + begin);
        const int left = window_->end[array] - chunk - begin;
        if (left >= least_run) {
          behind = left < end - begin ? begin + left : end;
          const Element* from[Fold::arrays];
#pragma unroll
          for (int a = 0; a < Fold::arrays; ++a) {
            from[a] = reinterpret_cast<const Element*>(window_->from[a][array]) + chunk;
          }
          copy_run<Fold>(group, from, begin, behind, buffer);
          begin = behind;
          continue;
        }
      }
      copy_stretch(group, chunk, begin, behind, buffer);
      begin = behind;
    }
  }

  // Copies the stretch element by element.
  template <class Group>
  ISOFOLD_DEVICE void copy_stretch(const Group& group, int chunk, int begin, int end,
                                   Element* buffer) const {
    Own own;
    if constexpr (!by_registers<Group, Stored>) {
#pragma unroll 1
      for (int i = begin + thread_; i < end; i += Group::wave_width) {
        reach(own, chunk + i);
#pragma unroll
        for (int a = 0; a < Fold::arrays; ++a) {
          copy_element(group, buffer + a * compacted_stride<Fold>() + i,
                       element(own, a, chunk + i));
        }
      }
    } else {
#pragma unroll 1
      for (int i = begin; i < end; i += loads_by_registers * Group::wave_width) {
        copy_by_registers(group, own, chunk, i + thread_, end, buffer);
      }
    }
  }

  // Collective: every lane of the warp must call, because loads_issued() is part of it.
  template <class Group>
  ISOFOLD_DEVICE void copy_by_registers(const Group& group, Own& own, int chunk, int begin, int end,
                                        Element* buffer) const {
    constexpr int at_once = loads_by_registers;
    const char* from[Fold::arrays][at_once];
    Element x[Fold::arrays][at_once];
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const int i = begin + j * Group::wave_width;
      const int position = chunk + (i < end ? i : end - 1);
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
          buffer[a * compacted_stride<Fold>() + i] = x[a][j];
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
