// The kernel for locations of the extremum in rows of 16-bit floats, which have no order: an
// element's key and its place in a thread's loads are one 32-bit number, the least of which wins.
#pragma once

#include <backends/gpu/input/contiguous.hpp>
#include <backends/gpu/input/halves.hpp>
#include <backends/gpu/op/canonical.hpp>

namespace isofold::gpu {

template <class Fold>
inline constexpr bool locates_halves = std::is_base_of_v<LocateKeys<float>, Fold>;

template <class Fold>
struct LocateHalves {
  static constexpr int max_threads = 512;
  static constexpr int team = 8;  // lanes that take a row
  using State = typename Fold::state_type;

  Rows<Fold> rows;  // length >= 1
  bool is_bf16;
  bool by_teams;  // else a block takes a row

  // The states of a block's warps.
  static constexpr std::size_t shared_bytes(int warps) {
    return sizeof(State) * static_cast<std::size_t>(warps);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    if (by_teams) {
      run_by_teams(group);
    } else {
      run_by_blocks(group);
    }
  }

 private:
  ISOFOLD_DEVICE const std::uint16_t* row_at(std::int64_t row) const {
    return reinterpret_cast<const std::uint16_t*>(rows.first.data) + row * rows.stride;
  }

  template <class Group>
  ISOFOLD_DEVICE void run_by_teams(const Group& group) const {
    using Share = HalvesShare<team>;
    constexpr int teams = Group::wave_width / team;
    const WarpPlace<Group> place(group);
    const std::int64_t step = group.blocks() * place.warps * teams;
    const auto share_of = [&](std::int64_t base) {
      const std::int64_t row = base + place.thread / team;
      return Share(row_at(row < rows.rows ? row : rows.rows - 1), rows.length);
    };
    std::int64_t base = (group.block() * place.warps + place.warp) * teams;
    Share share = share_of(base);
    LoadedHalves next = share.load(group, share.first);
    for (; base < rows.rows; base += step) {
      const Share now = share;
      Search search(*this);
      search.add_batches(group, now, next, now.common_end());
      share = share_of(base + step);
      next = share.load(group, share.first);
      const State state = search.template state<team>(group, *this, now);
      const std::int64_t row = base + place.thread / team;
      if (place.thread % team == 0 && row < rows.rows) {
        rows.write(row, state);
      }
    }
  }
  template <class Group>
  ISOFOLD_DEVICE void run_by_blocks(const Group& group) const {
    using Share = HalvesShare<Group::wave_width>;
    const WarpPlace<Group> place(group);
    auto* const states = static_cast<State*>(group.shared());
    for (std::int64_t row = group.block(); row < rows.rows; row += group.blocks()) {
      const Share share(row_at(row), rows.length, 0, 1, place.warp, place.warps);
      LoadedHalves next = share.load(group, share.first);
      Search search(*this);
      search.add_batches(group, share, next, share.end);
      const State state = search.template state<Group::wave_width>(group, *this, share);
      if (place.thread == 0) {
        states[place.warp] = state;
      }
      group.barrier();
      if (group.thread() == 0) {
        State all = states[0];
        for (int warp = 1; warp < place.warps; ++warp) {
          all = rows.fold.combine(all, states[warp]);
        }
        rows.write(row, all);
      }
      group.barrier();
    }
  }

  // The search of a thread: it keeps the least key that it has met, and where.
  class Search {
   public:
    ISOFOLD_DEVICE explicit Search(const LocateHalves& of)
        : turned_(static_cast<std::uint32_t>(of.rows.fold.turned)),
          above_nan_(of.is_bf16 ? 0x007f007fU : 0x03ff03ffU),
          last_(of.rows.fold.last) {}

