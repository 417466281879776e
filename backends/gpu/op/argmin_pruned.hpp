// Where the extremum of many chunks of f32 is: most of them cannot win. A block remembers the best
// key of its chunks so far, and only a chunk that may beat it is searched for a place: its extremum
// takes one instruction an element, the place two more.
#pragma once

#include <isofold/detail/core/folds/location.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// The least key of one end so far, as an unsigned number, in a word that the block's warps share;
// null: there is nothing to beat.
class BestKey {
 public:
  ISOFOLD_DEVICE explicit BestKey(std::uint32_t* of_block) : of_block_(of_block) {}

  // `none` before there was any.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t so_far(const Group& group) const {
    if (of_block_ == nullptr) {
      return none;
    }
    return group.least(is_first(group) ? group.lower(of_block_, none) : none);
  }

  // Whether nothing that this thread holds can beat `best`. A chunk of another warp may come later
  // in the row, and then loses where keys tie; chunks of this warp have come before.
  template <core::Toward toward, class Extremum, int components, class Held>
  ISOFOLD_DEVICE bool stands(const Extremum& extremum, const Held& held, std::uint32_t best,
                             bool last) const {
    float value[components];
#pragma unroll
    for (int c = 0; c < components; ++c) {
      value[c] = held.at(0, 0, c);
#pragma unroll
      for (int row = 1; row < core::rows_per_chunk; ++row) {
        value[c] = extremum.combine(value[c], held.at(0, row, c));
      }
    }
#pragma unroll
    for (int c = 1; c < components; ++c) {
      value[0] = extremum.combine(value[0], value[c]);
    }
    const std::uint32_t key = number(core::Keys<float, toward>::of(value[0]));
    return !(key <= best && (last ? key <= of_warp_ : key < of_warp_));
  }

  // Each thread of the warp has a state's key, or the padding's.
  template <class Group>
  ISOFOLD_DEVICE void learn(const Group& group, std::int64_t key) {
    if (of_block_ != nullptr) {
      const std::uint32_t least =
          group.least(key > INT32_MAX ? none : number(static_cast<std::int32_t>(key)));
      if (least < of_warp_) {
        of_warp_ = least;
        if (is_first(group)) {
          group.lower(of_block_, least);
        }
      }
    }
  }

  static constexpr std::uint32_t none = UINT32_MAX;  // no float has the key

 private:
  ISOFOLD_DEVICE static std::uint32_t number(std::int32_t key) {
    return static_cast<std::uint32_t>(key) ^ 0x80000000U;
  }
  template <class Group>
  ISOFOLD_DEVICE static bool is_first(const Group& group) {
    return group.thread() % Group::wave_width == 0;
  }

  std::uint32_t* of_block_;
  std::uint32_t of_warp_ = none;
};

// Keys is LocateKeys<float>, or a family of it; Extremum<toward> finds the extremum of two.
template <class Keys, template <core::Toward> class Extremum>
class KeyContest : public Keys {
 public:
  ISOFOLD_DEVICE KeyContest(const Keys& keys, std::uint32_t* words) : Keys(keys), best_(words) {}

  template <int components, class Group, class Held>
  ISOFOLD_DEVICE bool may_win(const Group& group, const Held& held) const {
    const std::uint32_t best = best_.so_far(group);
    return best == BestKey::none ||
           !all_of_warp(group, this->turned == 0
                                   ? stands<core::Toward::lowest, components>(held, best)
                                   : stands<core::Toward::highest, components>(held, best));
  }
  template <class Group>
  ISOFOLD_DEVICE void learn(const Group& group, const core::LocationState& state) {
    best_.learn(group, state.key);
  }

 private:
  template <core::Toward toward, int components, class Held>
  ISOFOLD_DEVICE bool stands(const Held& held, std::uint32_t best) const {
    return best_.template stands<toward, Extremum<toward>, components>({}, held, best, this->last);
  }

  BestKey best_;
};

// Both is LocateBoth<float>.
template <class Both, template <core::Toward> class Extremum>
class BothContest : public Both {
 public:
  ISOFOLD_DEVICE BothContest(const Both& both, std::uint32_t* words)
      : Both(both), lowest_(words), highest_(words == nullptr ? nullptr : words + 1) {}

  template <int components, class Group, class Held>
  ISOFOLD_DEVICE bool may_win(const Group& group, const Held& held) const {
    const std::uint32_t lowest = lowest_.so_far(group);
    const std::uint32_t highest = highest_.so_far(group);
    return lowest == BestKey::none || highest == BestKey::none ||
           !all_of_warp(group,
                        stands<core::Toward::lowest, components>(lowest_, held, lowest) &&
                            stands<core::Toward::highest, components>(highest_, held, highest));
  }
  template <class Group>
  ISOFOLD_DEVICE void learn(const Group& group, const core::Two<core::LocationState>& states) {
    lowest_.learn(group, states.first.key);
    highest_.learn(group, states.second.key);
  }

 private:
  template <core::Toward toward, int components, class Held>
  ISOFOLD_DEVICE static bool stands(const BestKey& end, const Held& held, std::uint32_t best) {
    return end.template stands<toward, Extremum<toward>, components>({}, held, best, false);
  }

  BestKey lowest_;
  BestKey highest_;
};

template <class Keys, template <core::Toward> class Extremum>
inline constexpr bool is_contest<KeyContest<Keys, Extremum>> = true;
template <class Both, template <core::Toward> class Extremum>
inline constexpr bool is_contest<BothContest<Both, Extremum>> = true;

}  // namespace isofold::gpu
