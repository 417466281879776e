// Rows of 16-bit floats that lie side by side, for kernels to whose results the order of elements
// means nothing: by loads of 16 bytes, wherever a row begins.
#pragma once

#include <backends/gpu/input/convert.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

using EightHalves = Pack<std::uint32_t, 4>;
inline constexpr int halves_per_load = 8;
inline constexpr std::uint32_t two_minus_zeros = 0x80008000U;
ISOFOLD_DEVICE inline EightHalves eight_minus_zeros() {
  return {{two_minus_zeros, two_minus_zeros, two_minus_zeros, two_minus_zeros}};
}

// The loads of a thread that are on their way at once.
struct LoadedHalves {
  static constexpr int loads = 4;
  static constexpr int count = loads * halves_per_load;
  EightHalves x[std::size_t{loads}];
};

// The share of `lanes` threads in a row, or in one of the pieces of a row, in batches of their
// loads. Elements before the first address that a load may have, and those behind the last load,
// are the first sharer's of the first piece: fewer than eight each.
template <int lanes>
struct HalvesShare {
  static constexpr std::int64_t batch = std::int64_t{LoadedHalves::loads} * lanes;  // loads
  const std::uint16_t* row;
  std::int64_t length;
  std::int64_t first;  // load of the first batch
  std::int64_t end;    // load behind the last
  std::int64_t step;   // from a batch to the next
  int head;            // elements
  bool has_ends;

  ISOFOLD_DEVICE HalvesShare(const std::uint16_t* at, std::int64_t elements, std::int64_t piece = 0,
                             std::int64_t pieces = 1, int own = 0, int sharers = 1)
      : row(at),
        length(elements),
        first(0),
        step(sharers * batch),
        head(static_cast<int>((0 - reinterpret_cast<std::uintptr_t>(at)) % 16 / 2)),
        has_ends(piece == 0 && own == 0) {
    head = head < length ? head : static_cast<int>(length);
    end = (length - head) / halves_per_load;
    if (pieces > 1) {
      const std::int64_t batches = (end + batch - 1) / batch;
      const std::int64_t each = (batches + pieces - 1) / pieces * batch;
      first = piece * each;
      end = end - first < each ? end : first + each;
    }
    first += own * batch;
  }
  ISOFOLD_DEVICE std::int64_t tail() const { return length - (length - head) % halves_per_load; }
  // The load behind all of the row's that is the same for rows of this length, wherever they begin.
  ISOFOLD_DEVICE std::int64_t common_end() const {
    return (length + halves_per_load - 1) / halves_per_load;
  }

  template <class Group>
  ISOFOLD_DEVICE static int lane_of(const Group& group) {
    return group.thread() % lanes;
  }
  // This tells whether load j of the batch from load `from` on is there.
  template <class Group>
  ISOFOLD_DEVICE bool is_there(const Group& group, std::int64_t from, int j) const {
    return from + j * lanes + lane_of(group) < end;
  }
  // The place in the row of element i of a thread's batch from load `from` on.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t place(const Group& group, std::int64_t from, int i) const {
    const std::int64_t load = from + i / halves_per_load * lanes + lane_of(group);
    return head + load * halves_per_load + i % halves_per_load;
  }
  // Elements that are not there are -0.
  template <class Group>
  ISOFOLD_DEVICE LoadedHalves load(const Group& group, std::int64_t from) const {
    LoadedHalves loaded;
#pragma unroll
    for (int j = 0; j < LoadedHalves::loads; ++j) {
      const std::int64_t at = from + j * lanes + lane_of(group);
      loaded.x[j] = eight_minus_zeros();
      if (at < end) {
        loaded.x[j] = group.template load<std::uint32_t, 4>(
            reinterpret_cast<const std::uint32_t*>(row + head + at * halves_per_load));
      }
    }
    return loaded;
  }
  // Calls take(loaded, first) for each batch before load `until`, `first` being its first load,
  // until one returns false, and returns what the last one did. `next` has the loads of the first
  // batch; those of a later one are on their way while take() works on the one before.
  template <class Group, class Take>
  ISOFOLD_DEVICE bool each_batch(const Group& group, LoadedHalves& next, std::int64_t until,
                                 Take&& take) const {
#pragma unroll 1
    for (std::int64_t from = first; from < until; from += step) {
      const LoadedHalves now = next;
      if (from + step < until) {
        next = load(group, from + step);
      }
      if constexpr (has_loads_issued<Group>) {
        group.loads_issued();
      }
      if (!take(now, from)) {
        return false;
      }
    }
    return true;
  }
  // An element; -0 behind the last.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t load_one(const Group& group, std::int64_t at) const {
    return at < length ? load_element(group, row + at) : 0x8000U;
  }
};

}  // namespace isofold::gpu