    // Searches the batches before load `end`, the first of which is `next`. Collective: every lane
    // of the warp must call.
    template <class Group, class Share>
    ISOFOLD_DEVICE void add_batches(const Group& group, const Share& share, LoadedHalves& next,
                                    std::int64_t end) {
      if (last_) {
        add_batches<true>(group, share, next, end);
      } else {
        add_batches<false>(group, share, next, end);
      }
    }
    // Returns the location in the row, in the first of the lanes that share it; of a row with a NaN
    // by another search. Collective: every lane of the warp must call.
    template <int lanes, class Group, class Share>
    ISOFOLD_DEVICE State state(const Group& group, const LocateHalves& of,
                               const Share& share) const {
      const Fold& fold = of.rows.fold;
      State state = fold.identity();
      if (!all_of_warp(group, (above_ & two_minus_zeros) == 0)) {
        state = of.search_one_by_one(group, share);
      } else if (best_ != none) {
        const int code = (last_ ? ~best_ : best_) & 0xffff;
        const auto key = (static_cast<std::uint32_t>(best_) >> 16) ^ (turned_ & 0xffffU);
        const std::uint32_t half = key ^ (key >> 15 != 0 ? 0x7fffU : 0U);
        state = of.located(group, half, share.place(group, first_, code));
      }
      if (share.has_ends) {
        const int lane = Share::lane_of(group);
        const std::int64_t tail = share.tail() + lane;
        if (lane < share.head) {
          state = fold.combine(state, of.located(group, share.load_one(group, lane), lane));
        }
        if (tail < share.length) {
          state = fold.combine(state, of.located(group, share.load_one(group, tail), tail));
        }
      }
#pragma unroll
      for (int distance = 1; distance < lanes; distance *= 2) {
        state = fold.combine(state, exchange(group, state, distance));
      }
      return state;
    }

   private:
    template <bool last, class Group, class Share>
    ISOFOLD_DEVICE void add_batches(const Group& group, const Share& share, LoadedHalves& next,
                                    std::int64_t end) {
      share.each_batch(group, next, end, [&](const LoadedHalves& now, std::int64_t first) {
        std::int32_t least = none;
#pragma unroll
        for (int j = 0; j < LoadedHalves::loads; ++j) {
          const std::int32_t of_load = least_of<last>(now.x[j], j);
          least = of_load < least && share.is_there(group, first, j) ? of_load : least;
        }
        // Batches follow one another in the row: of equal keys the first wins, or the last.
        const bool wins = last ? least >> 16 <= best_ >> 16 : least >> 16 < best_ >> 16;
        if (least != none && wins) {
          best_ = least;
          first_ = first;
        }
        return true;
      });
    }
    template <bool last>
    ISOFOLD_DEVICE std::int32_t least_of(const EightHalves& eight, int j) {
      std::int32_t least = none;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const std::uint32_t two = eight.value[i];
        // A NaN is carried into the sign.
        above_ |= (two & 0x7fff7fffU) + above_nan_;
        const std::uint32_t signs = two & two_minus_zeros;
        const std::uint32_t keys = two ^ (signs - (signs >> 15)) ^ turned_;
        const std::uint32_t code = static_cast<std::uint32_t>(halves_per_load * j + 2 * i);
        const std::uint32_t lower = keys << 16 | (last ? ~code & 0xffffU : code);
        const std::uint32_t upper =
            (keys & 0xffff0000U) | (last ? ~(code + 1) & 0xffffU : code + 1);
        for (const std::uint32_t each : {lower, upper}) {
          const auto number = static_cast<std::int32_t>(each);
          least = number < least ? number : least;
        }
      }
      return least;
    }

    static constexpr std::int32_t none = 0x7fffffff;  // its key is a NaN's, which is not searched
    std::uint32_t turned_;
    std::uint32_t above_nan_;
    std::uint32_t above_ = 0;
    std::int32_t best_ = none;
    std::int64_t first_ = 0;  // load of its batch
    bool last_;
  };

  // The location of an element.
  template <class Group>
  ISOFOLD_DEVICE State located(const Group& group, std::uint32_t half, std::int64_t index) const {
    const float x = LoadHalf<Group>{group, is_bf16}.converted(static_cast<std::uint16_t>(half));
    return {rows.fold.first().lift(x, 0).key, rows.fold.last ? ~index : index};
  }
  // Returns the location that a thread finds in its loads, NaNs among them.
  template <class Group, class Share>
  ISOFOLD_DEVICE_APART State search_one_by_one(const Group group, const Share& share) const {
    State state = rows.fold.identity();
    for (std::int64_t first = share.first; first < share.end; first += share.step) {
      for (int i = 0; i < LoadedHalves::count; ++i) {
        if (share.is_there(group, first, i / halves_per_load)) {
          const std::int64_t at = share.place(group, first, i);
          state = rows.fold.combine(state, located(group, share.load_one(group, at), at));
        }
      }
    }
    return state;
  }
};

}  // namespace isofold::gpu
